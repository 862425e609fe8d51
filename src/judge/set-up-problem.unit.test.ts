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
  operation({ id: 'getThing', path: '/things/{id}', responses: [response('200'), refused] }),
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

const TEXT: HeaderLine[] = [['Content-Type', 'text/plain']];
const SHOP = '<!doctype html><title>Shop</title>';
const said = (status: number, body: string): Answer => ({ status, headers: TEXT, body });

test.each<[what: string, things: Answer, shelves: Answer, kind: string | undefined]>([
  ['a gateway that once reached something', said(503, 'down'), said(500, 'oops'), undefined],
  ['a server that lacks one path alone', said(404, 'none'), said(410, 'gone'), undefined],
  ['a page for each address', { status: 200, body: SHOP }, { status: 403, body: SHOP }, 'page'],
  ['a page for one address alone', { status: 200, body: SHOP }, said(404, 'none'), undefined],
  ['a text with a success', said(200, 'It works!'), said(200, 'It works!'), 'no-json'],
  ['a text with a refusal', said(400, 'bad host'), said(400, 'bad host'), 'no-json'],
  ['texts with different statuses', said(200, 'It works!'), said(400, 'bad host'), undefined],
  ['JSON of another shape', said(500, '{"oops":1}'), said(500, '{"oops":1}'), undefined],
  ['a text, and JSON of another shape', said(500, 'oops'), said(500, '{"oops":1}'), undefined],
  ['a choice of addresses', said(300, 'choose'), said(300, 'choose'), undefined],
  ['a redirect to nowhere', said(302, 'moved'), said(302, 'moved'), undefined],
  ['a page that refuses the key', { status: 401, body: SHOP }, { status: 401, body: SHOP }, undefined],
  ['a page that refuses the key once', { status: 200, body: SHOP }, { status: 401, body: SHOP }, undefined],
  ['refusals by the limit alone', said(429, 'slow down'), said(429, 'slow down'), undefined],
  ['a gateway, and a refusal by the limit', said(429, 'slow down'), said(503, 'down'), 'unavailable'],
])('%s as the answer to the first reads', (_what, things, shelves, kind) => {
  expect(foundIn(things, shelves)?.kind).toBe(kind);
});

test('a record that is not found says nothing of the service, unless an address without an id is not found either', () => {
  const found = (...operations: string[]) =>
    setUpProblem(
      operations.map((each) => answeredTo(each, said(404, '{"oops":1}'))),
      contract,
      'http://127.0.0.1',
    )?.kind;
  expect(found('getThing')).toBeUndefined();
  expect(found('listThings', 'getThing')).toBe('absent');
});

test('an operation that the document does not list is not named', () => {
  const answers = ['listBooks', 'listThings'].map((each) => answeredTo(each, said(404, 'none')));
  expect(setUpProblem(answers, contract, 'http://127.0.0.1')).toEqual({
    kind: 'absent',
    message: 'no sign of the service: GET /things got 404 text/plain "none"',
  });
});
