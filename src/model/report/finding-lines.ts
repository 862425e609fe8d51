import type { Finding } from '../finding.ts';
import type { NotSent } from './confirmation.ts';

/** Further occurrences are only counted. */
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

/** Why a finding was not sent again, in words; undefined if another sentence says that no command can show it. */
const BECAUSE: Readonly<Record<NotSent, string | undefined>> = {
  race: undefined,
  removed: undefined,
  limit: 'it takes another window of the limit',
  'now-and-then': 'it shows only now and then',
  'timed-out': 'requests of its operation timed out',
  'too-many-created': 'the run has created as much as it may',
  writes: 'it writes, and a run writes nothing twice',
  'no-room': 'the limit, or what the run announced, left no room for it',
};

/** The result of sending the requests of a finding again, in a few words with the exchanges; undefined if unknown. */
export function confirmationLine({
  confirmation,
  evidence,
}: Pick<Finding, 'confirmation' | 'evidence'>): string | undefined {
  switch (confirmation?.outcome) {
    case 'not-sent': {
      const why = BECAUSE[confirmation.because];
      return why && `not sent again: ${why}${named(evidence.slice(0, 1))}`;
    }
    case 'again':
      return `seen again${named(confirmation.exchanges)}`;
    case 'after':
      return `seen again, but only after what came before it${named(confirmation.exchanges)}`;
    case 'not-again':
      return `not seen again when it was tried once more${named(confirmation.exchanges)}`;
    default:
      return undefined;
  }
}

/** @param exchanges absent from reports of other versions */
function named(exchanges: readonly number[] = []): string {
  if (exchanges.length === 0) return '';
  return ` (exchange${exchanges.length === 1 ? '' : 's'} ${exchanges.join(', ')})`;
}
