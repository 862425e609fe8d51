import { answering, withBody, withStatus } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Json } from '../../http/json.ts';
import { crash, limiting, listing, OF_UNKNOWN_STATUS, page } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

const elements = (body: Json): Json[] => (Array.isArray(body) ? body : []);

/** GET /pets: with which status, and in which shape. */
export const listingAnswerFaults: readonly Fault[] = [
  {
    id: 'list-500',
    summary: 'GET /pets always answers 500',
    violates: ['listPets.200'],
    ...answering({ operation: 'listPets' }, crash),
  },
  {
    id: 'list-401',
    summary: 'GET /pets refuses the right key, which every other operation takes',
    violates: ['listPets.200'],
    ...answering({ operation: 'listPets' }, () =>
      errorAnswer(401, 'unauthorized', 'the key has no right to list'),
    ),
  },
  {
    id: 'list-empty-404',
    summary: 'a list without animals is answered 404',
    violates: ['listPets.200'],
    settings: { animals: 0 },
    ...answering({ operation: 'listPets', when: ({ store }) => store.all().length === 0 }, () =>
      errorAnswer(404, 'not_found', 'there are no animals'),
    ),
  },
  {
    id: 'list-empty-204',
    summary: 'a list without animals is answered 204',
    violates: ['listPets.200'],
    settings: { animals: 0 },
    ...answering({ operation: 'listPets', when: ({ store }) => store.all().length === 0 }, () => ({
      status: 204,
      headers: [],
      body: undefined,
    })),
  },
  {
    id: 'list-cache-ignores-query',
    summary: 'a cache looks at the path alone: every list is the first one that was asked for',
    violates: ['listPets.limit', 'listPets.status'],
    because: 'the first list is given for every limit and for every status',
    handle: async (call, next) => {
      if (call.operation !== 'listPets') return next(call);
      const cache = call.recall('lists', () => new Map<string, Answer>());
      const answer = cache.get(call.path) ?? (await next(call));
      cache.set(call.path, answer);
      return answer;
    },
  },
  {
    id: 'list-206',
    summary: 'a list that is not the whole store is answered 206',
    violates: ['listPets.200'],
    ...withStatus({ operation: 'listPets', status: 200 }, 206),
  },
  {
    id: 'list-both-parameters-500',
    summary: 'limit and status together make a query that the database does not understand',
    violates: ['listPets.200'],
    ...answering(
      { operation: 'listPets', when: ({ query }) => query.has('limit') && query.has('status') },
      crash,
    ),
  },
  {
    id: 'list-both-parameters-400',
    summary: 'limit and status are taken for alternatives: together they are refused',
    violates: ['listPets.200'],
    ...answering(
      { operation: 'listPets', when: ({ query }) => query.has('limit') && query.has('status') },
      () => errorAnswer(400, 'invalid_request', 'either limit or status'),
    ),
  },
  {
    id: 'list-limit-1-500',
    summary: 'limit=1 divides by the last index, which is 0',
    violates: ['listPets.limit.minimum'],
    ...answering(listing('limit', '1'), crash),
  },
  {
    id: 'list-limit-1-204',
    summary: 'limit=1 is answered 204 without a body',
    violates: ['listPets.limit.minimum'],
    ...answering(listing('limit', '1'), () => ({ status: 204, headers: [], body: undefined })),
  },
  {
    id: 'list-limit-100-504',
    summary: 'a page of 100 takes longer than the proxy waits',
    violates: ['listPets.limit.maximum'],
    ...answering(listing('limit', '100'), () => page(504)),
  },
  {
    id: 'list-status-sold-500',
    summary: 'status=sold asks a table that is not there',
    violates: ['listPets.status.enum'],
    ...answering(listing('status', 'sold'), crash),
  },
  {
    id: 'list-wrapped',
    summary: 'a list is wrapped: {"data": [...]}',
    violates: ['listPets.200.body'],
    ...withBody({ operation: 'listPets', status: 200 }, (body) => ({ data: body })),
  },
  {
    id: 'list-paged-with-limit',
    summary: 'with limit, a list becomes {"items": [...], "total": n}',
    violates: ['listPets.200.body'],
    ...withBody({ ...listing('limit'), status: 200 }, (body) => ({ items: body, total: 120n })),
  },
  {
    id: 'list-empty-null',
    summary: 'a list without animals is null',
    violates: ['listPets.200.body'],
    settings: { animals: 0 },
    ...withBody({ operation: 'listPets', status: 200 }, (body) =>
      elements(body).length === 0 ? null : body,
    ),
  },
  {
    id: 'list-filtered-keyed',
    summary: 'what the filter leaves keeps its old keys, so that the list becomes an object',
    violates: ['listPets.200.body'],
    ...withBody({ ...listing('status'), status: 200 }, (body) =>
      Object.fromEntries(elements(body).map((animal, index) => [String(3 * index), animal])),
    ),
  },
  {
    id: 'list-of-one-bare',
    summary: 'a list of one animal is that animal, without the array',
    violates: ['listPets.200.body'],
    ...withBody({ operation: 'listPets', status: 200 }, (body) =>
      elements(body).length === 1 ? (elements(body)[0] ?? null) : body,
    ),
  },
  {
    id: 'list-empty-body',
    summary: 'status=pending is answered 200 without a body',
    violates: ['listPets.200.body'],
    ...withBody({ ...listing('status', 'pending'), status: 200 }, () => undefined),
  },
  {
    id: 'list-limit-101-500',
    summary: 'limit=101 fails an assertion',
    violates: ['listPets.responses'],
    ...answering(
      limiting((limit) => limit > 100),
      crash,
    ),
  },
  {
    id: 'list-limit-text-502',
    summary: 'a limit that is no number ends the process: the proxy answers 502',
    violates: ['listPets.responses'],
    ...answering(limiting(Number.isNaN), () => page(502)),
  },
  {
    id: 'list-status-unknown-503',
    summary: 'an unknown status is handed to the database, which refuses it: 503',
    violates: ['listPets.responses'],
    ...answering(OF_UNKNOWN_STATUS, () => errorAnswer(503, 'unavailable', 'the database says no')),
  },
  {
    id: 'list-refusal-text',
    summary: 'a query that is not taken is refused with a sentence instead of an Error',
    violates: ['errors.elsewhere'],
    ...withBody({ operation: 'listPets', status: 400 }, () => '"the query is not valid"'),
  },
  {
    id: 'list-refusal-problem',
    summary: 'a query that is not taken is refused with a list of its errors',
    violates: ['errors.elsewhere'],
    ...answering(
      limiting((limit) => limit === 0),
      () => jsonAnswer(422, { errors: [{ field: 'limit', rule: 'min' }] }),
    ),
  },
];
