import type { Change, Where } from '../changes/change.ts';
import {
  delayed,
  withAnotherHeader,
  withField,
  withHeader,
  withObject,
  withoutHeader,
} from '../changes/changes.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { COVERAGE } from './freedoms.ts';
import { allowedBy, type Variant, variantOf } from './variant.ts';

const REFUSAL = 'Authentication: "the service answers 401 with an Error body"; no challenge is required';
const ANONYMOUS = 'Rate limit headers: "The limit in force" does not say which one without a valid key';
const BAN =
  'Authentication: "A key that keeps sending requests after receiving 429 may be banned temporarily."';
const CHALLENGE = 'RFC 9110 section 11.6.1: one or more challenges, of any scheme';
const HOUR_S = 3600;

const refused: Where = { status: 401 };

/** Bans a key that sends a request before Retry-After is over. */
const banning: Change = {
  around: async (call, next) => {
    const state = call.recall('banning', () => ({ closedUntil: 0, isBanned: false }));
    if (call.key !== 'valid') return next(call);
    if (call.now < state.closedUntil) state.isBanned = true;
    if (state.isBanned) return errorAnswer(403, 'banned', 'this key is banned');
    const answer = await next(call);
    if (answer.status !== 429) return answer;
    const wait = answer.headers.find(([name]) => name === 'Retry-After')?.[1];
    state.closedUntil = call.now + Number(wait) * 1000;
    return answer;
  },
};

/** After three wrong keys in a minute, an address gets 429 for the rest of it, unless the key is right. */
const throttling: Change = {
  around: async (call, next) => {
    if (call.key === 'valid') return next(call);
    const tries = call.recall<number[]>('throttling', () => []);
    const recent = tries.filter((at) => at > call.now - 60_000);
    const answer = await next(call);
    if (recent.length < 3) {
      tries.push(call.now);
      return answer;
    }
    const wait = Math.ceil(((recent[0] ?? 0) + 60_000 - call.now) / 1000);
    const headers = answer.headers.filter(([name]) => !/^(?:content-type|www-)/i.test(name));
    const refusal = errorAnswer(429, 'too_many_attempts', 'too many wrong keys', [
      ['Retry-After', String(wait)],
    ]);
    return { ...refusal, headers: [...refusal.headers, ...headers] };
  },
};

function rateLimit(limit: string, remaining: string, reset: string | ((call: Call) => string)): Change[] {
  return [
    withHeader(refused, 'X-RateLimit-Limit', limit),
    withHeader(refused, 'X-RateLimit-Remaining', remaining),
    withHeader(refused, 'X-RateLimit-Reset', (_old, _answer, call) =>
      typeof reset === 'string' ? reset : reset(call),
    ),
  ];
}

/** Services that reject a key in another way than the reference and conform. */
export const authenticationVariants: readonly Variant[] = [
  variantOf(
    'challenge-absent',
    '401s have no WWW-Authenticate',
    REFUSAL,
    withoutHeader(refused, 'WWW-Authenticate'),
  ),
  ...allowedBy(CHALLENGE, {
    'challenge-bare': [
      'the challenge names only the scheme, in lower case',
      withHeader(refused, 'WWW-Authenticate', 'bearer'),
    ],
    'challenge-two': [
      'two schemes are offered in one line',
      withHeader(
        refused,
        'WWW-Authenticate',
        'Basic realm="a, b", Bearer realm="animals", error="invalid_token"',
      ),
    ],
    'challenge-two-lines': [
      'two schemes are offered in two lines',
      withAnotherHeader(refused, 'WWW-Authenticate', 'Negotiate'),
    ],
  }),
  variantOf(
    'refusal-same-code',
    'a missing and a wrong key get the same code',
    'Errors: "The set of values of the `code` field: not shown."',
    withField(refused, 'code', 'AUTH'),
    withField(refused, 'message', 'Unauthorized'),
  ),
  ...allowedBy(ANONYMOUS, {
    'refusal-zeroed': [
      'for a request without a valid key, the headers say a limit of 0',
      ...rateLimit('0', '0', '0'),
    ],
    'refusal-own-limit': [
      'for a request without a valid key, the headers describe the limit of the client address',
      ...rateLimit('10', '9', (call) => String(Math.ceil(call.now / 1000) + HOUR_S)),
    ],
  }),
  variantOf(
    'refusal-tells-more',
    'a 401 also tells what else is wrong with the request',
    REFUSAL,
    withObject(refused, (error, { bodyProblem, params }) => ({
      ...error,
      errors: [bodyProblem ?? `petId: ${params.petId ?? 'none'}`],
    })),
  ),
  variantOf(
    'refusal-slow',
    'a wrong key is rejected after three seconds',
    'What the service does: how long a response may take is not said',
    delayed({ key: 'invalid' }, 3_000),
  ),
  variantOf(
    'refusal-throttled',
    'after three wrong keys in a minute, further ones get 429',
    COVERAGE,
    throttling,
  ),
  variantOf(
    'refusal-closes',
    'the connection closes after a 401',
    'RFC 9112 section 9.6',
    withHeader(refused, 'Connection', 'close'),
  ),
  variantOf('bans', 'a key that is sent before Retry-After is over is banned', BAN, banning),
];
