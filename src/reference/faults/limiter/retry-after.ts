import type { Change } from '../../changes/change.ts';
import { combined, withAnotherHeader, withField, withHeader, withoutHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { type Fault, violating } from '../fault.ts';
import { OVER_LIMIT } from '../requests.ts';

const AFTER = 'Retry-After';
const AFTER_FORM = `${AFTER}.schema`;

/** The limit covers everything at the base address except lists. */
const limitedButLists: Change = {
  settings: { limiter: { covers: ['createPet', 'getPet', 'getStoreOrders'] } },
};
const unlisted = { operation: ['getPet', 'getStoreOrders'] } as const;

/** When the limit ends, from the seconds of a Retry-After. */
const reopensAt = (seconds: string | undefined, { now }: Call) => new Date(now + Number(seconds) * 1000);

/** Retry-After absent or malformed. */
export const limiterRetryFaults: readonly Fault[] = [
  ...violating(AFTER, {
    'retry-after-absent': ['a 429 has no Retry-After', withoutHeader(OVER_LIMIT, AFTER)],
    'retry-after-in-body': [
      'a 429 has retryAfter in the body instead of the header',
      combined(withField(OVER_LIMIT, 'retryAfter', 30n), withoutHeader(OVER_LIMIT, AFTER)),
    ],
    'retry-after-lists-alone': [
      'only the 429 of a list has Retry-After',
      withoutHeader({ ...OVER_LIMIT, operation: ['getPet', 'getStoreOrders'] }, AFTER),
      { budget: 300 },
    ],
    'retry-after-absent-fetch': [
      'lists are not limited, and the 429 of another operation has no Retry-After',
      combined(withoutHeader({ ...OVER_LIMIT, ...unlisted }, AFTER), limitedButLists),
    ],
  }),
  ...(
    [
      ['negative', 'is negative', () => '-1'],
      ['fraction', 'has a fraction', (old) => `${old}.5`],
      ['word', 'is a word', () => 'soon'],
      ['unit', 'includes a unit', (old) => `${old}s`],
      ['empty', 'is empty', () => ''],
      ['iso', 'is an ISO 8601 date', (old, call) => reopensAt(old, call).toISOString()],
      [
        'zone',
        'is a date in a time zone other than GMT',
        (old, call) => reopensAt(old, call).toUTCString().replace('GMT', '+0000'),
      ],
    ] satisfies [string, string, (old: string | undefined, call: Call) => string][]
  ).map(
    ([name, how, write]): Fault => ({
      id: `retry-after-${name}`,
      summary: `Retry-After ${how}`,
      violates: [AFTER_FORM],
      ...withHeader(OVER_LIMIT, AFTER, (old, _answer, call) => write(old, call)),
    }),
  ),
  ...violating(AFTER_FORM, {
    'retry-after-range-fetch': [
      'lists are not limited, and Retry-After of another operation is a range',
      combined(
        withHeader({ ...OVER_LIMIT, ...unlisted }, AFTER, (old) => `${old}-60`),
        limitedButLists,
      ),
    ],
    'retry-after-twice': [
      'a 429 has two Retry-After headers with different values',
      withAnotherHeader(OVER_LIMIT, AFTER, '3600'),
    ],
  }),
  ...violating('rate-limit.http-date', {
    'retry-after-rfc850': [
      'Retry-After is a date in RFC 850 format',
      withHeader(OVER_LIMIT, AFTER, (old, _answer, call) => {
        const [, day, month, year, time] = reopensAt(old, call).toUTCString().split(' ');
        const name = reopensAt(old, call).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
        return `${name}, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
      }),
    ],
    'retry-after-asctime': [
      'Retry-After is a date in asctime format',
      withHeader(OVER_LIMIT, AFTER, (old, _answer, call) => {
        const [name, day, month, year, time] = reopensAt(old, call).toUTCString().split(' ');
        return `${name?.slice(0, 3)} ${month} ${day?.replace(/^0/, ' ')} ${time} ${year}`;
      }),
    ],
  }),
];
