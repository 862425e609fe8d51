import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const KEY = 'reader-7f3a';
const content = { 'application/json': { schema: { type: 'array' } } };
const error = { description: 'No.', content: { 'application/json': { schema: { type: 'object' } } } };
const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };

/** Two operations that ask for a key, and document these refusals. */
function secured(refusals: object): string {
  const responses = { 200: { description: 'Things.', content }, ...refusals };
  const get = (operationId: string) => ({ get: { operationId, security: [{ bearer: [] }], responses } });
  return documentWith({ '/a': get('listA'), '/b': get('listB') }, { securitySchemes });
}

const REFUSALS: [what: string, refusals: object][] = [
  ['only a default', { default: error }],
  ['only a class', { '4XX': error }],
  ['only a 403', { 403: error }],
  ['no refusal', {}],
];

const isRight = ({ headers }: Asked) => headers.authorization === `Bearer ${KEY}`;

test.each(REFUSALS)(
  'with %s in the document, a service that never looks at the key is found',
  async (_, refusals) => {
    const { report, wrong, asked } = await judged(secured(refusals), () => [200, []], { apiKey: KEY });
    expect(report.verdict).toBe('non-conformant');
    expect(wrong).toEqual(['listA.key', 'listB.key']);
    const sent = asked.filter((each) => each.path === '/a').map(({ headers }) => headers.authorization);
    const further = ['Bearer', `Bearer ${KEY}x`];
    const unknown = sent.find(
      (each) => each !== undefined && each !== `Bearer ${KEY}` && !further.includes(each),
    );
    expect(unknown).toMatch(/^Bearer [a-z]{6}-\d[a-z]\d[a-z\d]+$/);
    expect([...new Set(sent)].sort()).toEqual([unknown, `Bearer ${KEY}`, undefined, ...further].sort());
    const found = report.requirements.find(({ id }) => id === 'listA.key');
    expect(found).toMatchObject({ level: 'must', expected: 'status 3XX or 4XX', received: 'status 200' });
  },
);

test.each(REFUSALS)(
  'with %s in the document, a service that lets in any key is found',
  async (_, refusals) => {
    const answer = ({ headers }: Asked): Answered => (headers.authorization ? [200, []] : [403, {}]);
    const { wrong } = await judged(secured(refusals), answer, { apiKey: KEY });
    expect(wrong).toEqual(['authentication.key']);
  },
);

const REJECTIONS: [what: string, rejection: Answered][] = [
  ['a 401', [401, {}]],
  ['a 403', [403, {}]],
  ['a 404', [404, {}]],
  ['a redirect to a login', [302, undefined, { location: '/login' }]],
];

test.each(
  REFUSALS.flatMap(([what, refusals]) =>
    REJECTIONS.map(([how, rejection]) => [what, how, refusals, rejection] as const),
  ),
)('with %s in the document, %s rejects a key', async (_, __, refusals, rejection) => {
  const answer = (asked: Asked): Answered => (isRight(asked) ? [200, []] : rejection);
  const { report, wrong, met } = await judged(secured(refusals), answer, { apiKey: KEY });
  expect([report.verdict, wrong]).toEqual(['conformant', []]);
  expect(met).toEqual(expect.arrayContaining(['listA.key', 'listB.key', 'authentication.key']));
});

test('a service that breaks without a key violates what holds for every response', async () => {
  const answer = (asked: Asked): Answered => (isRight(asked) ? [200, []] : [500, {}]);
  const { wrong } = await judged(secured({}), answer, { apiKey: KEY });
  expect(wrong).toEqual(['listA.responses', 'listB.responses']);
});

test('an operation that refuses the right key as well shows nothing of wrong ones', async () => {
  const answer = (asked: Asked): Answered => (isRight(asked) && asked.path === '/b' ? [200, []] : [403, {}]);
  const { report, wrong, untested } = await judged(secured({ 403: error }), answer, { apiKey: KEY });
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
  expect(untested).toContain('listA.key');
});

test('with --write, what changes something is tested without a key, too', async () => {
  const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const responses = { 201: { description: 'Made.', content: { 'application/json': { schema: thing } } } };
  const requestBody = { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const security = [{ bearer: [] }];
  const path = documentWith(
    {
      '/things': { post: { operationId: 'make', security, requestBody, responses } },
      '/things/{id}': {
        delete: {
          operationId: 'drop',
          security,
          parameters: [id],
          responses: { 204: { description: 'Gone.' } },
        },
      },
    },
    { securitySchemes },
  );
  let made = 0;
  const answer = (asked: Asked): Answered => {
    if (asked.method === 'DELETE') return [204];
    made += 1;
    return isRight(asked) ? [201, { id: `t${made}` }] : [401, {}];
  };
  const { wrong } = await judged(path, answer, { apiKey: KEY, write: true });
  expect(wrong).toEqual(['drop.key']);
});
