import { expect, test } from 'vitest';
import { countThings } from '../../../src/contract/things/things.ts';
import { requestWords } from '../../../src/report/facts/request-counts.ts';
import { exchange } from '../../exchanges/exchange.ts';
import { contractOf, operation, response } from '../../operations/operations.ts';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const schema = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } };
const content = { 'application/json': { schema } };
const said = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((each) => [each, { description: 'x' }]));
const code = { name: 'code', in: 'path', required: true, schema: { type: 'string' } };

/** Shelves whose codes the client chooses, and which nothing shows. */
const SHELVES = {
  '/racks': { post: { requestBody: { required: true, content }, responses: said(201, 400) } },
  '/racks/{code}': {
    parameters: [code],
    get: { responses: said(200, 404) },
    delete: { responses: said(204, 404) },
  },
};

/** What a run says it created, if creations with a right body get this. */
async function createdBy(
  answer: Answered,
  paths: object = SHELVES,
  others: (asked: Asked) => Answered = () => [404],
) {
  const { report } = await judged(
    documentWith(paths),
    (asked) => {
      if (asked.method !== 'POST') return others(asked);
      const isRight = /^\{"code":"[^"]+"/.test(asked.body);
      return isRight ? answer : [400];
    },
    { write: true },
  );
  const { things } = report.requests;
  const observed = report.requirements.find(({ id }) => id === 'open.left-over')?.observed;
  return { things, observed, words: requestWords(report).replace(/^\d+ requests, /, '') };
}

test.each<[what: string, answer: Answered]>([
  ['without a body', [201]],
  ['with the body alone', [201, { name: 'x' }]],
  ['with a Location of another kind', [201, undefined, { location: '/elsewhere' }]],
  ['with a null in place of the id', [201, { code: null }]],
])('what a 201 %s creates stays, although its address is not known', async (_, answer) => {
  expect(await createdBy(answer)).toEqual({
    things: { created: 2, removed: 0, stillThere: 2, withoutAddress: 2, mayHaveBeenCreated: 0 },
    observed: 'created and still there: 2 without a known address (sent to /racks)',
    words: '2 things created, 2 still there (2 without a known address)',
  });
});

test.each<[what: string, answer: Answered]>([
  ['a failure', [500]],
  ['a gateway that did not wait', [504]],
  ['a promise', [202]],
  ['a redirect', [303, undefined, { location: '/racks' }]],
])('%s does not say that nothing was created', async (_, answer) => {
  const { things, observed, words } = await createdBy(answer);
  const { mayHaveBeenCreated = 0, ...known } = things ?? {};
  expect(known).toEqual({ created: 0, removed: 0, stillThere: 0 });
  expect(mayHaveBeenCreated).toBeGreaterThan(0);
  expect(observed).toBe(
    `nothing was created; ${mayHaveBeenCreated} things may have been created, too (POST /racks)`,
  );
  expect(words).toBe(`${mayHaveBeenCreated} things may have been created`);
});

test('a refusal creates nothing', async () => {
  expect(await createdBy([422])).toEqual({
    things: { created: 0, removed: 0, stillThere: 0, mayHaveBeenCreated: 0 },
    observed: 'nothing was created',
    words: expect.stringMatching(/^\d+ requests$/),
  });
});

const REMOVABLE = {
  '/racks': {
    post: {
      requestBody: { required: true, content },
      responses: {
        201: { description: 'x', content: { 'application/json': { schema } } },
        400: { description: 'x' },
      },
    },
  },
  '/racks/{code}': { parameters: [code], delete: { responses: said(204, 404) } },
};

test('what was removed is counted, and what a removal did not reach', async () => {
  let last = 0;
  const { report } = await judged(
    documentWith(REMOVABLE),
    ({ method, path, body }) => {
      if (method === 'DELETE') return path.endsWith('/r1') ? [204] : [403];
      if (!/"code":"[^"]+"/.test(body)) return [400];
      last += 1;
      return last === 2 ? [503] : [201, { code: `r${last}` }];
    },
    { write: true },
  );
  const { things } = report.requests;
  expect([things?.removed, things?.mayHaveBeenCreated]).toEqual([1, 1]);
  expect(things?.stillThere).toBe((things?.created ?? 0) - 1);
});

test('a replacement that says that it created something is counted at its address', () => {
  const responses = [response('200'), response('201')];
  const put = operation({ id: 'put', method: 'PUT', path: '/racks/{code}', responses });
  const counts = countThings(contractOf([put]));
  const sent = (status: number, path: string, fields: object = {}) =>
    exchange({
      operation: 'put',
      method: 'PUT',
      url: `http://127.0.0.1${path}`,
      response: { status, headers: [], body: '' },
      ...fields,
    });
  counts.add(sent(201, '/racks/a'));
  counts.add(sent(204, '/racks/a'));
  counts.add(sent(503, '/racks/a'));
  counts.add(sent(202, '/racks/b'));
  counts.add(sent(204, '/racks/c'));
  counts.add(sent(204, '/racks/a', { method: 'DELETE', operation: 'other' }));
  counts.add(sent(201, '/racks/d'));
  counts.add(sent(201, '', { url: 'no address' }));
  expect(counts.result()).toEqual({
    created: 2,
    removed: 1,
    othersRemoved: [],
    left: ['/racks/d'],
    unaddressed: [],
    uncertain: ['PUT /racks/b'],
  });
});
