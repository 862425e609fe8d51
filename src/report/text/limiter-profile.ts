import { isTold, type ProfileStatement } from '../../judge/limiter/profile/statement.ts';
import { counted } from '../../model/report/report.ts';
import { visible } from '../../model/visible.ts';
import type { Profiled } from '../../run/limiter/profile-limiter.ts';
import { paragraph, type Style, type TextLayout } from './style.ts';

/** The headings of a profile, each with the statements under it that no earlier heading has. */
const HEADINGS: readonly (readonly [string, (about: string) => boolean])[] = [
  ['How it limits', (about) => ['kind', 'window', 'limit', 'scope'].includes(about)],
  ['What counts', (about) => about.startsWith('cost ')],
  ['What its headers mean', () => true],
];

/** The names of statements in the text. */
const NAMES: Readonly<Record<string, string>> = {
  'cost wrong-key': 'wrong key',
  'cost head': 'HEAD',
  'reset form': 'Reset',
  'reset meaning': 'Reset',
  'retry-after': 'Retry-After',
  'retry-after holds': 'Retry-After',
};

const INDENT = 15;

/** Exchanges that are named as evidence of a statement. */
const MOST_NAMED = 4;

/** The lines that `petspec limiter` prints. */
export function renderProfile(
  baseUrl: string,
  { profile, exchanges, endedBy }: Profiled,
  { style, width }: TextLayout,
): string {
  let remaining = profile.statements;
  const sections = HEADINGS.flatMap(([heading, isUnder]) => {
    const statements = remaining.filter(({ about }) => isUnder(about));
    remaining = remaining.filter(({ about }) => !isUnder(about));
    return statements.length === 0
      ? []
      : [
          '',
          style('bold', heading),
          ...statements.flatMap((statement) => statementLines(statement, style, width)),
        ];
  });
  const lines = [
    `The limiter of ${visible(baseUrl)}, by ${counted(exchanges.length, 'read')} (#1, #2 ... are their numbers)`,
    ...sections,
    ...(profile.isReached
      ? []
      : ['', 'The limit was not reached, so nothing shows whether the headers are right about it']),
    ...(endedBy === undefined ? [] : ['', visible(`It ended early: ${endedBy}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function statementLines(statement: ProfileStatement, style: Style, width: number): string[] {
  const { about, text, shownBy, ruledOut = [] } = statement;
  const name = NAMES[about] ?? about.replace(/^cost /, '');
  const named = shownBy.slice(0, MOST_NAMED).map((id) => `#${id}`);
  const proof = named.length === 0 ? '' : ` (${named.join(', ')})`;
  const first = `  ${visible(name).padEnd(INDENT - 3)} `;
  const line = paragraph(first, `${visible(text)}${proof}`, INDENT, width);
  return [
    isTold(statement) ? line : style('dim', line),
    ...ruledOut.map(({ model, exchange, because }) =>
      paragraph(`${' '.repeat(INDENT)}- `, `not a ${model}: #${exchange}: ${because}`, INDENT + 2, width),
    ),
  ];
}
