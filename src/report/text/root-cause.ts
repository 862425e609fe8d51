import type { HintResult, Report } from '../../model/report/report.ts';
import { notACommand } from '../../model/visible.ts';
import { type Consequences, commandOf, named } from '../consequences.ts';
import { paragraph, type TextLayout } from './style.ts';

/** The root cause of a report as text with its consequences, then hints. Empty if the report has neither. */
export function rootCauseText(
  { rootCause, hints = [] }: Report,
  consequences: Consequences | undefined,
  page: TextLayout,
): string {
  const { style, width } = page;
  const cause =
    rootCause === undefined
      ? []
      : [
          paragraph('', `${style('red', style('bold', 'Root cause'))}: ${rootCause.statement}`, 2, width),
          ...(rootCause.firstLine === undefined
            ? []
            : [paragraph('  first line  ', rootCause.firstLine, 14, width)]),
          ...(consequences === undefined ? [] : consequenceLines(consequences, width)),
        ];
  const lines = [...cause, ...hints.flatMap((hint) => hintLines(hint, page))];
  return lines.map((line) => `${line}\n`).join('');
}

function consequenceLines(consequences: Consequences, width: number): string[] {
  const { violated, advisories, untested, observed } = consequences;
  const curl = commandOf(consequences);
  const lines = [
    ['violated', violated],
    [advisories.length === 1 ? 'advisory' : 'advisories', advisories],
    ['not tested', untested],
    ['observed', observed],
  ] as const;
  const shown = lines.filter(([, results]) => results.length > 0);
  return [
    ...(curl === undefined ? [] : ['  reproduce with:', notACommand(`  ${curl}`)]),
    ...(shown.length === 0 ? [] : ['  consequences (--verbose shows them):']),
    ...shown.map(([words, results]) =>
      paragraph('    ', `${results.length} ${words}: ${named(results)}`, 6, width),
    ),
  ];
}

function hintLines({ text, command }: HintResult, { style, width }: TextLayout): string[] {
  return [
    paragraph('', `${style('bold', 'Hint')}: ${text}`, 2, width),
    ...(command === undefined ? [] : [notACommand(`  ${command}`)]),
  ];
}
