import type { Finding } from '../finding.ts';
import type { NotSent } from './confirmation.ts';

/** Why it was not sent again, in words; nothing where another sentence says that no command can show it. */
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

/** What came of sending a finding again, in a few words, with the exchanges; undefined where nothing is known of it. */
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

/** @param exchanges absent from a report that another version wrote */
function named(exchanges: readonly number[] = []): string {
  if (exchanges.length === 0) return '';
  return ` (exchange${exchanges.length === 1 ? '' : 's'} ${exchanges.join(', ')})`;
}
