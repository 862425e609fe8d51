import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { contract, probeNamed } from '../../../test/exchanges/exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import { hasEndedBefore, isLater, isTogether, type Judged } from './judged.ts';

const probe = probeNamed('listPets:plain');
const [operation] = contract.operations.filter(({ id }) => id === probe.operation);

/** An exchange that was answered. What it says makes no difference here. */
function judged(change: Partial<Exchange>): Judged {
  if (!operation) throw new Error(`no operation ${probe.operation}`);
  const own = exchange({ inFlight: 1, ...change });
  return {
    exchange: own,
    probe,
    operation,
    outcome: 'answered',
    isSound: true,
    met: [],
    deviations: [],
    hidden: [],
  };
}

const earlier: Partial<Exchange> = { id: 1, stage: 'read', sentAt: 10, receivedAt: 20 };

test.each<[what: string, change: Partial<Exchange>, before: Partial<Exchange>, isLater: boolean]>([
  ['of a later stage', { stage: 'exhaust', sentAt: 20 }, earlier, true],
  ['of a later stage, and sent before the other ended', { stage: 'exhaust', sentAt: 19 }, earlier, false],
  ['of a later stage, with a lower number', { stage: 'exhaust', sentAt: 20, id: 0 }, earlier, false],
  ['of the same stage', { stage: 'read', sentAt: 99 }, earlier, false],
  ['of an earlier stage', { stage: 'create', sentAt: 99 }, earlier, false],
  [
    'of others, as the other one is',
    { recorded: 'traffic', stage: 'list', sentAt: 21 },
    { ...earlier, recorded: 'traffic' },
    true,
  ],
  [
    'of others, in the same millisecond',
    { recorded: 'traffic', stage: 'list', sentAt: 20 },
    { ...earlier, recorded: 'traffic' },
    false,
  ],
  [
    'of others, and the other one of the run',
    { recorded: 'traffic', stage: 'read', sentAt: 21 },
    earlier,
    false,
  ],
])('whether a request came later: %s', (_what, change, before, expected) => {
  expect(isLater(judged({ id: 2, receivedAt: 100, ...change }), judged(before))).toBe(expected);
});

test.each<[what: string, change: Partial<Exchange>, hasEnded: boolean]>([
  ['alone', { id: 2, sentAt: 20, inFlight: 1 }, true],
  ['beside the other', { id: 2, sentAt: 20, inFlight: 2 }, false],
  ['beside one that was sent in between', { id: 3, sentAt: 20, inFlight: 2 }, true],
  ['before the response', { id: 2, sentAt: 19, inFlight: 1 }, false],
])('whether a request had ended when another was sent: %s', (_what, change, expected) => {
  expect(hasEndedBefore(judged(earlier), judged(change))).toBe(expected);
});

test.each<[sentAt: number, receivedAt: number, isTogether: boolean]>([
  [0, 10, false],
  [0, 11, true],
  [19, 30, true],
  [20, 30, false],
])(
  'whether a request from %i to %i ms was under way with one from 10 to 20 ms',
  (sentAt, receivedAt, expected) => {
    expect(isTogether(judged({ sentAt, receivedAt }), judged(earlier))).toBe(expected);
  },
);
