import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { loadContract } from '../../contract/load.ts';
import { VirtualClock } from '../../model/clock.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { SessionOptions } from '../terms/types.ts';
import { openParts } from './parts.ts';

const START = Date.UTC(2026, 10, 21, 12);

function listed(id: number, change: Partial<Exchange> = {}): Exchange {
  return exchange({
    id,
    probe: `listPets:${id}`,
    stage: 'read',
    url: 'http://127.0.0.1:9/v1/pets',
    sentAt: START,
    receivedAt: START,
    response: { status: 200, headers: [], body: '[]' },
    ...change,
  });
}

/** What is left of ten requests of each kind after an earlier part of the run. */
async function leftAfter(restored: readonly Exchange[]): Promise<SessionOptions['most']> {
  const most = { withKey: 10, wrongKeys: 10, messages: 10, seconds: 60 };
  const { budget, transports } = openParts(loadContract(), {
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'a-key',
    unknownKey: 'another-key',
    clock: new VirtualClock(START),
    timeout: 1_000,
    maxWait: 1,
    concurrency: 1,
    most,
    planned: 1,
    headers: [],
    ratePlans: {},
    exhaust: 'minute',
    isNotable: () => false,
    random: () => 1n,
    restored,
  });
  await transports.close();
  return {
    ...most,
    withKey: budget.left('withKey'),
    wrongKeys: budget.left('wrongKeys'),
    messages: budget.left('messages'),
  };
}

test('a resumed run may send what the part before it left of the budget', async () => {
  const restored = [
    listed(1),
    listed(2, { key: 'absent' }),
    listed(3),
    listed(4, { operation: 'sendMessage', address: 'apiUrl', method: 'POST' }),
  ];
  expect(await leftAfter(restored)).toMatchObject({ withKey: 8, wrongKeys: 9, messages: 9 });
});

test('a restored exchange that was sent twice counts twice', async () => {
  const restored = [listed(1, { isRepeated: true }), listed(2)];
  expect(await leftAfter(restored)).toMatchObject({ withKey: 7, wrongKeys: 10, messages: 10 });
});
