import {
  combined,
  onAnswer,
  withAnotherHeader,
  withHeader,
  withHeaderNames,
  withoutHeader,
} from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { limiting, listing } from '../mistakes.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';
const RESET = 'X-RateLimit-Reset';

const orders = { operation: 'getStoreOrders' } as const;
const messages = { listener: 'messages' } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;
const notFound = { operation: 'getPet', status: 404 } as const;
const invalid = { operation: 'createPet', status: 400 } as const;
const keyless = { status: 401 } as const;

const date = (seconds: string | undefined) => new Date(Number(seconds) * 1000);

/** The three X-RateLimit headers, absent or malformed on some responses. */
export const headerFaults: readonly Fault[] = [
  {
    id: 'header-limit-missing-401',
    summary: 'a 401 has no X-RateLimit-Limit',
    violates: [LIMIT],
    ...withoutHeader(keyless, LIMIT),
  },
  {
    id: 'header-limit-missing-orders',
    summary: 'GET /store/orders has no X-RateLimit-Limit',
    violates: [LIMIT],
    ...withoutHeader({ ...orders, status: 200 }, LIMIT),
  },
  {
    id: 'header-limit-renamed-404',
    summary: 'a 404 has RateLimit-Limit, the name in the IETF draft, instead of X-RateLimit-Limit',
    violates: [LIMIT],
    ...withHeaderNames(notFound, (name) => (name === LIMIT ? 'RateLimit-Limit' : name)),
  },
  {
    id: 'header-none-404',
    summary: 'a 404 bypasses the code that adds the X-RateLimit headers',
    violates: [LIMIT],
    ...combined(
      withoutHeader(notFound, LIMIT),
      withoutHeader(notFound, REMAINING),
      withoutHeader(notFound, RESET),
    ),
  },
  {
    id: 'header-remaining-missing-message',
    summary: 'the message address has no X-RateLimit-Remaining',
    violates: [REMAINING],
    ...withoutHeader(messages, REMAINING),
  },
  {
    id: 'header-remaining-missing-400',
    summary: 'a 400 has no X-RateLimit-Remaining',
    violates: [REMAINING],
    ...withoutHeader(invalid, REMAINING),
  },
  {
    id: 'header-remaining-missing-page',
    summary: 'a list with limit=3 has no X-RateLimit-Remaining',
    violates: [REMAINING],
    ...withoutHeader({ ...listing('limit', '3'), status: 200 }, REMAINING),
  },
  {
    id: 'header-reset-missing-created',
    summary: 'the response to an addition has no X-RateLimit-Reset',
    violates: [RESET],
    ...withoutHeader(created, RESET),
  },
  {
    id: 'header-reset-missing-refused-query',
    summary: 'a rejected list request gets no X-RateLimit-Reset',
    violates: [RESET],
    ...withoutHeader({ operation: 'listPets', status: 400 }, RESET),
  },
  {
    id: 'header-reset-missing-limit-text',
    summary: 'the error for a limit that is not a number has no X-RateLimit-Reset',
    violates: [RESET],
    ...withoutHeader({ ...limiting(Number.isNaN), status: 400 }, RESET),
  },
  {
    id: 'header-reset-missing-401-message',
    summary: 'a 401 of the message address has no X-RateLimit-Reset',
    violates: [RESET],
    ...withoutHeader({ ...keyless, ...messages }, RESET),
  },
  {
    id: 'header-limit-policy',
    summary: 'X-RateLimit-Limit of a fetched animal includes the window: 60;w=60',
    violates: [`${LIMIT}.schema`],
    ...withHeader(fetched, LIMIT, (old) => `${old};w=60`),
  },
  {
    id: 'header-limit-unlimited',
    summary: 'X-RateLimit-Limit of GET /store/orders is "unlimited"',
    violates: [`${LIMIT}.schema`],
    ...withHeader(orders, LIMIT, 'unlimited'),
  },
  {
    id: 'header-limit-twice-401',
    summary: 'a 401 passes two limiters: it has two X-RateLimit-Limit headers with different values',
    violates: [`${LIMIT}.schema`],
    ...withAnotherHeader(keyless, LIMIT, '1000'),
  },
  {
    id: 'header-remaining-negative',
    summary: 'X-RateLimit-Remaining of a 401 is -1',
    violates: [`${REMAINING}.schema`],
    ...withHeader(keyless, REMAINING, '-1'),
  },
  {
    id: 'header-remaining-fraction',
    summary: 'X-RateLimit-Remaining of a filtered list has a fraction',
    violates: [`${REMAINING}.schema`],
    ...withHeader({ ...listing('status'), status: 200 }, REMAINING, (old) => `${old}.5`),
  },
  {
    id: 'header-remaining-empty',
    summary: 'X-RateLimit-Remaining of an accepted message is empty',
    violates: [`${REMAINING}.schema`],
    ...withHeader({ ...messages, status: 202 }, REMAINING, ''),
  },
  {
    id: 'header-reset-iso',
    summary: 'X-RateLimit-Reset of a 404 is an ISO 8601 date',
    violates: [`${RESET}.schema`],
    ...withHeader(notFound, RESET, (old) => date(old).toISOString()),
  },
  {
    id: 'header-reset-http-date',
    summary: 'X-RateLimit-Reset of the message address is an HTTP-date',
    violates: [`${RESET}.schema`],
    ...withHeader(messages, RESET, (old) => date(old).toUTCString()),
  },
  {
    id: 'header-reset-fraction',
    summary: 'X-RateLimit-Reset of an added animal has a fraction of a second',
    violates: [`${RESET}.schema`],
    ...withHeader(created, RESET, (old) => `${old}.123`),
  },
];

const LIMIT_FORM = `${LIMIT}.schema`;
const REMAINING_FORM = `${REMAINING}.schema`;
const RESET_FORM = `${RESET}.schema`;

const DAY_MS = 86_400_000;

const refused = { status: 429 } as const;
const accepted = { listener: 'messages', status: 202 } as const;

/** Lists in a window after the limit was exceeded. */
const reopened = {
  status: 200,
  when: ({ log }: Call) => log.some(({ status }) => status === 429),
} as const;

/** Limit, Remaining and Reset absent or malformed, mostly at the limit and after it. */
export const limiterHeaderFaults: readonly Fault[] = [
  {
    id: 'limit-absent-429',
    summary: 'a 429 has no X-RateLimit-Limit',
    violates: [LIMIT],
    ...withoutHeader(refused, LIMIT),
  },
  {
    id: 'limit-absent-message',
    summary: 'an accepted message has no X-RateLimit-Limit',
    violates: [LIMIT],
    ...withoutHeader(accepted, LIMIT),
  },
  {
    id: 'remaining-absent-429',
    summary: 'a 429 has no X-RateLimit-Remaining',
    violates: [REMAINING],
    ...withoutHeader(refused, REMAINING),
  },
  {
    id: 'remaining-absent-at-zero',
    summary: 'X-RateLimit-Remaining is left out when it is 0',
    violates: [REMAINING],
    ...onAnswer({}, ({ headers, ...rest }) => ({
      ...rest,
      headers: headers.filter(([name, value]) => name !== REMAINING || value !== '0'),
    })),
  },
  {
    id: 'reset-renamed-429',
    summary: 'a 429 has RateLimit-Reset instead of X-RateLimit-Reset',
    violates: [RESET],
    ...withHeaderNames(refused, (name) => (name === RESET ? 'RateLimit-Reset' : name)),
  },
  {
    id: 'reset-absent-reopened',
    summary: 'after the limit is exceeded, responses never carry X-RateLimit-Reset again',
    violates: [RESET],
    ...withoutHeader(reopened, RESET),
  },
  {
    id: 'limit-hexadecimal',
    summary: 'X-RateLimit-Limit is hexadecimal',
    violates: [LIMIT_FORM],
    ...withHeader({}, LIMIT, (old) => `0x${Number(old).toString(16)}`),
  },
  {
    id: 'limit-grouped',
    summary: 'X-RateLimit-Limit is that of the day and has a thousands separator: 1,000',
    violates: [LIMIT_FORM],
    settings: { limiter: { describes: 'day' } },
    ...withHeader({}, LIMIT, (old) => Number(old).toLocaleString('en')),
  },
  {
    id: 'limit-sentence-429',
    summary: 'X-RateLimit-Limit of a 429 is "60 requests per minute"',
    violates: [LIMIT_FORM],
    ...withHeader(refused, LIMIT, (old) => `${old} requests per minute`),
  },
  {
    id: 'limit-negative-orders',
    summary: 'X-RateLimit-Limit of GET /store/orders is -1, meaning unlimited',
    violates: [LIMIT_FORM],
    ...withHeader(orders, LIMIT, '-1'),
  },
  {
    id: 'limit-twice-reopened',
    summary: 'after a 429, responses have two X-RateLimit-Limit headers with different values',
    violates: [LIMIT_FORM],
    ...withAnotherHeader(reopened, LIMIT, '42'),
  },
  {
    id: 'remaining-plus',
    summary: 'X-RateLimit-Remaining has a plus sign',
    violates: [REMAINING_FORM],
    ...withHeader({}, REMAINING, (old) => `+${old}`),
  },
  {
    id: 'remaining-float',
    summary: 'X-RateLimit-Remaining is a floating-point number',
    violates: [REMAINING_FORM],
    ...withHeader({}, REMAINING, (old) => `${old}.0`),
  },
  {
    id: 'remaining-negative-429',
    summary: 'X-RateLimit-Remaining of a 429 is -1: rejected requests are counted too',
    violates: [REMAINING_FORM],
    ...withHeader(refused, REMAINING, '-1'),
  },
  {
    id: 'remaining-word-429',
    summary: 'X-RateLimit-Remaining of a 429 is "none"',
    violates: [REMAINING_FORM],
    ...withHeader(refused, REMAINING, 'none'),
  },
  {
    id: 'remaining-empty-at-zero',
    summary: 'X-RateLimit-Remaining is empty when it is 0',
    violates: [REMAINING_FORM],
    ...withHeader({}, REMAINING, (old) => (old === '0' ? '' : (old ?? ''))),
  },
  {
    id: 'remaining-twice-created',
    summary: 'responses to additions have two X-RateLimit-Remaining headers: for the minute and for the day',
    violates: [REMAINING_FORM],
    ...withAnotherHeader(created, REMAINING, '940'),
  },
  {
    id: 'reset-date',
    summary: 'X-RateLimit-Reset is an HTTP-date',
    violates: [RESET_FORM],
    ...withHeader({}, RESET, (old) => new Date(Number(old) * 1000).toUTCString()),
  },
  {
    id: 'reset-float-429',
    summary: 'X-RateLimit-Reset of a 429 is a floating-point number',
    violates: [RESET_FORM],
    ...withHeader(refused, RESET, (old) => `${old}.0`),
  },
  {
    id: 'reset-scientific-message',
    summary: 'X-RateLimit-Reset of an accepted message is written 1.79e+9',
    violates: [RESET_FORM],
    ...withHeader(accepted, RESET, (old) => Number(old).toExponential(5)),
  },
  {
    id: 'reset-twice-429',
    summary: 'a 429 has two X-RateLimit-Reset headers: for the minute and for the day',
    violates: [RESET_FORM],
    ...onAnswer(refused, (answer, call) => ({
      ...answer,
      headers: [...answer.headers, [RESET, String(Math.ceil((call.now + DAY_MS) / 1000))]],
    })),
  },
];
