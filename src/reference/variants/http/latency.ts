import { setTimeout as wait } from 'node:timers/promises';
import type { Change } from '../../changes/change.ts';
import { delayed, onWire } from '../../changes/changes.ts';
import type { CallWhere, Where } from '../../changes/where.ts';
import { bodyBytes } from '../../http/answer.ts';
import { writeHead } from '../../http/send.ts';
import { type Variant, variantOf } from '../variant.ts';

const LATENCY = 'What the service does: how long an answer may take is not said';
const PARALLEL = 'What the service does: in which order concurrent requests are served is not said';

/** Late in a minute, so that a window ends while an answer is on its way. */
const LATE = '2026-11-21T12:00:57Z';

const all: Where = {};

/** Head and half of the body at once, the rest later. */
function halting(ms: number): Change {
  return onWire(all, async (answer, call, { outgoing }) => {
    const bytes = bodyBytes(answer);
    writeHead(answer, outgoing);
    outgoing.write(bytes.subarray(0, bytes.length >> 1));
    await call.pause(ms);
    outgoing.end(bytes.subarray(bytes.length >> 1));
  });
}

/** Counted and done at once, answered a while later, so that answers overtake each other. */
const overtaking: Change = {
  around: async (call, next) => {
    const answer = await next(call);
    await call.pause(((call.number * 7) % 4) * 20);
    return answer;
  },
};

/** One request at a time, as a service with a single worker has it. */
const queueing: Change = {
  around: (call, next) => {
    const queue = call.recall('queueing', () => ({ last: Promise.resolve() }));
    const answer = queue.last.then(async () => {
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

/** Counted, dated and done at once, handed on later, as by a slow proxy. */
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
  ['first', 'the first answer', 9_000, { when: ({ number }) => number === 1 }],
  ['2s', 'every answer', 2_000, all],
  ['9s', 'every answer', 9_000, all],
  ['post', 'adding', 8_000, { operation: 'createPet' }],
  ['fetch', 'fetching', 4_000, { operation: 'getPet' }],
  ['orders', 'listing the orders', 9_900, { operation: 'getStoreOrders' }],
  ['messages', 'the message address', 9_000, { listener: 'messages' }],
  ['now-and-then', 'every tenth answer', 9_000, { when: ({ number }) => number % 10 === 0 }],
];

const late = [
  ...delays.map(([name, what, ms, where]) =>
    variantOf(`slow-${name}`, `${what} takes ${ms / 1000} seconds`, LATENCY, delayed(where, ms)),
  ),
  variantOf('slow-body', 'half of a body comes a second later', LATENCY, halting(1_000)),
  variantOf('slow-proxy', 'an answer that is ready is handed on two seconds later', LATENCY, handedOn(2_000)),
];

/** At nine seconds an answer, four at a time, no minute's limit can be reached. */
const OUT_OF_REACH = [
  'TooManyRequests',
  'Retry-After',
  'Retry-After.schema',
  'rate-limit.early',
  'rate-limit.recovery',
];

/** Services that take their time otherwise than the reference and conform. */
export const latencyVariants: readonly Variant[] = [
  ...late.map((variant) => ({
    ...variant,
    start: LATE,
    ...(variant.id === 'slow-9s' ? { untested: OUT_OF_REACH } : {}),
  })),
  variantOf('overtaking', 'answers overtake each other', PARALLEL, overtaking),
  variantOf('queueing', 'one request is served at a time', PARALLEL, queueing),
];
