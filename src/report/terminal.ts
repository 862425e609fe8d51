import { styleText } from 'node:util';
import type { RunOptions } from '../harness/options.ts';
import type { RunPlan } from '../harness/plan.ts';
import type { Report, RequirementResult, Verdict } from './model.ts';
import { visible } from './visible.ts';

/** How text is set off: colours on a terminal, nothing elsewhere. */
export type Style = (format: 'red' | 'green' | 'yellow' | 'bold' | 'dim', text: string) => string;

/** Colours where the stream is a terminal and NO_COLOR does not forbid them. */
export function styleOf(stream: { isTTY?: boolean }): Style {
  const isColoured = stream.isTTY === true && !process.env.NO_COLOR;
  return (format, text) => (isColoured ? styleText(format, text) : text);
}

/** What a run will cost its target, before the first request. */
export function renderStart(plan: RunPlan, options: RunOptions): string {
  if (options.baseUrl === undefined) return 'judging the bundled reference, in virtual time\n';
  const hint = /\/v1$/.test(options.baseUrl)
    ? ''
    : `note: ${visible(options.baseUrl)} does not end with /v1, as the interface says that addresses do\n`;
  return `${hint}judging ${visible(options.baseUrl)}: ${costLine(plan, options)}\n`;
}

function costLine({ cost }: RunPlan, options: RunOptions): string {
  const { withKey, wrongKeys, messages, animals, exhausts } = cost;
  const use = exhausts ? `${withKey} requests and then up to the limit and two more` : `${withKey} requests`;
  return [
    `${use}, ${wrongKeys} with wrong keys`,
    `${animals === 0 ? 'no animals' : `at most ${animals} animals`} added`,
    `${messages} messages requested`,
    `longest wait ${options.maxWait} s`,
  ].join('; ');
}

/** The plan, a line a request, and what it costs. */
export function renderPlan(plan: RunPlan, options: RunOptions): string {
  const width = Math.max(...plan.probes.map(({ id }) => id.length));
  const lines = plan.probes.map(({ id, stage, title, acceptable, onlyIf }) => {
    const due = acceptable.length > 0 ? acceptable.join(' or ') : 'any but 5xx';
    return `  ${stage.padEnd(9)} ${id.padEnd(width)}  ${title} -> ${due}${onlyIf ? ' (only if needed)' : ''}`;
  });
  return `${lines.join('\n')}\n\n${costLine(plan, options)}\nnothing was sent\n`;
}

/** The findings: violations first, then advisories, observations, what was not tested; the verdict last. */
export function renderReport(report: Report, style: Style): string {
  const of = (status: string) => report.requirements.filter((each) => each.status === status);
  const { summary } = report;
  const parts = [
    block(
      'Violated',
      of('violated').map((each) => problem(each, style, 'red')),
    ),
    block(
      'Advised',
      of('advisory').map((each) => problem(each, style, 'yellow')),
    ),
    block(
      'Observed where the interface leaves it open',
      of('observed')
        .filter(({ exercised }) => exercised)
        .map((each) => `  ${each.id}: ${visible(each.observed ?? '')}`),
    ),
    block(
      'Not tested',
      of('not-tested').map(
        (each) => `  ${each.id}: ${visible(each.reason)}${each.cause ? ` (${each.cause})` : ''}`,
      ),
    ),
    `${summary.met} met${summary.unexercised > 0 ? ` (${summary.unexercised} with nothing to put them to the test)` : ''}, ${summary.violated} violated, ${summary.advisory} advised, ${summary.observed} observed, ${summary['not-tested']} not tested; ${spent(report)}\n`,
    `${verdictLine(report, style)}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function block(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title} (${lines.length})\n${lines.join('\n')}\n`;
}

function problem(result: RequirementResult, style: Style, colour: 'red' | 'yellow'): string {
  const lines = [
    `${style(colour, result.status === 'violated' ? '✗' : '!')} ${style('bold', result.id)}  ${result.statement} ${style('dim', `[${result.section}]`)}`,
    `    ${visible(result.reason)}`,
    `    expected  ${visible(result.expected ?? '')}`,
    `    received  ${visible(result.received ?? '')}${result.pointer ? `  at ${visible(result.pointer)}` : ''}`,
    ...(result.curl ? [`    repeat    ${visible(result.curl)}`] : []),
  ];
  return `  ${lines.join('\n')}\n`;
}

function spent({ requests }: Report): string {
  const animals = requests.created.length === 1 ? '1 animal' : `${requests.created.length} animals`;
  return `${requests.total} requests, ${requests.withKey} of them with the key, ${animals} added`;
}

const COLOURS: Readonly<Record<Verdict, 'red' | 'green' | 'yellow'>> = {
  conformant: 'green',
  'non-conformant': 'red',
  incomplete: 'yellow',
};

function verdictLine(report: Report, style: Style): string {
  return `${style(COLOURS[report.verdict], style('bold', report.verdict))}: ${visible(report.target.baseUrl)}, ${visible(report.because)}`;
}
