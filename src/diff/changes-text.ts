import { counted } from '../model/report/report.ts';
import { visible } from '../model/visible.ts';
import { paragraph, type TextLayout } from '../report/text/style.ts';
import type { ClassifiedChange, InterfaceChanges } from './changes.ts';

/** Each kind of change: its heading for a service, and for its clients. */
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
 * The lines of what changes, one for each requirement.
 * @param day the day as which the newer version is read
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
      removed.map((each) => `${operation(each)}: removed from ${each.removal} on`),
    ),
    ...Object.entries(KINDS).flatMap(([kind, titles]) =>
      [service, clients].flatMap((all, index) =>
        part(
          titles[index] ?? '',
          all.filter(({ change }) => change === kind).map((each) => changeLines(each, width)),
        ),
      ),
    ),
  ];
}

function headline({ service, clients, gone, removed }: InterfaceChanges): string {
  const all = [...service, ...clients];
  const operations = gone.length + removed.length;
  if (all.length + operations === 0) return 'No requirement differs';
  const breaking = (of: readonly ClassifiedChange[]) => of.filter(({ breaks }) => breaks).length;
  const [services, requests] = [breaking(service), breaking(clients)];
  const words = [
    ...(all.length > 0
      ? [`${counted(all.length, 'requirement')} ${all.length === 1 ? 'differs' : 'differ'}`]
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
