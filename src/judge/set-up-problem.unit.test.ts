import { expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { contractOf, operation, response } from '../../test/operations/operations.ts';
import type { Exchange, HeaderLine, Received } from '../model/exchange.ts';
import { setUpProblem, showsService } from './set-up-problem.ts';

const PROBLEM = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } };
const refused = response('503', { mediaType: 'application/json', schema: PROBLEM });
const contract = contractOf([
  operation({ id: 'listThings', path: '/things', responses: [response('200'), refused] }),
  operation({ id: 'listShelves', path: '/shelves', responses: [response('200'), refused] }),
]);

interface Answer extends Partial<Received> {
  /** What Retry-After says, in seconds. */
  retryAfter?: number;
}

const answeredTo = (operation: string, { retryAfter, ...answer }: Answer): Exchange =>
  exchange({
    operation,
    url: 'http://127.0.0.1/things',
    response: { status: 200, headers: [], body: '', ...answer },
    rate: retryAfter === undefined ? {} : { retryAfter },
  });

/** What is found if the first reads of a run get these answers. */
const foundIn = (things: Answer, shelves: Answer) =>
  setUpProblem(
    [answeredTo('listThings', things), answeredTo('listShelves', shelves)],
    contract,
    'http://127.0.0.1',
  );

const HTML: HeaderLine[] = [['Content-Type', 'text/html; charset=utf-8']];
const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const got = (what: string) => `no sign of the service: GET /things and GET /shelves got ${what}`;

test.each<[what: string, things: Answer, shelves: Answer, problem: object]>([
  [
    'a gateway that asks to come back: the longest time counts',
    { status: 503, retryAfter: 20 },
    { status: 503, retryAfter: 30 },
    { kind: 'unavailable', message: got('503 without a body'), retryAfter: 30 },
  ],
  [
    'a gateway that does not say when to come back',
    { status: 502, headers: HTML, body: PAGE },
    { status: 503, headers: HTML, body: PAGE },
    { kind: 'unavailable', message: got('502 or 503 text/html "502 Bad Gateway"') },
  ],
  [
    'a server without these paths, whenever it asks to come back',
    { status: 404, body: 'no such page', retryAfter: 30 },
    { status: 404, body: 'no such page' },
    { kind: 'absent', message: got('404 without a Content-Type "no such page"') },
  ],
])('in place of the service answers %s', (_what, things, shelves, problem) => {
  expect(foundIn(things, shelves)).toEqual(problem);
});

test('JSON with a success and a documented error are signs of the service, unless no such operation is documented', () => {
  const error = { status: 503, body: '{"code":"down"}' };
  const isShown = (operation: string, answer: Answer) =>
    showsService(answeredTo(operation, answer), contract);
  expect(isShown('listThings', { body: '[]' })).toBe(true);
  expect(isShown('listThings', error)).toBe(true);
  expect(isShown('listThings', { status: 503, body: '{"oops":1}' })).toBe(false);
  expect(isShown('listBooks', { body: '[]' })).toBe(false);
  expect(isShown('listBooks', error)).toBe(false);
});
