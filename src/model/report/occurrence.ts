import type { Finding } from '../finding.ts';

/** More of them are only counted. */
const MAX_NAMED = 4;

/** A finding in one line: where it occurs, and its reason. */
export function lineOf(finding: Pick<Finding, 'reason' | 'occurrences'>): string {
  const where = occurrenceLine(finding);
  return where === undefined ? finding.reason : `${where}: ${finding.reason}`;
}

/** Where a problem occurs, in one line: `POST /pets -> 201, 1 of 9; GET /pets -> 200, 3 of 12`. */
export function occurrenceLine({ occurrences = [] }: Pick<Finding, 'occurrences'>): string | undefined {
  if (occurrences.length === 0) return undefined;
  const named = occurrences
    .slice(0, MAX_NAMED)
    .map(
      ({ request, status, failure, deviating, of }) =>
        `${request} -> ${status ?? failure ?? 'no response'}, ${deviating} of ${of}`,
    );
  const more = occurrences.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
