import type { HintResult, Report } from '../../model/report/report.ts';
import { notACommand } from '../../model/visible.ts';
import { commandOf, type Folded, named } from '../consequences.ts';
import { paragraph } from './layout.ts';
import type { Style } from './style.ts';

/** The root cause of a report as text, with what is folded under it; then hints. Empty where there is neither. */
export function rootCauseText(
  { rootCause, hints = [] }: Report,
  folded: Folded | undefined,
  page: { style: Style; width: number },
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
          ...(folded === undefined ? [] : foldedLines(folded, width)),
        ];
  const lines = [...cause, ...hints.flatMap((hint) => hintLines(hint, page))];
  return lines.map((line) => `${line}\n`).join('');
}

function foldedLines(folded: Folded, width: number): string[] {
  const { violated, advised, untested, observed } = folded;
  const curl = commandOf(folded);
  const lines = [
    ['violated', violated],
    ['advised', advised],
    ['not tested', untested],
    ['observed', observed],
  ] as const;
  const folds = lines.filter(([, results]) => results.length > 0);
  return [
    ...(curl === undefined ? [] : ['  repeat it with', notACommand(`  ${curl}`)]),
    ...(folds.length === 0 ? [] : ['  what follows from it (--verbose shows it):']),
    ...folds.map(([words, results]) =>
      paragraph('    ', `${results.length} ${words}: ${named(results)}`, 6, width),
    ),
  ];
}

function hintLines(
  { text, command }: HintResult,
  { style, width }: { style: Style; width: number },
): string[] {
  return [
    paragraph('', `${style('bold', 'Hint')}: ${text}`, 2, width),
    ...(command === undefined ? [] : [notACommand(`  ${command}`)]),
  ];
}
