import { answering, withBody, withField, withStatus } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { BigIntJson } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crash, limiting, listing, OF_UNKNOWN_STATUS, page } from '../mistakes.ts';

const elements = (body: BigIntJson): BigIntJson[] => (Array.isArray(body) ? body : []);

/** GET /pets: status and shape of the response. */
export const listingAnswerFaults: readonly Fault[] = [
  {
    id: 'list-500',
    summary: 'GET /pets always returns 500',
    violates: ['listPets.200'],
    ...answering({ operation: 'listPets' }, crash),
  },
  {
    id: 'list-401',
    summary: 'GET /pets rejects the right key, which every other operation accepts',
    violates: ['listPets.200'],
    ...answering({ operation: 'listPets' }, () =>
      errorAnswer(401, 'unauthorized', 'the key has no right to list'),
    ),
  },
  {
    id: 'list-empty-404',
    summary: 'an empty list gets 404',
    violates: ['listPets.200'],
    settings: { animals: 0 },
    ...answering({ operation: 'listPets', when: ({ store }) => store.all().length === 0 }, () =>
      errorAnswer(404, 'not_found', 'there are no animals'),
    ),
  },
  {
    id: 'list-empty-204',
    summary: 'an empty list gets 204',
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
    summary: 'a cache ignores the query: every list is the first one requested',
    violates: ['listPets.limit', 'listPets.status'],
    because: 'the first list is returned for every limit and every status',
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
    summary: 'a list that is not the whole store gets 206',
    violates: ['listPets.200'],
    ...withStatus({ operation: 'listPets', status: 200 }, 206),
  },
  {
    id: 'list-both-parameters-500',
    summary: 'limit and status together crash the database query',
    violates: ['listPets.200'],
    ...answering(
      { operation: 'listPets', when: ({ query }) => query.has('limit') && query.has('status') },
      crash,
    ),
  },
  {
    id: 'list-both-parameters-400',
    summary: 'limit and status together are rejected',
    violates: ['listPets.200'],
    ...answering(
      { operation: 'listPets', when: ({ query }) => query.has('limit') && query.has('status') },
      () => errorAnswer(400, 'invalid_request', 'either limit or status'),
    ),
  },
  {
    id: 'list-limit-1-500',
    summary: 'limit=1 divides by zero: 500',
    violates: ['listPets.limit.minimum'],
    ...answering(listing('limit', '1'), crash),
  },
  {
    id: 'list-limit-1-204',
    summary: 'limit=1 gets 204 without a body',
    violates: ['listPets.limit.minimum'],
    ...answering(listing('limit', '1'), () => ({ status: 204, headers: [], body: undefined })),
  },
  {
    id: 'list-limit-100-504',
    summary: 'a page of 100 exceeds the timeout of the proxy: 504',
    violates: ['listPets.limit.maximum'],
    ...answering(listing('limit', '100'), () => page(504)),
  },
  {
    id: 'list-status-sold-500',
    summary: 'status=sold queries a table that does not exist: 500',
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
    summary: 'an empty list is null',
    violates: ['listPets.200.body'],
    settings: { animals: 0 },
    ...withBody({ operation: 'listPets', status: 200 }, (body) =>
      elements(body).length === 0 ? null : body,
    ),
  },
  {
    id: 'list-filtered-keyed',
    summary: 'a filtered list is an object keyed by index',
    violates: ['listPets.200.body'],
    ...withBody({ ...listing('status'), status: 200 }, (body) =>
      Object.fromEntries(elements(body).map((animal, index) => [String(3 * index), animal])),
    ),
  },
  {
    id: 'list-of-one-bare',
    summary: 'a list of one animal is the bare animal, without the array',
    violates: ['listPets.200.body'],
    ...withBody({ operation: 'listPets', status: 200 }, (body) =>
      elements(body).length === 1 ? (elements(body)[0] ?? null) : body,
    ),
  },
  {
    id: 'list-empty-body',
    summary: 'status=pending gets 200 without a body',
    violates: ['listPets.200.body'],
    ...withBody({ ...listing('status', 'pending'), status: 200 }, () => undefined),
  },
  {
    id: 'list-limit-101-500',
    summary: 'limit=101 fails an assertion: 500',
    violates: ['listPets.responses'],
    ...answering(
      limiting((limit) => limit > 100),
      crash,
    ),
  },
  {
    id: 'list-limit-text-502',
    summary: 'a limit that is not a number crashes the process: the proxy returns 502',
    violates: ['listPets.responses'],
    ...answering(limiting(Number.isNaN), () => page(502)),
  },
  {
    id: 'list-status-unknown-503',
    summary: 'the database rejects an unknown status: 503',
    violates: ['listPets.responses'],
    ...answering(OF_UNKNOWN_STATUS, () => errorAnswer(503, 'unavailable', 'the database says no')),
  },
  {
    id: 'list-refusal-text',
    summary: 'a rejected query gets a JSON string instead of an Error',
    violates: ['errors.elsewhere'],
    ...withBody({ operation: 'listPets', status: 400 }, () => '"the query is not valid"'),
  },
  {
    id: 'list-refusal-other-status',
    summary: 'a rejected query gets 400 with an Error whose status is 422',
    violates: ['errors.elsewhere'],
    ...withField({ operation: 'listPets', status: 400 }, 'status', 422n),
  },
  {
    id: 'list-refusal-problem',
    summary: 'a rejected query gets a list of errors instead of an Error',
    violates: ['errors.elsewhere'],
    ...answering(
      limiting((limit) => limit === 0),
      () => jsonAnswer(422, { errors: [{ field: 'limit', rule: 'min' }] }),
    ),
  },
];
