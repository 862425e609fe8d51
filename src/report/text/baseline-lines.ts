import { type BaselineEntryResult, type BaselineResult, counted } from '../../model/report/report.ts';

/** How the violations compare with a baseline, in lines: a summary, the known violations, what to fix, and what this run does not tell. */
export function baselineLines({ file, outcome, known, stale, unjudged, unknown }: BaselineResult): {
  head: string;
  known: string[];
  wrong: string[];
  unjudged: string[];
} {
  const waived = known.filter((each) => each.waived !== undefined).length;
  const count = waived === 0 ? `${known.length} known` : `${known.length} known (${waived} waived)`;
  const unseen =
    unjudged.length === 0 ? '' : `; ${counted(unjudged.length, 'entry', 'entries')} not seen in this run`;
  const heads = {
    exact: `${count}, none that ${file} does not list${unseen}: exit status 0`,
    different: `different from ${file}`,
    incomplete: `as in ${file}, but not everything could be judged`,
  };
  const isElsewhere = (id: string) => stale.some(({ requirement }) => requirement === id);
  return {
    head: heads[outcome],
    known: known.map(({ requirement, comment, waived: reason }) =>
      reason === undefined ? `known: ${requirement}: ${comment}` : `waived: ${requirement}: ${reason}`,
    ),
    wrong: [
      ...unknown.filter((id) => !isElsewhere(id)).map((id) => `${id} is violated, but not in ${file}`),
      ...stale.map((entry) =>
        unknown.includes(entry.requirement)
          ? `${entry.requirement} is violated in another way than ${placeOf(file, entry)} says; fix it, or write a new baseline`
          : `${placeOf(file, entry)}: delete this entry: ${entry.requirement} is no longer violated`,
      ),
    ],
    unjudged:
      unjudged.length === 0
        ? []
        : [
            `not seen in this run, which may not show it: ${unjudged.map((entry) => `${entry.requirement} (${placeOf(file, entry)})`).join(', ')}`,
          ],
  };
}

function placeOf(file: string, { line, lastLine }: BaselineEntryResult): string {
  return line === lastLine ? `${file} line ${line}` : `${file} lines ${line} to ${lastLine}`;
}
