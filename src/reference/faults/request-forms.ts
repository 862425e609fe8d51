import type { CallWhere } from '../changes/change.ts';
import { answering, onAnswer, onCall, onCreate, onKeep, withBody } from '../changes/changes.ts';
import { errorAnswer, withHeaderOf } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/json.ts';
import { type Fault, violating } from './fault.ts';
import { crashing, mojibake, page, rejecting } from './mistakes.ts';

const typeOf = ({ headers }: Call) => headers['content-type'] ?? '';
const hasCharset = (call: Call) => typeOf(call).includes(';');
const isChunked = ({ headers }: Call) => headers['transfer-encoding'] !== undefined;
const adding = (when: (call: Call) => boolean): CallWhere => ({ operation: 'createPet', when });
const hasUnknown = ({ query }: Call) =>
  [...query.keys()].some((name) => name !== 'limit' && name !== 'status');

/** Forms of a request that a service may refuse, and that this one accepts and gets wrong, or fails to handle. */
export const unusualFormFaults: readonly Fault[] = [
  {
    id: 'charset-latin',
    summary: 'with a charset in Content-Type, a body is read as latin-1',
    violates: ['createPet.echo'],
    seeds: [1],
    ...onCreate((animal, call) => (hasCharset(call) ? { ...animal, name: mojibake(animal.name) } : animal)),
  },
  ...violating('createPet.responses', {
    'charset-500': [
      'the parameter of a Content-Type is looked up as a decoder that does not exist: 500',
      crashing(adding(hasCharset)),
      { seeds: [1] },
    ],
    'type-case-500': [
      'APPLICATION/JSON passes the check, but no parser is found for it: 500',
      crashing(adding((call) => /[A-Z]/.test(typeOf(call)))),
      { seeds: [5] },
    ],
  }),
  {
    id: 'chunks-decoded-alone',
    summary: 'each chunk of a body is decoded by itself: a character that two chunks share is lost',
    violates: ['createPet.echo'],
    seeds: [3],
    ...onCreate((animal, call) =>
      isChunked(call) ? { ...animal, name: animal.name.replace(/[^\0-\x7f]/u, '\ufffd\ufffd') } : animal,
    ),
  },
  {
    id: 'chunks-500',
    summary: 'a body without a Content-Length gets 500',
    violates: ['createPet.responses'],
    seeds: [3],
    ...crashing(adding(isChunked)),
  },
  {
    id: 'escaped-path-without-id',
    summary: 'an addition at a path with an escape is answered by an older version: without the id',
    violates: ['Pet.id'],
    seeds: [7],
    ...withBody({ ...adding(({ path }) => path.includes('%')), status: 201 }, (body) => {
      if (!isObject(body)) return body;
      const { id: _, ...rest } = body;
      return rest;
    }),
  },
  {
    id: 'parameter-unknown-500',
    summary: 'an unknown parameter of a list becomes a column of the database query: 500',
    violates: ['listPets.responses'],
    seeds: [4, 6],
    ...crashing({ operation: 'listPets', when: hasUnknown }),
  },
  {
    id: 'origin-fetch-500',
    summary: 'GET /pets/{petId} fails if a request has an Origin',
    violates: ['getPet.responses'],
    seeds: [3],
    ...crashing({ operation: 'getPet', when: ({ headers }) => headers.origin !== undefined }),
  },
];

const textOf = ({ bodyText = '' }: Call) => bodyText;
/** The fields of a body, in the order in which they were sent. */
const fieldsOf = ({ body }: Call) => (isObject(body) ? Object.keys(body) : []);
const isBefore = (call: Call, one: string, other: string) => {
  const fields = fieldsOf(call);
  return fields.includes(one) && fields.indexOf(one) < fields.indexOf(other);
};

/** A valid body that a careless parser refuses. */
const refusing = (when: (call: Call) => boolean) =>
  rejecting(
    { operation: 'createPet', when: (call) => isObject(call.body) && when(call) },
    'the body is not valid',
  );
/** Reads another text than was sent. */
const reading = (change: (text: string) => string) =>
  onCall({ operation: 'createPet' }, (call) => ({
    ...call,
    bodyText: call.bodyText && change(call.bodyText),
  }));

/** White space, the order of fields, and escapes in the JSON that POST /pets receives. */
export const jsonFaults: readonly Fault[] = [
  ...violating('createPet.201', {
    'body-space-first': [
      'a body that does not begin with a brace is rejected, even if only white space comes first',
      refusing((call) => /^\s/.test(textOf(call))),
    ],
    'body-lines': [
      'only the first line of a body is read: an indented one is rejected',
      refusing((call) => /[\r\n]\s*\S/.test(textOf(call).trim())),
    ],
  }),
  {
    id: 'body-space-status',
    summary: 'status is found by a pattern that allows no white space around the colon: it is lost',
    violates: ['createPet.echo'],
    ...onCreate(({ status, ...animal }, call) =>
      status === undefined || /"status"(?:\s+:|:\s)/.test(textOf(call)) ? animal : { ...animal, status },
    ),
  },
  {
    id: 'body-name-not-first',
    summary: 'the fields are read by position: a body in which name is not the first is rejected',
    violates: ['createPet.201'],
    ...refusing((call) => fieldsOf(call)[0] !== 'name' && fieldsOf(call).includes('name')),
  },
  {
    id: 'body-status-before-name',
    summary: 'a status before the name is ignored, because no animal exists yet that could have it',
    violates: ['createPet.echo'],
    ...onCreate(({ status, ...animal }, call) =>
      status === undefined || isBefore(call, 'status', 'name') ? animal : { ...animal, status },
    ),
  },
  {
    id: 'body-name-last',
    summary: 'a name that is the last field is stored without its last character',
    violates: ['getPet.stored'],
    ...onKeep((animal, call) =>
      fieldsOf(call).at(-1) === 'name' ? { ...animal, name: animal.name.slice(0, -1) } : animal,
    ),
  },
  ...violating('createPet.echo', {
    'escape-pair-replaced': [
      'an escaped surrogate pair is read as two separate characters, which are replaced',
      reading((text) => text.replaceAll(/(?<!\\)\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '\ufffd\ufffd')),
    ],
    'escape-dropped': [
      'the backslash of an escape such as \\u0041 in a name is dropped: u0041 comes back',
      onCreate((animal, call) => {
        const text = textOf(call).replaceAll(/(?<!\\)\\u(?!d[89a-f])([\da-f]{4})/gi, 'u$1');
        const { name } = JSON.parse(text) as { name?: string };
        return { ...animal, name: name ?? animal.name };
      }),
    ],
  }),
  {
    id: 'escape-upper-case',
    summary: 'an escape with hexadecimal digits in upper case is rejected',
    violates: ['createPet.201'],
    ...refusing((call) => /\\u(?=[\dA-F]*[A-F])[\dA-F]{4}/.test(textOf(call))),
  },
  {
    id: 'escape-slash-kept',
    summary: 'an escaped slash comes back with its backslash',
    violates: ['createPet.echo'],
    seeds: [0, 1, 2, 4, 5, 6],
    ...reading((text) => text.replaceAll(/(?<!\\)((?:\\\\)*)\\\//g, '$1\\\\/')),
  },
  {
    id: 'escape-slash-refused',
    summary: 'an escaped slash is rejected as an unknown escape',
    violates: ['createPet.201'],
    seeds: [0, 1, 2, 4, 5, 6],
    ...refusing((call) => /(?<!\\)(?:\\\\)*\\\//.test(textOf(call))),
  },
];

/** Whether a header was sent with a name that is not in lower case. */
const isCased = ({ headerNames }: Call, name: string) =>
  headerNames.some((sent) => sent !== name && sent.toLowerCase() === name);

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
    ...rejecting(
      {
        operation: 'createPet',
        when: (call) => isCased(call, 'content-type') && call.bodyProblem === undefined,
      },
      'the body must be application/json',
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
    ...crashing({ when: ({ headers }) => headers['x-forwarded-for'] !== undefined }),
  },
];
