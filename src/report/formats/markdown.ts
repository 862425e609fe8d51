import { confirmationLine, occurrenceLine } from '../../model/report/finding-lines.ts';
import {
  type BaselineResult,
  counted,
  interfaceName,
  isGood,
  isSeen,
  isViolation,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { clip, shown } from '../../model/visible.ts';
import { type Consequences, commandOf, consequencesLast, consequencesOf } from '../consequences.ts';
import { recordingLines, requestWords } from '../request-counts.ts';
import { baselineLines } from '../text/baseline-lines.ts';
import { isNarrowed, mustsJudged, verdictWords } from '../verdict.ts';
import { bullets, code, fence, prose, table } from './markdown-text.ts';

/** The most bytes of a summary. GitHub drops the whole summary of a step above 1 MiB. */
const MAX_BYTES = 128 * 1024;

/** The longest text, in characters. */
const MAX_TEXT = 600;

const SIGNS = { conformant: '✅', 'non-conformant': '❌', incomplete: '⚠️' } as const;

/** The sign of a conformant verdict that is narrowed. */
const NARROWED = '☑️';

/**
 * The report as Markdown (GitHub's and GitLab's flavor): the verdict, violations with the command that reproduces them,
 * advisories, what was not tested, and observations. It is bounded, and says how many parts it leaves out.
 */
export function renderMarkdown(report: Report, maxBytes = MAX_BYTES): string {
  const safe = shown({ ...report, exchanges: [] });
  const isViolated = (each: RequirementResult) => isViolation(report, each);
  const consequences = consequencesOf(safe);
  const own = safe.requirements.filter((each) => !consequences.has(each));
  const of = (status: string) =>
    safe.requirements.filter((each) => each.status === status && !isViolated(each));
  const observed = of('observed').filter(isSeen);
  const advisories = own.filter((each) => each.status === 'advisory' && !isViolated(each));
  const pieces = [
    head(safe, consequences),
    ...group('Violated', own.filter(isViolated).map(renderIssue)),
    ...tableOf('Violated because of the root cause', COLUMNS, consequences.violated, reasonOf),
    ...group('Advisories', advisories.map(renderIssue)),
    ...tableOf('Advisories because of the root cause', COLUMNS, consequences.advisories, reasonOf),
    ...tableOf('Not tested', COLUMNS, consequencesLast(of('not-tested')), reasonOf),
    ...tableOf(
      'Observed where the interface leaves it open',
      ['requirement', 'observed'],
      observed,
      (each) => each.observed ?? '',
    ),
  ];
  return withinBytes(pieces, maxBytes);
}

const COLUMNS = ['requirement', 'reason'] as const;

const reasonOf = ({ reason }: RequirementResult) => reason;

/** As many pieces as fit, in order, and the number of the others. */
function withinBytes(pieces: readonly string[], max: number): string {
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    const next = index === 0 ? piece : `${text}\n${piece}`;
    const left = pieces.length - index;
    const room = left === 1 ? max : max - Buffer.byteLength(missing(left - 1));
    if (Buffer.byteLength(next) > room) return text + missing(left);
    text = next;
  }
  return text;
}

function missing(parts: number): string {
  return `\n${counted(parts, 'more part')} ${parts === 1 ? 'does' : 'do'} not fit here; see report.json.\n`;
}

function head(report: Report, consequences: Consequences): string {
  const { because, target, suite, summary, startedAt } = report;
  const facts = [
    `${code(brief(target.baseUrl))}: ${prose(brief(because))}`,
    mustsJudged(report),
    ...(report.baseline ? baselineFacts(report.baseline) : []),
    ...newerFacts(report),
    prose(requestWords(report)),
    ...recordingLines(report.recording).map((line) => prose(brief(line))),
    `petspec ${prose(brief(suite.version))}, ${prose(brief(interfaceName(suite)))}, ${prose(startedAt)}`,
  ];
  const { met, violated, advisory, observed, 'not-tested': untested } = summary;
  const counts = [met, violated, advisory, observed, untested].map(String);
  return [
    `## ${signOf(report)} petspec: ${verdictWords(report)}\n`,
    ...rootCause(report, consequences),
    bullets(facts),
    table(['met', 'violated', 'advisories', 'left open', 'not tested'], [counts]),
  ].join('\n');
}

function signOf(report: Report): string {
  if (report.verdict !== 'conformant') return SIGNS[report.verdict];
  if (!isGood(report)) return SIGNS.incomplete;
  return isNarrowed(report) ? NARROWED : SIGNS.conformant;
}

/** Why every operation fails in the same way, and hints. */
function rootCause({ rootCause: cause, hints = [] }: Report, consequences: Consequences): string[] {
  const curl = commandOf(consequences);
  const said =
    cause === undefined
      ? []
      : [
          `**Root cause:** ${prose(brief(cause.statement))}\n`,
          ...(cause.firstLine === undefined ? [] : [`First line: ${code(brief(cause.firstLine))}\n`]),
          ...(curl === undefined ? [] : [fence('sh', curl)]),
        ];
  const hinted = hints.flatMap(({ text, command }) => [
    `**Hint:** ${prose(brief(text))}\n`,
    ...(command === undefined ? [] : [fence('sh', command)]),
  ]);
  return [...said, ...hinted];
}

function newerFacts({ suite, newer = [] }: Report): string[] {
  if (newer.length === 0) return [];
  const ids = newer.map(({ id }) => id).join(', ');
  return [`judged by requirement set ${prose(suite.set.version)}; newer sets add ${prose(brief(ids))}`];
}

function baselineFacts(baseline: BaselineResult): string[] {
  const { head, known, wrong } = baselineLines(baseline);
  return [`violations: ${head}`, ...wrong, ...known].map((line) => prose(brief(line)));
}

function brief(text: string): string {
  return clip(text, MAX_TEXT);
}

function group(title: string, parts: readonly string[]): string[] {
  return parts.map((part, index) => (index === 0 ? `### ${title} (${parts.length})\n\n${part}` : part));
}

/** A violation or an advisory as Markdown, such as for an issue. @param result its text is made visible before */
export function renderIssue(result: RequirementResult): string {
  const { id, statement, section, reason, expected, received, pointer, waived } = result;
  const reproduction = reproductionOf(result);
  const where = occurrenceLine(result);
  const given = Object.entries({
    in: where,
    expected,
    received,
    at: pointer || undefined,
    again: confirmationLine(result),
    waived,
  });
  const lines = [
    prose(brief(reason)),
    ...given.flatMap(([name, text]) => (text === undefined ? [] : [`${name} ${code(brief(text))}`])),
  ];
  return [
    `#### ${code(brief(id))}\n`,
    `${prose(brief(statement))} (${prose(brief(section))})\n`,
    bullets(lines),
    ...(reproduction?.warning === undefined ? [] : [`Running this ${prose(reproduction.warning)}.\n`]),
    ...(result.unrepeatable ? [`${prose(brief(result.unrepeatable.text))}\n`] : []),
    ...(reproduction ? [fence(reproduction.script.includes('\n') ? 'bash' : 'sh', reproduction.script)] : []),
  ].join('\n');
}

function tableOf(
  title: string,
  columns: readonly [string, string],
  results: readonly RequirementResult[],
  textOf: (result: RequirementResult) => string,
): string[] {
  if (results.length === 0) return [];
  const rows = results.map((each) => [prose(brief(each.id)), prose(brief(textOf(each)))]);
  return [
    `<details><summary>${title} (${results.length})</summary>\n\n${table(columns, rows)}\n</details>\n`,
  ];
}
