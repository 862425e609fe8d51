import { gzipSync } from 'node:zlib';
import type { Change } from '../changes/change.ts';
import { answering, chunked, onAnswer, onWire, withField, withObject } from '../changes/changes.ts';
import { appendHeaders, bodyBytes, errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { numbered } from '../variants/animals/fetching.ts';
import { refusing } from './refusals.ts';

/** What a scenario may depend on. */
export interface ScenarioSurroundings {
  /** How long a refusal lasts, usually and at its longest: ms, whole seconds. */
  waits: { short: number; long: number };
  /** An origin that is not the service's. */
  foreignOrigin: string;
}

/** A situation that a client meets: the reference, with something that happens to its clients. */
export interface Scenario {
  id: string;
  /** One line: what the client meets. */
  summary: string;
  changes: (surroundings: ScenarioSurroundings) => readonly Change[];
}

/** How long a refusal lasts unless somebody asks for other waits. */
export const WAITS: ScenarioSurroundings['waits'] = { short: 2_000, long: 35_000 };

/** Ids that no double can hold, that differ from each other by more than a double is off, and whose last 32 bits are no usual id. */
export const LARGE = 2n ** 60n + 1_518_370_817n;
const APART = 4_096n;

/** Compresses every body, if the client asks for gzip. */
const gzip: Change = onWire({}, (answer, call, _line, next) => {
  const isWanted = /\bgzip\b/i.test(call.headers['accept-encoding'] ?? '');
  if (!isWanted || answer.body === undefined) return next(answer);
  const coded = appendHeaders(answer, [['Content-Encoding', 'gzip']]);
  return next({ ...coded, body: gzipSync(bodyBytes(answer)) });
});

/** Only the first request with the key gets this answer. */
function first(status: number, code: string, message: string): Change {
  return onAnswer({ key: 'valid' }, (answer, call) => {
    const { number } = call.recall('first with the key', () => ({ number: call.number }));
    return number === call.number
      ? { ...errorAnswer(status, code, message), headers: answer.headers }
      : answer;
  });
}

/** Nobody's key is valid. */
const refusingKeys: Change = { request: (call: Call) => ({ ...call, key: 'invalid' }) };

/** The scenarios in the order in which a client is tried. */
export const scenarios: readonly Scenario[] = [
  { id: 'plain', summary: 'all is well', changes: () => [] },
  {
    id: 'large-ids',
    summary: 'the ids are beyond 2^53',
    changes: () => [
      numbered(
        (id) => LARGE + id * APART,
        (id) => (id - LARGE) / APART,
      ),
      withField({ operation: ['listPets', 'getPet'], status: 200 }, 'categoryId', () => LARGE),
    ],
  },
  {
    id: 'other-form',
    summary:
      'bodies have their fields in another order, and are sent in chunks, with gzip if the client accepts it',
    changes: () => [
      withObject({}, (object) => Object.fromEntries(Object.entries(object).reverse())),
      chunked({}),
      gzip,
    ],
  },
  {
    id: 'extra-fields',
    summary: 'responses have fields that the interface does not list',
    changes: () => [
      withObject({}, (object) => ({
        ...object,
        shelter: { id: 7n, tags: ['north'] },
        score: 0.5,
        note: null,
      })),
    ],
  },
  {
    id: 'unknown-status',
    summary: 'an accepted message has a status that the interface does not list',
    changes: () => [withField({ operation: 'sendMessage', status: 202 }, 'status', 'held-for-review')],
  },
  {
    id: 'retry-after-seconds',
    summary: 'the first request gets 429; Retry-After is a number of seconds',
    changes: ({ waits }) => [refusing({ closings: 1, wait: waits.short })],
  },
  {
    id: 'retry-after-date',
    summary: 'the first request gets 429; Retry-After is a date',
    changes: ({ waits }) => [refusing({ closings: 1, wait: waits.short + 1_000, retryAfter: 'http-date' })],
  },
  {
    id: 'window-closes',
    summary: 'the third request gets 429',
    changes: ({ waits }) => [refusing({ after: 2, closings: 1, wait: waits.short })],
  },
  {
    id: 'refused-again',
    summary: 'the first three requests get 429, each after the wait of the one before',
    changes: ({ waits }) => [refusing({ closings: 3, wait: waits.short })],
  },
  {
    id: 'long-wait',
    summary: 'the first request gets 429; Retry-After is 35 seconds',
    changes: ({ waits }) => [refusing({ closings: 1, wait: waits.long })],
  },
  {
    id: 'server-error',
    summary: 'the first request gets 500',
    changes: () => [first(500, 'internal', 'something went wrong')],
  },
  {
    id: 'key-refused',
    summary: 'the key is not valid: every request gets 401',
    changes: () => [refusingKeys],
  },
  {
    id: 'deprecated-gone',
    summary: 'the deprecated operation is gone',
    changes: () => [
      answering({ operation: 'getPet' }, () =>
        errorAnswer(404, 'not_found', 'nothing is found at this path'),
      ),
    ],
  },
  {
    id: 'redirect',
    summary: 'lists are redirected to another origin',
    changes: ({ foreignOrigin }) => [
      onAnswer({ operation: 'listPets', status: 200 }, (answer, call) => ({
        ...appendHeaders(answer, [['Location', `${foreignOrigin}${call.target}`]]),
        status: 307,
        body: undefined,
      })),
    ],
  },
];
