import type { BaselineEntryResult, BaselineResult } from '../../model/report/report.ts';

/** How violations compare with a baseline, a line each: first in short, then what is known, then what is to be done. */
export function baselineLines({ file, outcome, known, stale, unjudged, unknown }: BaselineResult): {
  head: string;
  known: string[];
  wrong: string[];
  unjudged: string[];
} {
  const heads = {
    exact: `${known.length} known, as ${file} has them: exit status 0`,
    different: `not those of ${file}`,
    incomplete: `those of ${file}, but not everything could be judged`,
  };
  const isChanged = (requirement: string) => unknown.includes(requirement);
  return {
    head: heads[outcome],
    known: known.map(({ requirement, comment }) => `${requirement}: ${comment}`),
    wrong: [
      ...unknown.map((requirement) =>
        stale.some((each) => each.requirement === requirement)
          ? `${requirement} is violated otherwise than ${file} knows`
          : `${requirement} is violated, and ${file} does not know it`,
      ),
      ...stale.map((entry) =>
        isChanged(entry.requirement)
          ? `${placeOf(file, entry)}: delete this entry of ${entry.requirement}, or write the baseline anew`
          : `${placeOf(file, entry)}: delete this entry, ${entry.requirement} is violated no longer`,
      ),
    ],
    unjudged: unjudged.map((entry) => `${entry.requirement} (${placeOf(file, entry)})`),
  };
}

function placeOf(file: string, { line, lastLine }: BaselineEntryResult): string {
  return line === lastLine ? `${file} line ${line}` : `${file} lines ${line} to ${lastLine}`;
}
