import type { CallWhere } from '../../changes/change.ts';
import { onAnswer, withBody, withField, withoutField, withoutHeader } from '../../changes/changes.ts';
import type { Call, OperationId } from '../../http/call.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crash } from '../mistakes.ts';
import { crashes, takes } from './reader.ts';

const sizeOf = (value: BigIntJson) =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
const limitOf = ({ query }: Call) => query.get('limit') ?? '';

/** Faults that only unusual values show, such as those that are drawn. */
export const drawnFaults: readonly Fault[] = [
  ...takes('business', 'name', {
    'drawn-name-members': [
      'an object with two members is accepted as a name',
      (value) => isObject(value) && sizeOf(value) > 1,
      'two',
    ],
    'drawn-name-entries': [
      'an array with two entries is accepted as a name',
      (value) => Array.isArray(value) && sizeOf(value) > 1,
      'two',
    ],
  }),
  ...takes('business', 'categoryId', {
    'drawn-category-members': [
      'an object with two members is category 0',
      (value) => isObject(value) && sizeOf(value) > 1,
      0n,
    ],
  }),
  ...takes('pro', 'categoryId', {
    'drawn-category-letters': ['a text with a digit after a letter is category 0', /[a-z]\d/i, 0n],
  }),
  ...takes('pro', 'status', {
    'drawn-status-doubled': ['a status that is written twice is accepted', /^([a-z]+)\1$/, 'sold'],
  }),
  ...takes('business', 'status', {
    'drawn-status-without-first': [
      'a status without its first letter is accepted',
      /^(?:vailable|ending|old)$/,
      'sold',
    ],
  }).map((fault): Fault => ({ ...fault, seeds: [0, 2, 3, 4] })),
  ...crashes('business', 'createPet', '400', {
    'drawn-status-far-crash': [
      'a number beyond 10^30 as a status is an uncaught error',
      ({ body }) => {
        const status = isObject(body) ? body.status : undefined;
        return (typeof status === 'bigint' || typeof status === 'number') && status > 10n ** 30n;
      },
    ],
  }),
  ...crashes('business', 'listPets', 'responses', {
    'drawn-limit-point-crash': [
      'a limit with a point and a letter is an uncaught error',
      (call) => /\./.test(limitOf(call)) && /[a-z]/i.test(limitOf(call)),
    ],
  }),
  ...crashes('business', 'getPet', 'responses', {
    'drawn-id-comma-crash': [
      'a comma in an id is an uncaught error',
      ({ params }) => /,/.test(params.petId ?? ''),
    ],
  }),
  {
    id: 'drawn-page-sizes-wrapped',
    summary: 'pages of 67 to 73 animals are wrapped: {"items": [...]}',
    plan: 'business',
    violates: ['listPets.200.body'],
    ...withBody(
      {
        operation: 'listPets',
        status: 200,
        when: (call) => Number(limitOf(call)) > 66 && Number(limitOf(call)) < 74,
      },
      (items) => ({ items }),
    ),
  },
];

/** One in so many requests gets a wrong response. */
const ONE_IN = 25;

/** Each 25th read of an operation with the right key, counted since the start. */
const seldom = (operation: OperationId, name: string): CallWhere => ({
  operation,
  key: 'valid',
  when: (call: Call) => {
    const counts = call.recall(`seldom ${name}`, () => new Map<number, number>());
    const count = counts.get(call.number) ?? counts.size + 1;
    counts.set(call.number, count);
    return count % ONE_IN === 0;
  },
});

/** One read in twenty-five gets a wrong response: the number of responses shows it. */
export const rareFaults: readonly Fault[] = [
  {
    id: 'rare-list-crash',
    summary: 'one list in 25 is an uncaught error',
    plan: 'pro',
    violates: ['listPets.200'],
    // Not where it would be refused: there a 500 deviates from another requirement.
    ...onAnswer({ ...seldom('listPets', 'crash'), status: 200 }, crash),
  },
  {
    id: 'rare-list-wrapped',
    summary: 'one list in 25 is wrapped: {"items": [...]}',
    plan: 'pro',
    violates: ['listPets.200.body'],
    ...withBody({ ...seldom('listPets', 'wrapped'), status: 200 }, (items) => ({ items })),
  },
  {
    id: 'rare-list-names-lost',
    summary: 'in one list in 25 no animal has a name',
    plan: 'pro',
    violates: ['Pet.name'],
    ...withoutField({ ...seldom('listPets', 'names'), status: 200 }, 'name'),
  },
  {
    id: 'rare-list-without-limit',
    summary: 'one list in 25 has no X-RateLimit-Limit',
    plan: 'pro',
    violates: ['X-RateLimit-Limit'],
    ...withoutHeader({ ...seldom('listPets', 'limit'), status: 200 }, 'X-RateLimit-Limit'),
  },
  {
    id: 'rare-fetch-id-text',
    summary: 'in one response of GET /pets/{petId} in 25 the id is a text',
    plan: 'business',
    violates: ['Pet.id'],
    ...withField({ ...seldom('getPet', 'id'), status: 200 }, 'id', String),
  },
];
