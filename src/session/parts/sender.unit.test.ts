import { Duplex, PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { loadContract } from '../../contract/load.ts';
import { VirtualClock } from '../../model/clock.ts';
import type { Probe } from '../../model/probe.ts';
import { deriveProbes } from '../../probes/derive.ts';
import type { SessionOptions } from '../terms/types.ts';
import { openParts } from './parts.ts';

const START = Date.UTC(2026, 10, 21, 12);
const contract = loadContract();
const [probe] = deriveProbes(contract) as [Probe];

/** A refusal by the limit, for so many seconds. */
const refusal = (retryAfter: number) =>
  exchange({
    key: 'unknown',
    sentAt: START,
    receivedAt: START,
    response: { status: 429, headers: [], body: '' },
    rate: { retryAfter },
  });

/** The parts of a session after a refusal for ten seconds. What it sends is sent back to it, which is no HTTP. */
function afterRefusal(options: Partial<SessionOptions>) {
  const parts = openParts(contract, {
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: 'a-key',
    unknownKey: 'another-key',
    clock: new VirtualClock(START),
    timeout: 1_000,
    maxWait: 90,
    concurrency: 1,
    most: { withKey: 10, wrongKeys: 10, messages: 10, seconds: 600 },
    planned: 1,
    headers: [],
    ratePlans: {},
    exhaust: 'minute',
    isNotable: () => false,
    random: () => 1n,
    dial: () => new PassThrough(),
    ...options,
  });
  parts.learnt.restore(refusal(10));
  return parts;
}

test('whoever interrupts the wait before a request keeps it from being sent', async () => {
  const interruption = new AbortController();
  const { sender, unsent, budget, transports } = afterRefusal({
    signal: interruption.signal,
    onProgress: () => interruption.abort(),
  });
  expect(await sender.send(probe)).toBeUndefined();
  expect(unsent.all.map(({ kind }) => kind)).toEqual(['run-stopped']);
  expect(budget.left('withKey')).toBe(10);
  await transports.close();
});

test('a request waits for a refusal that comes while it waits for another one', async () => {
  let isRefusedAgain = false;
  const { sender, learnt, transports } = afterRefusal({
    onProgress: () => {
      if (!isRefusedAgain) learnt.restore(refusal(60));
      isRefusedAgain = true;
    },
  });
  const sent = await sender.send(probe);
  expect(sent?.sentAt).toBeGreaterThanOrEqual(START + 60_000);
  await transports.close();
});

test('not even what removes things after the end of a run is sent while a 429 forbids it', async () => {
  const { sender, budget, transports } = afterRefusal({ writes: true });
  await sender.sendAfterEnd(probe, 1_000);
  expect(budget.left('withKey')).toBe(10);
  await transports.close();
});

test('after the end of a run, an operation that timed out twice is asked no more', async () => {
  const clock = new VirtualClock(START + 60_000);
  const { signal } = new AbortController();
  const silent = () =>
    new Duplex({
      read() {},
      write(_chunk, _encoding, callback) {
        void clock.pause(Number.POSITIVE_INFINITY, signal);
        callback();
      },
    });
  const { sender, budget, learnt, transports } = afterRefusal({ writes: true, clock, dial: silent });
  for (let more = 0; more < 4; more += 1) await sender.sendAfterEnd(probe, 1_000);
  expect(learnt.exchanges.flatMap(({ failure }) => failure?.kind ?? [])).toEqual(['timeout', 'timeout']);
  expect(budget.left('withKey')).toBe(8);
  await transports.close();
});

test('a request that a closed connection lost is not sent again beyond what was announced', async () => {
  let requests = 0;
  const closing = () =>
    new Duplex({
      read() {},
      write(_chunk, _encoding, callback) {
        requests += 1;
        this.push(requests === 1 ? Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]') : null);
        callback();
      },
    });
  const clock = new VirtualClock(START + 60_000);
  const most = { withKey: 2, wrongKeys: 0, messages: 0, seconds: 600 };
  const { sender, transports } = afterRefusal({ clock, most, dial: closing });
  expect((await sender.send(probe))?.response?.status).toBe(200);
  expect((await sender.send(probe))?.failure?.kind).toBe('interrupted');
  expect(requests).toBe(2);
  await transports.close();
});
