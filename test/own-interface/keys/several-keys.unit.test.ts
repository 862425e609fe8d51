import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const SCHEMES = {
  a: { type: 'apiKey', in: 'header', name: 'X-A' },
  b: { type: 'apiKey', in: 'cookie', name: 'sid' },
  m: { type: 'mutualTLS' },
};

/** Operations by what they ask for. The key of the run is one for the scheme `a`. */
const SECURITY: Readonly<Record<string, object[]>> = {
  onlyA: [{ a: [] }],
  onlyB: [{ b: [] }],
  both: [{ a: [], b: [] }],
  bothOrNone: [{}, { a: [], b: [] }],
  aOrBoth: [{ a: [], b: [] }, { a: [] }],
  certificate: [{ m: [] }],
  undescribed: [{ nothing: [] }],
};

function documentOf(statuses: readonly string[]): string {
  const responses = Object.fromEntries(statuses.map((status) => [status, { description: 'x' }]));
  const query = [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } }];
  const paths = Object.entries(SECURITY).map(([id, security]) => [
    `/${id}`,
    { get: { operationId: id, security, parameters: query, responses } },
  ]);
  return documentWith(Object.fromEntries(paths), { securitySchemes: SCHEMES });
}

const isIn = (path: string, { 'x-a': a }: Asked['headers']) =>
  path === '/bothOrNone' || (a === 'k-a' && (path === '/onlyA' || path === '/aOrBoth'));

test.each([
  [401, ['200', '401']],
  [403, ['200', '401', '403']],
  [403, ['200', '403']],
  [401, ['200']],
  [403, ['200', '401']],
  [403, ['200']],
  [404, ['200', '404']],
])(
  'a key of another scheme that is refused with %d is no violation where %j are documented',
  async (status, statuses) => {
    const answer = ({ path, headers }: Asked): Answered => [isIn(path, headers) ? 200 : status];
    const { report, wrong, asked } = await judged(documentOf(statuses), answer, { apiKey: 'k-a' });
    expect([report.verdict, wrong]).toEqual(['incomplete', []]);
    expect(new Set(asked.map(({ path }) => path))).toEqual(
      new Set(['/onlyA', '/onlyB', '/bothOrNone', '/aOrBoth']),
    );
    expect(report.narrowed.map(({ option }) => option)).toEqual(['no PETSPEC_KEY_A', 'no PETSPEC_KEY_B']);
    expect(report.gaps?.map(({ operation, reason }) => `${operation}: ${reason}`)).toEqual([
      "GET /certificate: it asks for the key 'm', which petspec cannot send yet",
      "GET /undescribed: it asks for the key 'nothing', which petspec cannot send yet",
    ]);
  },
);

test('the reason says that the key may be one of another kind', async () => {
  const answer = ({ path, headers }: Asked): Answered => [isIn(path, headers) ? 200 : 401];
  const { report } = await judged(documentOf(['200', '401']), answer, { apiKey: 'k-a' });
  const { status, reason } = report.requirements.find(({ id }) => id === 'onlyB.200') ?? {};
  expect([status, reason]).toEqual([
    'not-tested',
    'a plain request: refused with 401; the document has several kinds of keys, and the one of this run may not be one for the cookie sid',
  ]);
});

test('an operation that accepts every key is found beside one whose key petspec lacks', async () => {
  const answer = ({ path, headers }: Asked): Answered => [
    path === '/onlyA' || isIn(path, headers) ? 200 : 401,
  ];
  expect((await judged(documentOf(['200', '401']), answer, { apiKey: 'k-a' })).wrong).toEqual(['onlyA.401']);
});
