import { expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { contractOf, operation, response } from '../../test/operations/operations.ts';
import type { Contract, DocumentedResponse, Schema } from '../model/contract.ts';
import type { HeaderLine, Received } from '../model/exchange.ts';
import { setUpProblem, showsService } from './set-up-problem.ts';

const withText = (name: string): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string' } },
});
const json = (status: string, schema: Schema) => response(status, { mediaType: 'application/json', schema });
const THINGS = json('200', { type: 'array', items: withText('name') });
const ERRORS = [json('400', withText('code')), json('5XX', withText('reason'))];

const TEXT: HeaderLine[] = [['Content-Type', 'text/plain']];
const said = (status: number, body: string, change: Partial<Received> = {}): Received => ({
  status,
  headers: TEXT,
  body,
  ...change,
});

const isSign = (documented: readonly DocumentedResponse[], answer: Received | undefined) =>
  showsService(
    exchange({ operation: 'listThings', response: answer }),
    contractOf([operation({ responses: documented })]),
  );

test.each<[what: string, documented: DocumentedResponse[], answer: Received | undefined, isShown: boolean]>([
  ['no response', [THINGS], undefined, false],
  ['a text where JSON is documented', [THINGS], said(200, 'It works!'), false],
  ['a success that petspec did not read to its end', [THINGS], said(200, '', { unread: 'too large' }), true],
  ['a documented success without a body', [response('200')], said(200, ''), true],
  ['another success without a body', [response('200')], said(202, ''), false],
  ['a success without a body that is not documented', [response('DEFAULT')], said(200, ''), false],
  ['the documented error of the client', [THINGS, ...ERRORS], said(400, '{"code":"bad"}'), true],
  ['an error with the shape of another status', [THINGS, ...ERRORS], said(418, '{"reason":"tea"}'), true],
  ['an error with the shape of neither', [THINGS, ...ERRORS], said(502, '{"oops":"down"}'), false],
  [
    'an error with the shape of the default',
    [json('DEFAULT', withText('code'))],
    said(500, '{"code":"x"}'),
    true,
  ],
  [
    'an error with the shape of a success',
    [json('200', withText('status'))],
    said(503, '{"status":"down"}'),
    false,
  ],
  [
    'an error with whatever a 204 may have',
    [json('204', {}), ...ERRORS],
    said(503, '{"oops":"down"}'),
    false,
  ],
])('%s, as a sign of the service', (_what, documented, answer, isShown) => {
  expect(isSign(documented, answer)).toBe(isShown);
});

const LIMITED: HeaderLine[] = [['RateLimit-Limit', '60']];

/** The kind of problem if the first reads of a run got one answer, at an address that may lack the end of every address. */
const problemAt = (baseUrl: string, answer: Received, change: Partial<Contract> = { basePath: '/v1' }) => {
  const operations = ['things', 'shelves'].map((id) => operation({ id, path: `/${id}` }));
  const exchanges = operations.map(({ id }) => exchange({ operation: id, response: answer }));
  return setUpProblem(exchanges, contractOf(operations, change), baseUrl)?.kind;
};

// Another service at the same host may have the same gateway, which counts requests.
test.each<[what: string, baseUrl: string, kind: string | undefined]>([
  ['lacks its end', 'https://api.example.com', 'absent'],
  ['has its end elsewhere', 'https://api.example.com/v1/pets', 'absent'],
  ['ends right', 'https://api.example.com/v1', undefined],
  ['ends right, with more before', 'https://example.com/api/v1', undefined],
  ['ends right, with a slash', 'https://api.example.com/v1/', undefined],
  ['ends right, with two slashes', 'https://api.example.com/v1//', undefined],
  ['is no address, as in a ledger that somebody wrote', 'api.example.com', undefined],
])(
  'whether a 404 with the headers of a rate limit is held against an address that %s',
  (_what, baseUrl, kind) => {
    expect(problemAt(baseUrl, said(404, 'nothing', { headers: LIMITED }))).toBe(kind);
  },
);

test('an address lacks nothing if the interface says nothing of its end', () => {
  const answer = said(404, 'nothing', { headers: LIMITED });
  expect(problemAt('https://api.example.com', answer, {})).toBeUndefined();
});

test('what is no 404 and has the headers of a rate limit comes from the service, wherever it is', () => {
  const unavailable = said(503, 'down', { headers: LIMITED });
  expect(problemAt('https://api.example.com', unavailable)).toBeUndefined();
  expect(problemAt('https://api.example.com', { ...unavailable, headers: TEXT })).toBe('unavailable');
});
