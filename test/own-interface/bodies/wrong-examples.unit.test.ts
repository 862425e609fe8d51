import { expect, test } from 'vitest';
import { renderPlan } from '../../../src/report/text/run-plan.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { documentWith, judged } from '../small-service.ts';

const OK = { 200: { description: 'x' }, 400: { description: 'x' } };
const query = (schema: object, more: object) => ({
  '/seats': {
    get: { parameters: [{ name: 'at', in: 'query', required: true, schema, ...more }], responses: OK },
  },
});

test.each<[what: string, paths: object, words: string, isRight: (value: string) => boolean]>([
  [
    'no date',
    query({ type: 'string', format: 'date' }, { example: 'tomorrow' }),
    'the example "tomorrow" of the parameter at violates its own schema (format), so it is not sent',
    (value) => /^\d{4}-\d\d-\d\d$/.test(value),
  ],
  [
    'below its minimum, beside one that is right',
    query({ type: 'integer', minimum: 7 }, { examples: { low: { value: 2 }, right: { value: 11 } } }),
    'the example 2 of the parameter at violates its own schema (minimum), so it is not sent',
    (value) => value === '11' || Number(value) >= 7,
  ],
  [
    'no UUID',
    query({ type: 'string', format: 'uuid', example: '12345' }, {}),
    'the example "12345" of the parameter at violates its own schema (format), so it is not sent',
    (value) => /^[\da-f-]{36}$/.test(value),
  ],
  [
    'a list with an entry of another type',
    query(
      { type: 'array', items: { type: 'string', format: 'ipv4' } },
      { example: ['10.0.0.1', 'localhost'] },
    ),
    'the example ["10.0.0.1","localhost"] of the parameter at violates its own schema (format), so it is not sent',
    (value) => /^[\d.]+$/.test(value),
  ],
])('an example that is %s is named, and another value is sent', async (_, paths, words, isRight) => {
  const { report, wrong, untested, asked } = await judged(documentWith(paths), ({ query: sent }) =>
    sent.getAll('at').every(isRight) && sent.has('at') ? [200] : [400],
  );
  expect([wrong, untested.filter((id) => id.startsWith('GET'))]).toEqual([[], []]);
  expect(asked.length).toBeGreaterThan(0);
  expect(report.gaps).toContainEqual({ operation: 'GET /seats', isWhole: false, reason: words });
});

test('the right one of several examples is sent', async () => {
  const paths = query(
    { type: 'integer', minimum: 7 },
    { examples: { low: { value: 2 }, right: { value: 11 } } },
  );
  const { asked } = await judged(documentWith(paths), () => [200]);
  expect(asked[0]?.query.get('at')).toBe('11');
});

const body = (schema: object, example?: unknown) =>
  documentWith({
    '/seats': {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema, ...(example ? { example } : {}) } },
        },
        responses: { 201: { description: 'x' }, 400: { description: 'x' } },
      },
    },
    '/seats/{id}': {
      delete: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: OK,
      },
    },
  });
const SEAT = (day: object) => ({ type: 'object', required: ['day'], properties: { day } });
const DAY = { type: 'string', format: 'date' };

test.each<[what: string, file: () => string, words: string]>([
  [
    'of a body',
    () => body(SEAT(DAY), { day: 'soon' }),
    'the example {"day":"soon"} of the body violates its own schema (format), so it is not sent',
  ],
  [
    'of a field of a body',
    () => body(SEAT({ ...DAY, example: 'soon' })),
    'the example "soon" of /day of the body violates its own schema (format), so it is not sent',
  ],
])('an example %s is named and not sent, in the dry run, too', async (_, file, words) => {
  const path = file();
  const { report, asked } = await judged(
    path,
    ({ method, body: sent }) => (method === 'POST' && !sent.includes('soon') ? [201, { id: 1 }] : [200]),
    { write: true },
  );
  expect(asked.filter(({ method, body: sent }) => method === 'POST' && sent.includes('soon'))).toEqual([]);
  expect(asked.some(({ method }) => method === 'POST')).toBe(true);
  expect(report.gaps?.map(({ reason }) => reason)).toContain(words);
  const { contract, checks } = await interfaceOf({ interface: path });
  const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://a.test', interface: path, write: true };
  expect(renderPlan(makePlan(contract, checks, options), options, contract)).toContain(words);
});

test('an example that is right is sent, and nothing is said of it', async () => {
  const { report, asked } = await judged(documentWith(query(DAY, { example: '2024-02-03' })), () => [200]);
  expect([asked[0]?.query.get('at'), report.gaps]).toEqual(['2024-02-03', undefined]);
});

const reserved = (schema: object, more: object = {}) => query(schema, { allowReserved: true, ...more });

test.each<[what: string, paths: object, raw: string]>([
  ['a path and a port', reserved({ type: 'string', example: 'a/b:80' }), 'at=a/b:80'],
  [
    'a question',
    reserved({ type: 'string', example: "who? (me), it's $1!" }),
    'at=who?%20(me),%20it%27s%20$1!',
  ],
  [
    'several values',
    reserved({ type: 'array', items: { type: 'string' } }, { example: ['x/y', 'z@w'] }),
    'at=x/y&at=z@w',
  ],
  [
    'what ends a value, encoded',
    reserved({ type: 'string', example: 'a&b#c+d%2F' }),
    'at=a%26b%23c%2Bd%252F',
  ],
  [
    'nothing, where the document does not allow it',
    query({ type: 'string', example: 'a/b' }, {}),
    'at=a%2Fb',
  ],
])('allowReserved leaves %s', async (_, paths, raw) => {
  const { report } = await judged(documentWith(paths), () => [200]);
  const { contract, checks } = await interfaceOf({ interface: documentWith(paths) });
  const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://a.test', interface: 'x' };
  expect(report.exchanges[0]?.url.split('/seats?')[1]).toBe(raw);
  expect(renderPlan(makePlan(contract, checks, options), options, contract)).toContain(
    raw.replace('%27', "'"),
  );
});

test('reserved characters in the fields of an object are named as not judged', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', example: 'b/c' } } };
  const { contract } = await interfaceOf({ interface: documentWith(reserved(schema)) });
  expect(contract.gaps.map(({ reason }) => reason)).toEqual([
    "allowReserved of the parameter 'at' is not judged, as its value is an object",
  ]);
});
