import { answering, withBody, withField, withStatus } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { BigIntJson } from '../../http/json.ts';
import { type Fault, violating } from '../fault.ts';
import { crashing, page, rejecting } from '../mistakes.ts';
import { limiting, listing, OF_UNKNOWN_STATUS } from '../requests.ts';

const elements = (body: BigIntJson): BigIntJson[] => (Array.isArray(body) ? body : []);

/** GET /pets: status and shape of the response. */
export const listResponseFaults: readonly Fault[] = [
  ...violating('listPets.200', {
    'list-500': ['GET /pets always returns 500', crashing({ operation: 'listPets' })],
    'list-401': [
      'GET /pets rejects the right key, which every other operation accepts',
      answering({ operation: 'listPets' }, () =>
        errorAnswer(401, 'unauthorized', 'the key has no right to list'),
      ),
    ],
    'list-empty-404': [
      'an empty list gets 404',
      {
        settings: { animals: 0 },
        ...answering({ operation: 'listPets', when: ({ store }) => store.all().length === 0 }, () =>
          errorAnswer(404, 'not_found', 'there are no animals'),
        ),
      },
    ],
    'list-empty-204': [
      'an empty list gets 204',
      {
        settings: { animals: 0 },
        ...answering({ operation: 'listPets', when: ({ store }) => store.all().length === 0 }, () => ({
          status: 204,
          headers: [],
          body: undefined,
        })),
      },
    ],
  }),
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
  ...violating('listPets.200', {
    'list-206': [
      'a list that is not the whole store gets 206',
      withStatus({ operation: 'listPets', status: 200 }, 206),
    ],
    'list-both-parameters-500': [
      'limit and status together crash the database query',
      crashing({ operation: 'listPets', when: ({ query }) => query.has('limit') && query.has('status') }),
    ],
    'list-both-parameters-400': [
      'limit and status together are rejected',
      rejecting(
        { operation: 'listPets', when: ({ query }) => query.has('limit') && query.has('status') },
        'either limit or status',
      ),
    ],
  }),
  ...violating('listPets.limit.minimum', {
    'list-limit-1-500': ['limit=1 divides by zero: 500', crashing(listing('limit', '1'))],
    'list-limit-1-204': [
      'limit=1 gets 204 without a body',
      answering(listing('limit', '1'), () => ({ status: 204, headers: [], body: undefined })),
    ],
  }),
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
    ...crashing(listing('status', 'sold')),
  },
  ...violating('listPets.200.body', {
    'list-wrapped': [
      'a list is wrapped: {"data": [...]}',
      withBody({ operation: 'listPets', status: 200 }, (body) => ({ data: body })),
    ],
    'list-paged-with-limit': [
      'with limit, a list becomes {"items": [...], "total": n}',
      withBody({ ...listing('limit'), status: 200 }, (body) => ({ items: body, total: 120n })),
    ],
    'list-empty-null': [
      'an empty list is null',
      {
        settings: { animals: 0 },
        ...withBody({ operation: 'listPets', status: 200 }, (body) =>
          elements(body).length === 0 ? null : body,
        ),
      },
    ],
    'list-filtered-keyed': [
      'a filtered list is an object keyed by index',
      withBody({ ...listing('status'), status: 200 }, (body) =>
        Object.fromEntries(elements(body).map((animal, index) => [String(3 * index), animal])),
      ),
    ],
    'list-of-one-bare': [
      'a list of one animal is the bare animal, without the array',
      withBody({ operation: 'listPets', status: 200 }, (body) =>
        elements(body).length === 1 ? (elements(body)[0] ?? null) : body,
      ),
    ],
    'list-empty-body': [
      'status=pending gets 200 without a body',
      withBody({ ...listing('status', 'pending'), status: 200 }, () => undefined),
    ],
  }),
  ...violating('listPets.responses', {
    'list-limit-101-500': ['limit=101 fails an assertion: 500', crashing(limiting((limit) => limit > 100))],
    'list-limit-text-502': [
      'a limit that is not a number crashes the process: the proxy returns 502',
      answering(limiting(Number.isNaN), () => page(502)),
    ],
    'list-status-unknown-503': [
      'the database rejects an unknown status: 503',
      answering(OF_UNKNOWN_STATUS, () => errorAnswer(503, 'unavailable', 'the database says no')),
    ],
  }),
  ...violating('errors.elsewhere', {
    'list-refusal-text': [
      'a rejected query gets a JSON string instead of an Error',
      withBody({ operation: 'listPets', status: 400 }, () => '"the query is not valid"'),
    ],
    'list-refusal-other-status': [
      'a rejected query gets 400 with an Error whose status is 422',
      withField({ operation: 'listPets', status: 400 }, 'status', 422n),
    ],
    'list-refusal-problem': [
      'a rejected query gets a list of errors instead of an Error',
      answering(
        limiting((limit) => limit === 0),
        () => jsonAnswer(422, { errors: [{ field: 'limit', rule: 'min' }] }),
      ),
    ],
  }),
];
