import type { RequirementChange } from '../../contract/changes/requirement-changes.ts';
import { counted } from '../../model/report/report.ts';
import { visible } from '../../model/visible.ts';
import type { Broken } from '../../recording/broken-by.ts';
import { brief } from '../../run/exchange-brief.ts';
import { renderExchangeLine } from './explain.ts';
import { paragraph, type Style } from './style.ts';

/** The changes between two versions of an interface, and what a recording shows of them. */
export interface InterfaceChanges {
  changes: readonly RequirementChange[];
  against?: { name: string; judged: number; broken: readonly Broken[] } | undefined;
}

/** Each kind of change: its heading, and what it asks of a service. */
const KINDS = {
  appears: 'New: a service has to keep these as well',
  tightens: 'Tighter: a service is allowed less',
  changes: 'Changed: a service has to keep something else, or the words differ',
  loosens: 'Looser: a service is allowed more, which a client may not expect',
  goes: 'Gone: nothing judges these any more',
} as const satisfies Readonly<Record<RequirementChange['change'], string>>;

/** The lines that `petspec diff` prints. */
export function renderInterfaceChanges(
  { changes, against }: InterfaceChanges,
  { style, width }: { style: Style; width: number },
): string {
  const listed = Object.entries(KINDS).flatMap(([kind, heading]) => {
    const own = changes.filter(({ change }) => change === kind);
    return own.length === 0
      ? []
      : ['', style('bold', `${heading} (${own.length})`), ...own.flatMap((each) => changeLines(each, width))];
  });
  const first =
    changes.length === 0
      ? 'No requirement differs'
      : `${counted(changes.length, 'requirement')} that ${changes.length === 1 ? 'differs' : 'differ'}`;
  return `${[first, ...listed, ...(against ? ['', ...brokenLines(against, style, width)] : [])].join('\n')}\n`;
}

function changeLines({ id, before, after }: RequirementChange, width: number): string[] {
  const now = after ?? before;
  if (!now) return [];
  const line = paragraph('  ', visible(`${now.level} ${id}: ${now.statement}`), 4, width);
  const isReworded =
    before && after && (before.statement !== after.statement || before.level !== after.level);
  if (!isReworded) return [line];
  return [line, paragraph('    before: ', visible(`${before.level}: ${before.statement}`), 6, width)];
}

function brokenLines(
  { name, judged, broken }: NonNullable<InterfaceChanges['against']>,
  style: Style,
  width: number,
): string[] {
  if (judged === 0)
    return [
      `Nothing of ${visible(name)} could be judged; petspec judge --interface <new> ${visible(name)} says why`,
    ];
  const what = `${counted(judged, 'exchange')} of ${visible(name)}`;
  if (broken.length === 0) return [`${what}: no requirement is violated that was not violated before`];
  return [
    style(
      'bold',
      `${what}: ${counted(broken.length, 'requirement')} violated that the older version does not find violated`,
    ),
    ...broken.flatMap(({ requirement, finding, exchanges }) => [
      paragraph(style('red', '  ✗ '), visible(`${requirement.id}: ${finding.reason}`), 4, width),
      ...exchanges.map((each) => `    ${renderExchangeLine(brief(each))}`),
    ]),
  ];
}
