import { answering, onAnswer } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import { errorAnswer, withHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { crash, page } from '../mistakes.ts';

/** Whether a header was sent with a name that is not in lower case. */
const isCased = ({ headerNames }: Call, name: string) =>
  headerNames.some((each) => each !== name && each.toLowerCase() === name);

const FETCHES = { operation: 'getPet' } as const;
const html = (where: CallWhere) =>
  onAnswer({ ...where, status: 200 }, (answer) => ({
    ...withHeaderOf(answer, 'Content-Type', 'text/html; charset=utf-8'),
    body: page(200).body,
  }));

/** Names of a request's headers in another case, and a header that a client rarely sends. */
export const requestHeaderFaults: readonly Fault[] = [
  {
    id: 'header-case-content-type',
    summary: 'Content-Type is found only in lower case, as in HTTP/2: with other names a body is rejected',
    violates: ['createPet.201'],
    ...answering(
      {
        operation: 'createPet',
        when: (call) => isCased(call, 'content-type') && call.bodyProblem === undefined,
      },
      () => errorAnswer(400, 'invalid_request', 'the body must be application/json'),
    ),
  },
  {
    id: 'header-case-authorization',
    summary: 'GET /pets/{petId} finds the key only in a header whose name is in lower case',
    violates: ['getPet.200'],
    ...answering(
      {
        ...FETCHES,
        when: (call) => isCased(call, 'authorization'),
      },
      () => errorAnswer(401, 'unauthorized', 'an API key is required'),
    ),
  },
  {
    id: 'header-case-accept',
    summary: 'Accept is not found if its name has capitals: a fetched animal is an HTML page',
    violates: ['service.content-type'],
    ...html({ ...FETCHES, when: (call) => isCased(call, 'accept') }),
  },
  {
    id: 'forwarded-crash',
    summary: 'a request with X-Forwarded-For, as a proxy adds it, ends in an uncaught error',
    violates: ['listPets.responses'],
    ...answering({ when: ({ headers }) => headers['x-forwarded-for'] !== undefined }, crash),
  },
];
