import type { BaselineEntry } from '../baseline/baseline.ts';
import { counted } from '../model/report/report.ts';
import { visible } from '../model/visible.ts';
import { paragraph, type TextLayout } from '../report/text/style.ts';
import type { Break } from './breaks.ts';
import type { ClassifiedChange, InterfaceChanges } from './changes.ts';
import type { ChangeEvidence } from './evidence.ts';
import type { Covered } from './kept-runs.ts';

/** Headings by kind of change: for services, and for clients. */
const KINDS = {
  appears: ['New: a service has to keep these as well', 'New for clients'],
  tightens: ['Tighter: a service is allowed less', 'Tighter for clients: a request is allowed less'],
  changes: ['Changed: a service has to keep something else', 'Changed for clients'],
  loosens: [
    'Looser: a service is allowed more, which a client may not expect',
    'Looser for clients: a request is allowed more',
  ],
  rewords: ['Reworded: petspec cannot tell whether they ask for something else', 'Reworded for clients'],
  goes: ['Gone: nothing judges these any more', 'Gone for clients'],
} as const satisfies Readonly<
  Record<ClassifiedChange['change'], readonly [service: string, clients: string]>
>;

/**
 * The lines of the changes, one for each requirement.
 * @param day the date at which the newer version is read
 */
export function changesLines(
  changes: InterfaceChanges,
  day: string | undefined,
  { style, width }: TextLayout,
): string[] {
  const { service, clients, gone, removed } = changes;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style('bold', `${title} (${lines.length})`), ...lines];
  const operation = ({ method, path, id }: { method: string; path: string; id: string }) =>
    visible(`  ${method} ${path} (${id})`);
  return [
    headline(changes),
    ...part('Operations that are gone', gone.map(operation)),
    ...part(
      `Operations that may be gone on ${day}`,
      removed.map((entry) => `${operation(entry)}: removed from ${entry.removal} on`),
    ),
    ...Object.entries(KINDS).flatMap(([kind, titles]) =>
      [service, clients].flatMap((partyChanges, index) =>
        part(
          titles[index] ?? '',
          partyChanges.filter(({ change }) => change === kind).map((change) => changeLines(change, width)),
        ),
      ),
    ),
  ];
}

function headline({ service, clients, gone, removed }: InterfaceChanges): string {
  const differing = [...service, ...clients];
  const operations = gone.length + removed.length;
  if (differing.length + operations === 0) return 'No requirement differs';
  const breaking = (changes: readonly ClassifiedChange[]) => changes.filter(({ breaks }) => breaks).length;
  const [services, requests] = [breaking(service), breaking(clients)];
  const words = [
    ...(differing.length > 0
      ? [`${counted(differing.length, 'requirement')} ${differing.length === 1 ? 'differs' : 'differ'}`]
      : []),
    ...(services > 0 ? [`${services} may break a service that conforms to the older version`] : []),
    ...(requests > 0 ? [`${requests} may break its clients`] : []),
    ...(operations > 0 ? [`clients may lose ${counted(operations, 'operation')}`] : []),
  ];
  return words.join('; ');
}

function changeLines({ id, before, after, isRequired }: ClassifiedChange, width: number): string {
  const now = after ?? before;
  if (!now) return '';
  const line = paragraph('  ', visible(`${now.level} ${id}: ${now.statement}`), 4, width);
  if (!before || !after) return line;
  const isSame = before.statement === after.statement && before.level === after.level;
  // The sentence of a parameter does not say whether it is required.
  if (isSame)
    return isRequired === undefined ? line : `${line} ${isRequired ? 'It is required' : 'It may be absent'}.`;
  return `${line}\n${paragraph('    before: ', visible(`${before.level}: ${before.statement}`), 6, width)}`;
}

/** Exchanges and clients that are printed for each break. `--json` has more. */
const SHOWN = 3;
const SHOWN_CLIENTS = 8;
/** Releases of a history that are printed. */
const SHOWN_RUNS = 40;

type EvidenceOf<Kind extends ChangeEvidence['kind']> = Extract<ChangeEvidence, { kind: Kind }>;

/** The lines of the evidence of a file. */
export function evidenceLines(evidence: ChangeEvidence, page: TextLayout): string[] {
  switch (evidence.kind) {
    case 'recording':
      return recordingLines(evidence, page);
    case 'baseline':
      return baselineLines(evidence, page);
    default:
      return runsLines(evidence, page);
  }
}

function recordingLines(
  { name, judged, sound, unjudged, breaks }: EvidenceOf<'recording'>,
  page: TextLayout,
): string[] {
  const file = visible(name);
  if (judged === 0)
    return [`Nothing of ${file} could be judged; petspec judge --interface <old> ${file} says why`];
  if (sound === 0) return [`None of ${counted(judged, 'exchange')} of ${file} conforms to the older version`];
  const conforming = `${counted(sound, 'exchange')} of ${file} ${sound === 1 ? 'conforms' : 'conform'} to the older version`;
  const clients = new Set(breaks.flatMap((breakage) => breakage.clients.map(({ client }) => client)));
  const result =
    breaks.length === 0
      ? 'with the newer one, nothing breaks'
      : `with the newer one, ${counted(breaks.length, 'thing')} ${breaks.length === 1 ? 'breaks' : 'break'} for ${counted(clients.size, 'client')}`;
  const violating = judged - sound;
  return [
    page.style('bold', `${conforming}; ${result}`),
    ...(violating > 0
      ? [
          `  ${counted(violating, 'exchange')} violated the older version already and ${violating === 1 ? 'is' : 'are'} not compared`,
        ]
      : []),
    ...(unjudged > 0 ? [`  ${counted(unjudged, 'exchange')} cannot be judged by the newer version`] : []),
    ...breaks.flatMap((breakage) => breakLines(breakage, page)),
  ];
}

function breakLines(
  { what, reason, expected, count, exchanges, clients }: Break,
  { style, width }: TextLayout,
): string[] {
  const shown = exchanges
    .slice(0, SHOWN)
    .flatMap(({ entry, method, url, status, received }) => [
      `    entry ${entry}: ${visible(`${method} ${url} -> ${status ?? 'no response'}`)}`,
      ...(received === undefined ? [] : [paragraph('      received ', visible(received), 8, width)]),
    ]);
  const more = clients.length - SHOWN_CLIENTS;
  const named = clients.slice(0, SHOWN_CLIENTS).map((entry) => `${entry.client} (${entry.exchanges})`);
  return [
    paragraph(style('red', '  ✗ '), visible(`${what}: ${reason}`), 4, width),
    ...(expected === undefined ? [] : [paragraph('    expected ', visible(expected), 6, width)]),
    ...shown,
    ...(count > SHOWN ? [`    and ${counted(count - SHOWN, 'more exchange')}`] : []),
    paragraph(
      '    clients: ',
      visible([...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')),
      6,
      width,
    ),
  ];
}

function runsLines(
  { kind, name, runs, failed, newer, foreign }: EvidenceOf<'history' | 'certificate'>,
  page: TextLayout,
): string[] {
  const notCompared = [
    ...(failed > 0 ? [`${failed} not conformant`] : []),
    ...(newer > 0 ? [`${newer} judged by the newer version already`] : []),
    ...(foreign > 0 ? [`${foreign} judged by another interface or another set of requirements`] : []),
  ];
  const more = runs.length - SHOWN_RUNS;
  const isOpen = runs.some(({ fresh, tighter }) => fresh.length + tighter.length > 0);
  const check = kind === 'certificate' ? '; petspec verify checks its signature and its age' : '';
  return [
    page.style(
      'bold',
      `${visible(name)}, a ${kind}: ${counted(runs.length, 'conformant release')} by the older version`,
    ),
    ...runs.slice(0, SHOWN_RUNS).map((run) => runLine(run, page)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(notCompared.length > 0 ? [`  not compared: ${notCompared.join(', ')}`] : []),
    ...(isOpen
      ? [`  a ${kind} holds no exchanges: only a run by the newer version shows the rest${check}`]
      : []),
  ];
}

function runLine(
  { name, startedAt, of: total, met, broken, fresh, tighter, untested }: Covered,
  { style, width }: TextLayout,
): string {
  const words = [
    `met ${met} of these ${counted(total, 'requirement')}`,
    ...(fresh.length > 0 ? [`${fresh.length} ${fresh.length === 1 ? 'is' : 'are'} new`] : []),
    ...(tighter.length > 0
      ? [`${tighter.length} ${tighter.length === 1 ? 'asks' : 'ask'} for something else or more`]
      : []),
    ...(untested.length > 0
      ? [`${untested.length} ${untested.length === 1 ? 'was' : 'were'} not tested`]
      : []),
    ...(broken.length > 0
      ? [`violates ${broken.join(', ')}, which was good practice and is a must now`]
      : []),
  ];
  const line = `${name} (${startedAt.slice(0, 10)}): ${words.join('; ')}`;
  return paragraph(broken.length > 0 ? style('red', '  ✗ ') : '    ', visible(line), 4, width);
}

function baselineLines(
  { name, entries, ...effect }: EvidenceOf<'baseline'>,
  { style, width }: TextLayout,
): string[] {
  const lines = (selected: readonly BaselineEntry[], words: string, first = '    ') =>
    selected.map(({ requirement, line, lastLine }) =>
      paragraph(first, visible(`${requirement} (lines ${line} to ${lastLine}): ${words}`), 4, width),
    );
  const { unknown } = effect;
  return [
    style('bold', `${visible(name)}, a baseline: ${counted(entries, 'known violation')}`),
    ...lines(
      effect.void,
      'its requirement is gone, and petspec refuses a baseline that names it; delete the entry',
      style('red', '  ✗ '),
    ),
    ...lines(effect.looser, 'more is allowed now; the violation may be over'),
    ...lines(effect.tighter, 'more or something else is asked for; it may be violated in other ways'),
    ...(unknown.length > 0
      ? [
          `  a baseline holds no exchanges: whether its service keeps the ${counted(unknown.length, 'requirement')} that may break shows only a run`,
        ]
      : []),
  ];
}
