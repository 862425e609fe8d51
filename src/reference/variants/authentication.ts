import type { Change } from '../changes/change.ts';
import {
  delayed,
  withAnotherHeader,
  withField,
  withHeader,
  withObject,
  withoutHeader,
} from '../changes/changes.ts';
import type { Where } from '../changes/where.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { type Variant, variantOf } from './variant.ts';

const REFUSAL = 'Authentication: "the service answers 401 with an Error body"; no challenge is mentioned';
const ANONYMOUS =
  'Rate limit headers: "The limit in force", but not which one for a request without a valid key';
const COVERAGE = 'Rate limits by plan: "Which endpoints the plan limits cover: not shown."';
const BAN =
  'Authentication: "A key that keeps sending requests after receiving 429 may be banned temporarily."';
const CHALLENGE = 'RFC 9110 section 11.6.1: one or more challenges, of any scheme';
const HOUR = 3600;

const refused: Where = { status: 401 };

/** A key that is sent while its window is closed is refused from then on. */
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

/** After three wrong keys in a minute, an address gets 429 for the rest of it; right keys are let in. */
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

/** Services that refuse a key otherwise than the reference and conform. */
export const authenticationVariants: readonly Variant[] = [
  variantOf(
    'challenge-absent',
    '401 comes without WWW-Authenticate',
    REFUSAL,
    withoutHeader(refused, 'WWW-Authenticate'),
  ),
  variantOf(
    'challenge-bare',
    'the challenge names the scheme alone, in lower case',
    CHALLENGE,
    withHeader(refused, 'WWW-Authenticate', 'bearer'),
  ),
  variantOf(
    'challenge-two',
    'two schemes are offered in one line',
    CHALLENGE,
    withHeader(
      refused,
      'WWW-Authenticate',
      'Basic realm="a, b", Bearer realm="animals", error="invalid_token"',
    ),
  ),
  variantOf(
    'challenge-two-lines',
    'two schemes are offered in two lines',
    CHALLENGE,
    withAnotherHeader(refused, 'WWW-Authenticate', 'Negotiate'),
  ),
  variantOf(
    'refusal-same-code',
    'a missing and a wrong key get the same code',
    'Errors: "The set of values of the `code` field: not shown."',
    withField(refused, 'code', 'AUTH'),
    withField(refused, 'message', 'Unauthorized'),
  ),
  variantOf(
    'refusal-zeroed',
    'a request without a valid key is told a limit of 0',
    ANONYMOUS,
    ...rateLimit('0', '0', '0'),
  ),
  variantOf(
    'refusal-own-limit',
    'a request without a valid key is told the limit of its address',
    ANONYMOUS,
    ...rateLimit('10', '9', (call) => String(Math.ceil(call.now / 1000) + HOUR)),
  ),
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
    'a wrong key is refused after three seconds',
    'What the service does: how long an answer takes is not said',
    delayed({ key: 'invalid' }, 3_000),
  ),
  variantOf(
    'refusal-throttled',
    'after three wrong keys in a minute further ones are answered 429',
    COVERAGE,
    throttling,
  ),
  variantOf(
    'refusal-closes',
    'the connection closes after a refusal',
    'RFC 9112 section 9.6',
    withHeader(refused, 'Connection', 'close'),
  ),
  variantOf('bans', 'a key that is sent while its window is closed is banned', BAN, banning),
];
