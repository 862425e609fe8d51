import { answering, onAnswer, withHeader, withoutHeader } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import { errorAnswer, withHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { crash, page } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

/** Whether a header was sent with a name that is not in lower case. */
const isCased = ({ headerNames }: Call, name: string) =>
  headerNames.some((each) => each !== name && each.toLowerCase() === name);

const LISTS = { operation: 'listPets' } as const;
const FETCHES = { operation: 'getPet' } as const;
const acceptOf = ({ headers }: Call) => headers.accept;
const agentOf = ({ headers }: Call) => headers['user-agent'] ?? '';
const html = (where: CallWhere) =>
  onAnswer({ ...where, status: 200 }, (answer) => ({
    ...withHeaderOf(answer, 'Content-Type', 'text/html; charset=utf-8'),
    body: page(200).body,
  }));

/** Headers of a request: names in another case, Accept, User-Agent, Origin. */
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
    id: 'accept-absent-500',
    summary: 'a list request without Accept gets 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: (call) => acceptOf(call) === undefined }, crash),
  },
  {
    id: 'accept-absent-html',
    summary: 'without Accept, a list is an HTML page',
    violates: ['service.content-type'],
    ...html({ ...LISTS, when: (call) => acceptOf(call) === undefined }),
  },
  {
    id: 'accept-any-xml',
    summary: 'with Accept: */*, a list is declared as XML, which is the first renderer',
    violates: ['service.content-type'],
    ...withHeader(
      { ...LISTS, status: 200, when: (call) => acceptOf(call) === '*/*' },
      'Content-Type',
      'application/xml',
    ),
  },
  {
    id: 'accept-any-text',
    summary: 'with Accept: */*, a list is plain text',
    violates: ['service.content-type'],
    ...withHeader(
      { ...LISTS, status: 200, when: (call) => /^\*\/\*/.test(acceptOf(call) ?? '') },
      'Content-Type',
      'text/plain',
    ),
  },
  {
    id: 'accept-list-500',
    summary: 'an Accept with several types is looked up as one renderer: 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: (call) => acceptOf(call)?.includes(',') ?? false }, crash),
  },
  {
    id: 'accept-list-last',
    summary: 'the last type in Accept is preferred: a list is HTML or text if it can be',
    violates: ['service.content-type'],
    ...html({
      ...LISTS,
      when: (call) => /,\s*(?:text\/|\*\/\*|application\/(?!json))[^,]*$/.test(acceptOf(call) ?? ''),
    }),
  },
  {
    id: 'agent-browser-html',
    summary: 'browsers get lists as HTML pages',
    violates: ['service.content-type'],
    ...html({ ...LISTS, when: (call) => /mozilla|gecko|webkit/i.test(agentOf(call)) }),
  },
  {
    id: 'agent-script-503',
    summary: 'bot protection responds to curl and to the clients of programming languages with 503',
    violates: ['listPets.responses'],
    ...answering(
      {
        ...LISTS,
        when: (call) =>
          /^(?:curl|wget|python|go-http|java|okhttp|axios|node|undici|ruby|php|bot)/i.test(agentOf(call)),
      },
      () => page(503),
    ),
  },
  {
    id: 'agent-other-500',
    summary:
      'requests are counted per program: a User-Agent that does not begin with a name and a version gets 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: (call) => !/^\w+\/\d/.test(agentOf(call)) }, crash),
  },
  {
    id: 'origin-500',
    summary: 'an Origin is looked up in a table that does not exist: a list request gets 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: ({ headers }) => headers.origin !== undefined }, crash),
  },
  {
    id: 'origin-headers-lost',
    summary: 'for a list with an Origin, the headers of CORS replace X-RateLimit-Remaining',
    violates: ['X-RateLimit-Remaining'],
    ...withoutHeader(
      { ...LISTS, when: ({ headers }) => headers.origin !== undefined },
      'X-RateLimit-Remaining',
    ),
  },
];
