import { expect, test } from 'vitest';
import { type Answered, documentWith, judged } from '../small-service.ts';

const THING = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
const OTHER = { type: 'object', required: ['b'], properties: { b: { type: 'string' } } };
const inJson = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });

/** The findings about one operation with these responses, if the service answers so. */
async function findings(responses: object, answered: Answered) {
  const path = documentWith({
    '/a': { get: { operationId: 'get', responses } },
    '/z': { get: { operationId: 'other', responses: { 200: { description: 'x' } } } },
  });
  const { report, wrong, asked } = await judged(path, (each) => (each.path === '/a' ? answered : [200]));
  return { wrong, report, accept: asked.find((each) => each.path === '/a')?.headers.accept };
}

test.each([204, 205])('a %d has no body, although its class is documented with one', async (status) => {
  const { wrong, report } = await findings({ '2XX': inJson(THING) }, [status]);
  expect([report.verdict, wrong]).toEqual(['conformant', []]);
});

test('a 304 has no body, although it is documented with one', async () => {
  expect((await findings({ 200: inJson(THING), 304: inJson(THING) }, [304])).wrong).toEqual([]);
});

test('another status of the class has to have the body', async () => {
  expect((await findings({ '2XX': inJson(THING) }, [200])).wrong).toEqual(['get.2XX.body']);
});

const LIST = { type: 'array', items: { type: 'integer' } };

test.each<[schema: object, value: string | string[], isRight: boolean]>([
  [{ oneOf: [{ type: 'number' }, { enum: ['n/a'] }] }, '0.5', true],
  [{ oneOf: [{ type: 'number' }, { enum: ['n/a'] }] }, 'n/a', true],
  [{ oneOf: [{ type: 'number' }, { enum: ['n/a'] }] }, 'none', false],
  [{ type: ['number', 'boolean'] }, '0.5', true],
  [{ type: ['number', 'boolean'] }, 'half', false],
  [{ type: 'number' }, '1e-7', true],
  [{ type: 'number' }, '1.5E+3', true],
  [{ type: 'number', maximum: 1 }, '1e3', false],
  [{ type: 'integer' }, '5.0', false],
  [{ anyOf: [LIST, { enum: ['*'] }] }, '1,2', true],
  [{ anyOf: [LIST, { enum: ['*'] }] }, ['1', '2'], true],
  [{ anyOf: [LIST, { enum: ['*'] }] }, '*', true],
  [{ anyOf: [LIST, { enum: ['*'] }] }, '1,x', false],
  [{ type: ['array', 'null'], items: { type: 'integer' } }, '1, 2', true],
  [{ type: 'integer' }, ['1', '2'], false],
  [{ type: 'array', items: { type: 'string' }, maxItems: 2 }, '"a, b", c', true],
  [{ type: 'array', items: { type: 'string' }, maxItems: 2 }, 'a, b, c', false],
  [{ type: 'object', properties: { r: { type: 'integer' } } }, 'r=1,g=2', true],
])('a header with the schema %j and the value %j', async (schema, value, isRight) => {
  const responses = { 200: { description: 'x', headers: { 'X-H': { schema } } } };
  const { wrong } = await findings(responses, [200, undefined, { 'x-h': value }]);
  expect(wrong).toEqual(isRight ? [] : ['X-H.schema']);
});

const VERSIONS = {
  'application/vnd.x+json; version=1': { schema: THING },
  'application/vnd.x+json; version=2': { schema: OTHER },
};

test.each<[content: object, type: string, value: object, wrong: string[]]>([
  [VERSIONS, 'application/vnd.x+json; version=2', { b: 'x' }, []],
  [VERSIONS, 'application/vnd.x+json;Version="1"', { a: 'x' }, []],
  [VERSIONS, 'application/vnd.x+json; version=1', { b: 'x' }, ['get.200.body.a']],
  [VERSIONS, 'application/vnd.x+json; version=1; charset=utf-8', { b: 'x' }, ['get.200.body.a']],
  // Nothing says which of them it is.
  [VERSIONS, 'application/vnd.x+json', { b: 'x' }, []],
  [VERSIONS, 'application/json', { a: 'x' }, ['service.content-type']],
  [
    { 'application/json; charset=utf-8': { schema: THING } },
    'application/json',
    { b: 'x' },
    ['get.200.body.a'],
  ],
  [{ 'application/json; profile=p': { schema: THING } }, 'application/json', { b: 'x' }, ['get.200.body.a']],
  [
    { '*/*': { schema: THING }, 'application/vnd.b+json': { schema: OTHER } },
    'application/vnd.b+json',
    { b: 'x' },
    [],
  ],
  [{ '*/*': { schema: THING }, 'text/csv': {} }, 'application/json', { b: 'x' }, ['get.200.body.a']],
])('with the content %j, a body of the type %s that is %j', async (content, type, value, wrong) => {
  const responses = { 200: { description: 'x', content } };
  expect((await findings(responses, [200, value, { 'content-type': type }])).wrong).toEqual(wrong);
});

test('Accept names the parameters of a media type', async () => {
  const { accept } = await findings({ 200: { description: 'x', content: VERSIONS } }, [200, { a: 'x' }]);
  expect(accept).toBe(Object.keys(VERSIONS).join(', '));
});

const MOVED = { description: 'x', headers: { Location: { required: true, schema: { type: 'string' } } } };

test.each(['302', '3XX'])('where only a %s is documented, a redirect is what is due', async (status) => {
  const { report, wrong } = await findings({ [status]: MOVED, 404: { description: 'None.' } }, [
    302,
    undefined,
    { location: '/file' },
  ]);
  expect([report.verdict, wrong]).toEqual(['conformant', []]);
  const found = report.requirements.find(({ id }) => id === `get.${status}`);
  expect(found).toMatchObject({ level: 'must', status: 'met' });
  expect((await findings({ [status]: MOVED }, [302])).wrong).toEqual(['Location']);
  expect((await findings({ [status]: MOVED }, [200])).wrong).toEqual([`get.${status}`]);
});

test('a redirect beside a success says that nothing was shown', async () => {
  const responses = { 200: inJson(THING), 302: MOVED };
  const { report, wrong } = await findings(responses, [302, undefined, { location: '/file' }]);
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
});
