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
import { type Consequences, commandOf, consequencesLast, consequencesOf } from '../facts/consequences.ts';
import { recordingLines, requestWords } from '../facts/request-counts.ts';
import { isNarrowed, mustsJudged, verdictWords } from '../facts/verdict.ts';
import { baselineLines } from '../text/verdict-lines.ts';
import { bullets, code, fence, prose, table } from './markdown-text.ts';

/** Bytes of a summary. GitHub drops the whole summary of a step above 1 MiB. */
const MAX_BYTES = 128 * 1024;

/** Characters of a text. */
const MAX_TEXT = 600;

const SIGNS = { conformant: '✅', 'non-conformant': '❌', incomplete: '⚠️' } as const;

/** The sign of a narrowed conformant verdict. */
const NARROWED = '☑️';

/**
 * The report as Markdown (GitHub's and GitLab's flavor): the verdict, violations with the command that reproduces them,
 * advisories, what was not tested, and observations. Its size is bounded, and it says how many parts are left out.
 */
export function renderMarkdown(report: Report, maxBytes = MAX_BYTES): string {
  const safe = shown({ ...report, exchanges: [] });
  const isViolated = (result: RequirementResult) => isViolation(report, result);
  const consequences = consequencesOf(safe);
  const independent = safe.requirements.filter((requirement) => !consequences.has(requirement));
  const withStatus = (status: string) =>
    safe.requirements.filter((requirement) => requirement.status === status && !isViolated(requirement));
  const observed = withStatus('observed').filter(isSeen);
  const advisories = independent.filter(
    (requirement) => requirement.status === 'advisory' && !isViolated(requirement),
  );
  const pieces = [
    head(safe, consequences),
    ...group('Violated', independent.filter(isViolated).map(renderIssue)),
    ...tableOf('Violated because of the root cause', COLUMNS, consequences.violated, reasonOf),
    ...group('Advisories', advisories.map(renderIssue)),
    ...tableOf('Advisories because of the root cause', COLUMNS, consequences.advisories, reasonOf),
    ...tableOf('Not tested', COLUMNS, consequencesLast(withStatus('not-tested')), reasonOf),
    ...tableOf(
      'Observed where the interface leaves it open',
      ['requirement', 'observed'],
      observed,
      (result) => result.observed ?? '',
    ),
  ];
  return withinBytes(pieces, maxBytes);
}

const COLUMNS = ['requirement', 'reason'] as const;

const reasonOf = ({ reason }: RequirementResult) => reason;

/** As many pieces as fit, in order, and the number of the rest. */
function withinBytes(pieces: readonly string[], max: number): string {
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    const next = index === 0 ? piece : `${text}\n${piece}`;
    const remaining = pieces.length - index;
    const room = remaining === 1 ? max : max - Buffer.byteLength(missing(remaining - 1));
    if (Buffer.byteLength(next) > room) return text + missing(remaining);
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

/** The root cause, if every operation fails in the same way, and hints. */
function rootCause({ rootCause: cause, hints = [] }: Report, consequences: Consequences): string[] {
  const curl = commandOf(consequences);
  const causeParts =
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
  return [...causeParts, ...hinted];
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

/** A violation or an advisory as Markdown, for example for an issue. @param result without hidden characters */
export function renderIssue(result: RequirementResult): string {
  const { id, statement, section, reason, expected, received, pointer, waived } = result;
  const reproduction = reproductionOf(result);
  const where = occurrenceLine(result);
  const fields = Object.entries({
    in: where,
    expected,
    received,
    at: pointer || undefined,
    again: confirmationLine(result),
    waived,
  });
  const lines = [
    prose(brief(reason)),
    ...fields.flatMap(([name, text]) => (text === undefined ? [] : [`${name} ${code(brief(text))}`])),
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
  const rows = results.map((result) => [prose(brief(result.id)), prose(brief(textOf(result)))]);
  return [
    `<details><summary>${title} (${results.length})</summary>\n\n${table(columns, rows)}\n</details>\n`,
  ];
}
