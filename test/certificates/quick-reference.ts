import { realClock } from '../../src/model/clock.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { type Reference, startReference } from '../../src/reference/index.ts';

/** A service in real time whose limit is used up and comes back within a second or two. */
export function quickReference(apiKey: string, fault?: string): Promise<Reference> {
  return startReference({
    clock: realClock,
    apiKey,
    plan: { minute: 120, day: 5_000 },
    settings: { limiter: { algorithm: 'token-bucket' } },
    changes: faults.filter(({ id }) => id === fault),
  });
}
