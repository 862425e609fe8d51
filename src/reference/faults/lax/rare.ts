import { answering, withBody, withField, withoutField, withoutHeader } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import type { Call, OperationId } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { crash } from '../mistakes.ts';

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
    ...answering(seldom('listPets', 'crash'), crash),
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
