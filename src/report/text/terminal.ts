import {
  counted,
  isGood,
  isSeen,
  isViolation,
  leftOutBy,
  type Report,
  type RequirementResult,
  reproductionOf,
  type Verdict,
} from '../../model/report/report.ts';
import { notACommand, shown } from '../../model/visible.ts';
import { foldedIn } from '../consequences.ts';
import { mustsJudged, verdictWords } from '../verdict.ts';
import { baselineLines } from './baseline-lines.ts';
import { paragraph } from './layout.ts';
import { rootCauseText } from './root-cause.ts';
import { plain, type Style } from './style.ts';

/** Where and how a report is printed. */
export interface Page {
  style: Style;
  /** Columns; infinite where lines are not wrapped. */
  width: number;
  /** `quiet`: the violations and the verdict alone. `verbose`: nothing is folded under a root cause. */
  detail: 'quiet' | 'usual' | 'verbose';
}

/**
 * The findings as text: their root cause first, where there is one, then violations, advisories, observations, what was not tested; the verdict last.
 * Commands stand on one line each, however long, so that they can be copied.
 */
export function renderReport(report: Report, page: Page): string {
  const safe = shown({ ...report, exchanges: [] });
  const folded = page.detail === 'verbose' ? undefined : foldedIn(safe);
  const own = safe.requirements.filter((each) => !folded?.has(each));
  const isViolated = (each: RequirementResult) => isViolation(report, each);
  const of = (status: string) => own.filter((each) => each.status === status && !isViolated(each));
  const rootCause = rootCauseText(safe, folded, page);
  const violated = problems('Violated', own.filter(isViolated), page);
  const verdict = `${verdictLine(safe, page)}\n`;
  // Nothing was judged of a service that is not there or takes no key: one line says what to mend.
  if (violated === '' && (safe.stopped?.kind === 'unreachable' || safe.stopped?.kind === 'key-refused'))
    return joined([rootCause, verdict]);
  const compared = baseline(safe, page);
  if (page.detail === 'quiet') return joined([rootCause, violated, compared, verdict]);
  return joined([
    rootCause,
    violated,
    problems('Advised', of('advisory'), page),
    block(
      'Observed where the interface leaves it open',
      of('observed')
        .filter(isSeen)
        .map((each) => paragraph('  ', `${each.id}: ${each.observed ?? ''}`, 6, page.width)),
    ),
    block('Not tested', untested(of('not-tested'), page), of('not-tested').length),
    compared,
    `${paragraph('', totals(safe), 0, page.width)}\n${newer(safe, page)}`,
    verdict,
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

function block(title: string, lines: readonly string[], count = lines.length): string {
  return lines.length === 0 ? '' : `${title} (${count})\n${lines.join('\n')}\n`;
}

function problems(title: string, results: readonly RequirementResult[], page: Page): string {
  const entries = results.map((each) => problem(each, page)).join('\n\n');
  return entries === '' ? '' : block(title, [entries], results.length);
}

/** One finding as the terminal shows it, for where there is no more of a report: in plain text, safe to print. */
export function renderFinding(result: RequirementResult): string {
  return problem(shown(result), {
    style: plain,
    width: Number.POSITIVE_INFINITY,
    detail: 'usual',
  }).trimStart();
}

function problem(result: RequirementResult, { style, width }: Page): string {
  const { id, status, statement, section, reason, expected, received, pointer } = result;
  const mark = status === 'violated' ? style('red', '✗') : style('yellow', '!');
  const fields: [name: string, text: string | undefined][] = [
    ['expected', expected],
    ['received', received],
    ['at', pointer === '' ? undefined : pointer],
  ];
  const lines = [
    paragraph(`  ${mark} `, `${style('bold', id)}  ${statement} ${style('dim', `[${section}]`)}`, 4, width),
    paragraph('    ', reason, 4, width),
    ...fields.flatMap(([name, text]) =>
      text === undefined ? [] : [paragraph(`      ${name.padEnd(8)}  `, text, 16, width)],
    ),
    ...repetition(result),
  ];
  return lines.join('\n');
}

/** The command or the script that shows it again, each line as it is, and what it costs. */
function repetition(result: RequirementResult): string[] {
  const reproduction = reproductionOf(result);
  if (!reproduction) return [];
  const { script, warning } = reproduction;
  const lines = script.split('\n');
  const means = lines.length > 1 ? 'in bash with' : 'with';
  const cost = warning === undefined ? '' : ` (${warning})`;
  return [`      repeat it ${means}${cost}`, ...lines.map((line) => notACommand(`      ${line}`))];
}

/** What was not tested, by the reason: one reason often holds for many. */
function untested(results: readonly RequirementResult[], { width }: Page): string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, reason, cause } of results) {
    const why = cause ? `${reason} (${cause})` : reason;
    byReason.set(why, [...(byReason.get(why) ?? []), id]);
  }
  return [...byReason].flatMap(([why, ids]) =>
    // Whoever asks for a few requirements knows that it is not the others.
    why === leftOutBy('--only')
      ? [paragraph('  ', `${why}: ${ids.length}; report.json names them`, 4, width)]
      : [paragraph('  ', `${why}:`, 2, width), paragraph('      ', ids.join(', '), 6, width)],
  );
}

function totals(report: Report): string {
  const { summary, requests, requirements } = report;
  const seen = requirements.filter(isSeen).length;
  const vacuous =
    summary.unexercised > 0 ? ` (${summary.unexercised} with nothing to put them to the test)` : '';
  const animals = counted(requests.created.length, 'animal');
  return [
    `${summary.met} met${vacuous}, ${summary.violated} violated, ${summary.advisory} advised, ${summary.observed} left open (${seen} observed), ${summary['not-tested']} not tested`,
    mustsJudged(report),
    `${counted(requests.total, 'request')}, ${requests.withKey} of them with the key, ${animals} added`,
  ].join('; ');
}

/** How the violations compare with those that are known. */
function baseline({ baseline: result }: Report, { width }: Page): string {
  if (!result) return '';
  const { head, known, wrong, unjudged } = baselineLines(result);
  const rest = unjudged.length === 0 ? [] : [`not judged in this run: ${unjudged.join(', ')}`];
  const lines = [...known.map((each) => `known: ${each}`), ...wrong, ...rest];
  return `${paragraph('', `Violations: ${head}`, 2, width)}\n${lines.map((line) => `${paragraph('  ', line, 4, width)}\n`).join('')}`;
}

/** What a newer set of requirements would look at as well. */
function newer({ suite, newer: added = [] }: Report, { width }: Page): string {
  if (added.length === 0) return '';
  const names = added.map(({ id, since }) => `${id} (${since})`).join(', ');
  const words = `judged by the requirements of ${suite.set.version}; a newer set adds ${added.length}: ${names}`;
  return `${paragraph('', words, 2, width)}\n`;
}

const COLOURS: Readonly<Record<Verdict, 'red' | 'green' | 'yellow'>> = {
  conformant: 'green',
  'non-conformant': 'red',
  incomplete: 'yellow',
};

/** The verdict in one sentence; what the user left out belongs to it. */
function verdictLine(report: Report, { style, width }: Page): string {
  const { verdict, because, target, narrowed } = report;
  const isDoubtful = verdict === 'conformant' && !isGood(report);
  const head = style(isDoubtful ? 'yellow' : COLOURS[verdict], style('bold', verdictWords(report)));
  const leftOut = narrowed.filter(
    ({ option, requirements }) => requirements.length > 0 && !because.includes(option),
  );
  const without = leftOut.map(({ option, requirements }) => `${option} left out ${requirements.length}`);
  return paragraph('', [`${head}: ${target.baseUrl}, ${because}`, ...without].join('; '), 2, width);
}
