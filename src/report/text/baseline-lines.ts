import { type BaselineEntryResult, type BaselineResult, counted } from '../../model/report/report.ts';

/** How the violations compare with a baseline, in lines: a summary, the known violations, and what to fix. */
export function baselineLines({ file, outcome, known, stale, unjudged, unknown }: BaselineResult): {
  head: string;
  known: string[];
  wrong: string[];
  unjudged: string[];
} {
  const heads = {
    exact:
      unjudged.length === 0
        ? `${known.length} known, exactly as in ${file}: exit status 0`
        : `${known.length} known, none that ${file} does not list; ${counted(unjudged.length, 'entry', 'entries')} not judged: exit status 0`,
    different: `different from ${file}`,
    incomplete: `as in ${file}, but not everything could be judged`,
  };
  const isChanged = (requirement: string) => unknown.includes(requirement);
  return {
    head: heads[outcome],
    known: known.map(({ requirement, comment }) => `${requirement}: ${comment}`),
    wrong: [
      ...unknown.map((requirement) =>
        stale.some((each) => each.requirement === requirement)
          ? `${requirement} is violated in another way than ${file} says`
          : `${requirement} is violated, but not in ${file}`,
      ),
      ...stale.map((entry) =>
        isChanged(entry.requirement)
          ? `${placeOf(file, entry)}: delete this entry of ${entry.requirement}, or write a new baseline`
          : `${placeOf(file, entry)}: delete this entry: ${entry.requirement} is no longer violated`,
      ),
    ],
    unjudged: unjudged.map((entry) => `${entry.requirement} (${placeOf(file, entry)})`),
  };
}

function placeOf(file: string, { line, lastLine }: BaselineEntryResult): string {
  return line === lastLine ? `${file} line ${line}` : `${file} lines ${line} to ${lastLine}`;
}
