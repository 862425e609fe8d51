import { setTimeout as wait } from 'node:timers/promises';
import type { CallWhere, Change, Where } from '../../changes/change.ts';
import { delayed, onWire } from '../../changes/changes.ts';
import { bodyBytes, writeHead } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { BEYOND_THE_LIMIT } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const LATENCY = 'What the service does: how long a response may take is not said';
const PARALLEL = 'What the service does: the order of concurrent requests is not said';

/** Late in a minute, so that a window ends while a response is on its way. */
const LATE = '2026-11-21T12:00:57Z';

const all: Where = {};

/** Sends the head and half of the body at once, the rest later. */
function halting(ms: number): Change {
  return onWire(all, async (answer, call, { outgoing }) => {
    const bytes = bodyBytes(answer);
    writeHead(answer, outgoing);
    outgoing.write(bytes.subarray(0, bytes.length >> 1));
    await call.pause(ms);
    outgoing.end(bytes.subarray(bytes.length >> 1));
  });
}

/** Counts and executes at once but responds later, so that responses overtake each other. */
const overtaking: Change = {
  around: async (call, next) => {
    const answer = await next(call);
    await call.pause(((call.number * 7) % 4) * 20);
    return answer;
  },
};

/** While a request waits for earlier requests, time may pass: any of them may be slow. */
async function untilEnded(last: Promise<void>, { pause }: Call): Promise<void> {
  const turn = new AbortController();
  void last.then(() => turn.abort());
  await pause(Number.POSITIVE_INFINITY, turn.signal);
  await last;
}

/** One request at a time, like a service with a single worker. */
const queueing: Change = {
  around: (call, next) => {
    const queue = call.recall('queueing', () => ({ last: Promise.resolve() }));
    const answer = untilEnded(queue.last, call).then(async () => {
      await wait(1);
      return next(call);
    });
    queue.last = answer.then(
      () => {},
      () => {},
    );
    return answer;
  },
};

/** Counts, dates and executes at once but responds later, like a slow proxy. */
function handedOn(ms: number): Change {
  return {
    around: async (call, next) => {
      const answer = await next(call);
      await call.pause(ms);
      return answer;
    },
  };
}

const delays: readonly (readonly [name: string, what: string, ms: number, where: CallWhere])[] = [
  ['first', 'the first response', 9_000, { when: ({ number }) => number === 1 }],
  ['2s', 'every response', 2_000, all],
  ['9s', 'every response', 9_000, all],
  ['post', 'POST /pets', 8_000, { operation: 'createPet' }],
  ['fetch', 'GET /pets/{petId}', 4_000, { operation: 'getPet' }],
  ['orders', 'GET /store/orders', 9_900, { operation: 'getStoreOrders' }],
  ['messages', 'the message address', 9_000, { listener: 'messages' }],
  ['now-and-then', 'every tenth response', 9_000, { when: ({ number }) => number % 10 === 0 }],
];

const late = [
  ...delays.map(([name, what, ms, where]) =>
    variantOf(`slow-${name}`, `${what} takes ${ms / 1000} seconds`, LATENCY, delayed(where, ms)),
  ),
  ...allowedBy(LATENCY, {
    'slow-body': ['half of each body is sent a second later', halting(1_000)],
    'slow-proxy': ['a proxy delays each response by two seconds', handedOn(2_000)],
  }),
];

/** Services that are slower than the reference and conform. */
export const latencyVariants: readonly Variant[] = [
  ...late.map((variant) => ({
    ...variant,
    start: LATE,
    // At nine seconds a response, four at a time, a run cannot reach the limit of a minute.
    ...(variant.id === 'slow-9s' ? { untested: BEYOND_THE_LIMIT } : {}),
  })),
  ...allowedBy(PARALLEL, {
    overtaking: ['responses overtake each other', overtaking],
    queueing: ['one request is served at a time', queueing],
  }),
];
