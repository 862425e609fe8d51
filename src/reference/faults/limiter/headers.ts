import {
  combined,
  onAnswer,
  withAnotherHeader,
  withHeader,
  withHeaderNames,
  withoutHeader,
} from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { type Fault, violating } from '../fault.ts';
import {
  CREATED,
  FETCHED,
  INVALID,
  limiting,
  listing,
  NOT_FOUND,
  ORDERS,
  OVER_LIMIT,
  UNAUTHORIZED,
} from '../requests.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';
const RESET = 'X-RateLimit-Reset';

const LIMIT_FORM = `${LIMIT}.schema`;
const REMAINING_FORM = `${REMAINING}.schema`;
const RESET_FORM = `${RESET}.schema`;

const messages = { listener: 'messages' } as const;

const date = (seconds: string | undefined) => new Date(Number(seconds) * 1000);

/** The three X-RateLimit headers, absent or malformed on some responses. */
export const headerFaults: readonly Fault[] = [
  ...violating(LIMIT, {
    'header-limit-missing-401': ['a 401 has no X-RateLimit-Limit', withoutHeader(UNAUTHORIZED, LIMIT)],
    'header-limit-missing-orders': [
      'GET /store/orders has no X-RateLimit-Limit',
      withoutHeader({ ...ORDERS, status: 200 }, LIMIT),
    ],
    'header-limit-renamed-404': [
      'a 404 has RateLimit-Limit, the name in the IETF draft, instead of X-RateLimit-Limit',
      withHeaderNames(NOT_FOUND, (name) => (name === LIMIT ? 'RateLimit-Limit' : name)),
    ],
    'header-none-404': [
      'a 404 bypasses the code that adds the X-RateLimit headers',
      combined(
        withoutHeader(NOT_FOUND, LIMIT),
        withoutHeader(NOT_FOUND, REMAINING),
        withoutHeader(NOT_FOUND, RESET),
      ),
    ],
  }),
  ...violating(REMAINING, {
    'header-remaining-missing-message': [
      'the message address has no X-RateLimit-Remaining',
      withoutHeader(messages, REMAINING),
    ],
    'header-remaining-missing-400': ['a 400 has no X-RateLimit-Remaining', withoutHeader(INVALID, REMAINING)],
    'header-remaining-missing-page': [
      'a list with limit=3 has no X-RateLimit-Remaining',
      withoutHeader({ ...listing('limit', '3'), status: 200 }, REMAINING),
    ],
  }),
  ...violating(RESET, {
    'header-reset-missing-created': [
      'the response to an addition has no X-RateLimit-Reset',
      withoutHeader(CREATED, RESET),
    ],
    'header-reset-missing-refused-query': [
      'a rejected list request gets no X-RateLimit-Reset',
      withoutHeader({ operation: 'listPets', status: 400 }, RESET),
    ],
    'header-reset-missing-limit-text': [
      'the error for a limit that is not a number has no X-RateLimit-Reset',
      withoutHeader({ ...limiting(Number.isNaN), status: 400 }, RESET),
    ],
    'header-reset-missing-401-message': [
      'a 401 of the message address has no X-RateLimit-Reset',
      withoutHeader({ ...UNAUTHORIZED, ...messages }, RESET),
    ],
  }),
  ...violating(LIMIT_FORM, {
    'header-limit-policy': [
      'X-RateLimit-Limit of a fetched animal includes the window: 60;w=60',
      withHeader(FETCHED, LIMIT, (old) => `${old};w=60`),
    ],
    'header-limit-unlimited': [
      'X-RateLimit-Limit of GET /store/orders is "unlimited"',
      withHeader(ORDERS, LIMIT, 'unlimited'),
    ],
    'header-limit-twice-401': [
      'a 401 passes two limiters: it has two X-RateLimit-Limit headers with different values',
      withAnotherHeader(UNAUTHORIZED, LIMIT, '1000'),
    ],
  }),
  ...violating(REMAINING_FORM, {
    'header-remaining-negative': [
      'X-RateLimit-Remaining of a 401 is -1',
      withHeader(UNAUTHORIZED, REMAINING, '-1'),
    ],
    'header-remaining-fraction': [
      'X-RateLimit-Remaining of a filtered list has a fraction',
      withHeader({ ...listing('status'), status: 200 }, REMAINING, (old) => `${old}.5`),
    ],
    'header-remaining-empty': [
      'X-RateLimit-Remaining of an accepted message is empty',
      withHeader({ ...messages, status: 202 }, REMAINING, ''),
    ],
  }),
  ...violating(RESET_FORM, {
    'header-reset-iso': [
      'X-RateLimit-Reset of a 404 is an ISO 8601 date',
      withHeader(NOT_FOUND, RESET, (old) => date(old).toISOString()),
    ],
    'header-reset-http-date': [
      'X-RateLimit-Reset of the message address is an HTTP-date',
      withHeader(messages, RESET, (old) => date(old).toUTCString()),
    ],
    'header-reset-fraction': [
      'X-RateLimit-Reset of an added animal has a fraction of a second',
      withHeader(CREATED, RESET, (old) => `${old}.123`),
    ],
  }),
];

const DAY_MS = 86_400_000;

const accepted = { listener: 'messages', status: 202 } as const;

/** Lists in a window after the limit was exceeded. */
const reopened = {
  status: 200,
  when: ({ log }: Call) => log.some(({ status }) => status === 429),
} as const;

/** Limit, Remaining and Reset absent or malformed, mostly at the limit and after it. */
export const limiterHeaderFaults: readonly Fault[] = [
  ...violating(LIMIT, {
    'limit-absent-429': ['a 429 has no X-RateLimit-Limit', withoutHeader(OVER_LIMIT, LIMIT)],
    'limit-absent-message': ['an accepted message has no X-RateLimit-Limit', withoutHeader(accepted, LIMIT)],
  }),
  ...violating(REMAINING, {
    'remaining-absent-429': ['a 429 has no X-RateLimit-Remaining', withoutHeader(OVER_LIMIT, REMAINING)],
    'remaining-absent-at-zero': [
      'X-RateLimit-Remaining is left out when it is 0',
      onAnswer({}, ({ headers, ...rest }) => ({
        ...rest,
        headers: headers.filter(([name, value]) => name !== REMAINING || value !== '0'),
      })),
    ],
  }),
  ...violating(RESET, {
    'reset-renamed-429': [
      'a 429 has RateLimit-Reset instead of X-RateLimit-Reset',
      withHeaderNames(OVER_LIMIT, (name) => (name === RESET ? 'RateLimit-Reset' : name)),
    ],
    'reset-absent-reopened': [
      'after the limit is exceeded, responses never carry X-RateLimit-Reset again',
      withoutHeader(reopened, RESET),
    ],
  }),
  ...violating(LIMIT_FORM, {
    'limit-hexadecimal': [
      'X-RateLimit-Limit is hexadecimal',
      withHeader({}, LIMIT, (old) => `0x${Number(old).toString(16)}`),
    ],
    'limit-grouped': [
      'X-RateLimit-Limit is that of the day and has a thousands separator: 1,000',
      {
        settings: { limiter: { describes: 'day' } },
        ...withHeader({}, LIMIT, (old) => Number(old).toLocaleString('en')),
      },
    ],
    'limit-sentence-429': [
      'X-RateLimit-Limit of a 429 is "60 requests per minute"',
      withHeader(OVER_LIMIT, LIMIT, (old) => `${old} requests per minute`),
    ],
    'limit-negative-orders': [
      'X-RateLimit-Limit of GET /store/orders is -1, meaning unlimited',
      withHeader(ORDERS, LIMIT, '-1'),
    ],
    'limit-twice-reopened': [
      'after a 429, responses have two X-RateLimit-Limit headers with different values',
      withAnotherHeader(reopened, LIMIT, '42'),
    ],
  }),
  ...violating(REMAINING_FORM, {
    'remaining-plus': [
      'X-RateLimit-Remaining has a plus sign',
      withHeader({}, REMAINING, (old) => `+${old}`),
    ],
    'remaining-float': [
      'X-RateLimit-Remaining is a floating-point number',
      withHeader({}, REMAINING, (old) => `${old}.0`),
    ],
    'remaining-negative-429': [
      'X-RateLimit-Remaining of a 429 is -1: rejected requests are counted too',
      withHeader(OVER_LIMIT, REMAINING, '-1'),
    ],
    'remaining-word-429': [
      'X-RateLimit-Remaining of a 429 is "none"',
      withHeader(OVER_LIMIT, REMAINING, 'none'),
    ],
    'remaining-empty-at-zero': [
      'X-RateLimit-Remaining is empty when it is 0',
      withHeader({}, REMAINING, (old) => (old === '0' ? '' : (old ?? ''))),
    ],
    'remaining-twice-created': [
      'responses to additions have two X-RateLimit-Remaining headers: for the minute and for the day',
      withAnotherHeader(CREATED, REMAINING, '940'),
    ],
  }),
  ...violating(RESET_FORM, {
    'reset-date': [
      'X-RateLimit-Reset is an HTTP-date',
      withHeader({}, RESET, (old) => date(old).toUTCString()),
    ],
    'reset-float-429': [
      'X-RateLimit-Reset of a 429 is a floating-point number',
      withHeader(OVER_LIMIT, RESET, (old) => `${old}.0`),
    ],
    'reset-scientific-message': [
      'X-RateLimit-Reset of an accepted message is written 1.79e+9',
      withHeader(accepted, RESET, (old) => Number(old).toExponential(5)),
    ],
    'reset-twice-429': [
      'a 429 has two X-RateLimit-Reset headers: for the minute and for the day',
      onAnswer(OVER_LIMIT, (answer, call) => ({
        ...answer,
        headers: [...answer.headers, [RESET, String(Math.ceil((call.now + DAY_MS) / 1000))]],
      })),
    ],
  }),
];
