import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/index.ts';
import { exitStatusOf } from '../../../src/model/report/report.ts';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const LIST = { description: 'Things.', content: { 'application/json': { schema: { type: 'array' } } } };
const PROBLEM = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' } },
};
const REFUSED = { description: 'No.', content: { 'application/json': { schema: PROBLEM } } };
const read = (id: string, more: object = {}) => ({
  get: { operationId: id, responses: { 200: LIST, 401: REFUSED }, ...more },
});
const KEY = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
const OTHER = { other: { type: 'http', scheme: 'bearer' } };
const SECURED = { security: [{ key: [] }] };

const shop = (count: number, components: object = { securitySchemes: { ...KEY, ...OTHER } }) =>
  documentWith(
    {
      '/health': read('health'),
      ...Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`/things${index}`, read(`list${index}`, SECURED)]),
      ),
      '/last': read('last', { security: [{ other: [] }] }),
    },
    components,
  );

const withKey = (asked: readonly Asked[]) =>
  asked.filter(({ headers }) => headers['x-key'] === 'right-1' || headers.authorization === 'Bearer right-1');

async function outcomeOf(path: string, answer: (asked: Asked) => Answered, settings: object = {}) {
  const { report, asked } = await judged(path, answer, { apiKey: 'right-1', ...settings });
  const { verdict, because, stopped } = report;
  return {
    outcome: [verdict, exitStatusOf(report), stopped?.kind],
    because,
    asked: [...asked],
    hints: report.hints,
  };
}

describe('a key that is refused, beside a public operation', () => {
  const refusing =
    (status: number, accepted?: string) =>
    ({ path }: Asked): Answered =>
      path === '/health' || path === accepted ? [200, []] : [status, { title: 'no' }];

  test.each([401, 403])('with %i by every operation that needs one', async (status) => {
    const { outcome, because, asked } = await outcomeOf(shop(4), refusing(status));
    expect(outcome).toEqual(['incomplete', 3, 'key-refused']);
    expect(because).toMatch(/^the key is refused by every operation that needs one: check /);
    expect(withKey(asked)).toHaveLength(5);
  });

  test('by the first ten of many; each kind of key is tried', async () => {
    const { outcome, because, asked } = await outcomeOf(shop(30), refusing(401));
    expect(outcome).toEqual(['incomplete', 3, 'key-refused']);
    expect(because).toContain('by each of the first 10 operations that need one');
    expect(withKey(asked)).toHaveLength(10);
    expect(asked.map(({ path }) => path)).toContain('/last');
  });

  test('and is accepted by one: the run goes on', async () => {
    const { outcome } = await outcomeOf(shop(4), refusing(401, '/last'));
    expect(outcome[2]).toBeUndefined();
  });
});

describe('what is not the service', () => {
  const page: Answered = [
    200,
    Buffer.from('<!doctype html><title>Sign in</title>'),
    { 'content-type': 'text/html' },
  ];

  test('gets one read of each of three operations', async () => {
    const { outcome, asked, hints } = await outcomeOf(shop(4), () => page);
    expect(outcome).toEqual(['incomplete', 3, 'not-the-service']);
    expect(asked.map(({ path }) => path)).toEqual(['/health', '/things0', '/things1']);
    expect(hints?.map(({ kind }) => kind)).toEqual(['gateway']);
  });

  test.each([1, 2])('gets each read twice, where there are %i', async (count) => {
    const paths = Object.fromEntries(['/a', '/b'].slice(0, count).map((path) => [path, read(path.slice(1))]));
    const { outcome, asked } = await outcomeOf(documentWith(paths), () => page);
    expect(outcome).toEqual(['incomplete', 3, 'not-the-service']);
    expect(asked.map(({ path }) => path)).toEqual(
      ['/a', '/b', '/a', '/b'].filter((path) => path === '/a' || count > 1),
    );
  });

  test('may answer once in its place: the run goes on', async () => {
    let count = 0;
    const { outcome } = await outcomeOf(documentWith({ '/a': read('a') }), () => {
      count += 1;
      return count === 1 ? page : [200, []];
    });
    expect(outcome).toEqual(['non-conformant', 1, undefined]);
  });
});

describe('the service', () => {
  const TEXT = { description: 'Page.', content: { 'text/html': { schema: { type: 'string' } } } };

  test.each<[what: string, paths: object, answer: Answered]>([
    [
      'that documents pages',
      { responses: { 200: TEXT } },
      [200, Buffer.from('<html>hello</html>'), { 'content-type': 'text/html' }],
    ],
    ['that documents no content', { responses: { 204: { description: 'Done.' } } }, [204]],
    ['that is broken, and says so as it documents', {}, [503, { title: 'broken' }]],
  ])('%s is judged', async (_, more, answer) => {
    const paths = { '/a': read('a', more), '/b': read('b', more), '/c': read('c', more) };
    const responses = { '/d': { get: { operationId: 'd', responses: { 200: LIST, 503: REFUSED } } } };
    const { outcome } = await outcomeOf(documentWith({ ...paths, ...responses }), () => answer);
    expect(outcome[2]).toBeUndefined();
  });

  test('whose example ids do not exist is there: such a 404 says nothing', async () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a1' };
    const paths = Object.fromEntries(
      ['x', 'y', 'z'].map((name) => [`/${name}/{id}`, read(name, { parameters: [id] })]),
    );
    const { outcome, asked } = await outcomeOf(documentWith(paths), () => [404, { detail: 'none' }]);
    expect(outcome[2]).toBeUndefined();
    expect(asked.length).toBeGreaterThan(2);
  });

  test('is written to only after a response that it documents', async () => {
    const body = { content: { 'application/json': { schema: PROBLEM } } };
    const path = documentWith({
      '/a': { ...read('a'), post: { operationId: 'add', requestBody: body, responses: { 201: LIST } } },
      '/b': read('b'),
      '/c': read('c'),
    });
    const clock = new VirtualClock(Date.now());
    const { asked } = await outcomeOf(path, () => [500, { oops: 1 }], { write: true, clock });
    expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
