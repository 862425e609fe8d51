import { answering, withBody } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crash } from '../mistakes.ts';
import { crashesOn, takes, takesText } from './reader.ts';

const sizeOf = (value: BigIntJson) =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
const fieldOf = (body: BigIntJson | undefined, name: string) => (isObject(body) ? body[name] : undefined);
const limitOf = ({ query }: Call) => query.get('limit') ?? '';

/** Faults that only unusual values show, such as those that are drawn. */
export const drawnFaults: readonly Fault[] = [
  takes(
    'business',
    'drawn-name-members',
    'an object with two members is accepted as a name',
    'name',
    (value) => isObject(value) && sizeOf(value) > 1,
    'two',
  ),
  takes(
    'business',
    'drawn-name-entries',
    'an array with two entries is accepted as a name',
    'name',
    (value) => Array.isArray(value) && sizeOf(value) > 1,
    'two',
  ),
  takes(
    'business',
    'drawn-category-members',
    'an object with two members is category 0',
    'categoryId',
    (value) => isObject(value) && sizeOf(value) > 1,
    0n,
  ),
  takesText(
    'pro',
    'drawn-category-letters',
    'a text with a digit after a letter is category 0',
    'categoryId',
    /[a-z]\d/i,
    () => 0n,
  ),
  takesText(
    'pro',
    'drawn-status-doubled',
    'a status that is written twice is accepted',
    'status',
    /^([a-z]+)\1$/,
    () => 'sold',
  ),
  {
    ...takesText(
      'business',
      'drawn-status-without-first',
      'a status without its first letter is accepted',
      'status',
      /^(?:vailable|ending|old)$/,
      () => 'sold',
    ),
    seeds: [0, 2, 3, 4],
  },
  crashesOn(
    'business',
    'drawn-status-far-crash',
    'a number beyond 10^30 as a status is an uncaught error',
    (body) => {
      const status = fieldOf(body, 'status');
      return (typeof status === 'bigint' || typeof status === 'number') && status > 10n ** 30n;
    },
  ),
  {
    id: 'drawn-limit-point-crash',
    summary: 'a limit with a point and a letter is an uncaught error',
    plan: 'business',
    violates: ['listPets.responses'],
    ...answering(
      { operation: 'listPets', when: (call) => /\./.test(limitOf(call)) && /[a-z]/i.test(limitOf(call)) },
      crash,
    ),
  },
  {
    id: 'drawn-id-comma-crash',
    summary: 'a comma in an id is an uncaught error',
    plan: 'business',
    violates: ['getPet.responses'],
    ...answering({ operation: 'getPet', when: ({ params }) => /,/.test(params.petId ?? '') }, crash),
  },
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
