import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const OBJECT = { type: 'object', required: ['v'], properties: { v: { type: 'integer' } } };

function withHeader(header: object): string {
  const headers = { 'X-Value': { required: true, ...header } };
  return documentWith({ '/things': { get: { responses: { 200: { description: 'x', headers } } } } });
}

function judgedWith(file: string, value: string) {
  return judged(file, () => [200, undefined, { 'X-Value': value }]);
}

test('a header that is written as JSON is parsed and judged', async () => {
  const file = withHeader({ content: { 'application/json': { schema: OBJECT } } });
  const conformant = await judgedWith(file, '{"w":1,"v":1}');
  expect(conformant.met).toEqual(expect.arrayContaining(['X-Value', 'X-Value.schema']));
  const { report, wrong } = await judgedWith(file, '{"w":1,"v":"1"}');
  expect(wrong).toEqual(['X-Value.schema']);
  const violated = report.requirements.find(({ status }) => status === 'violated');
  expect(violated?.reason).toBe('X-Value is not as documented: /v is not an integer');
  expect((await judgedWith(file, 'v=1')).report.requirements).toContainEqual(
    expect.objectContaining({ status: 'violated', reason: 'X-Value is not JSON' }),
  );
});

test.each([
  ['an object', { schema: OBJECT }],
  ['text/csv', { content: { 'text/csv': { schema: { type: 'string' } } } }],
])('a header that is %s is present, and its value is not judged', async (form, header) => {
  const { report, met, wrong } = await judgedWith(withHeader(header), 'v,x');
  expect([wrong, met.filter((id) => id.startsWith('X-Value'))]).toEqual([[], ['X-Value']]);
  expect(report.gaps).toEqual([
    {
      operation: 'GET /things',
      isWhole: false,
      reason: `the value of the header X-Value is ${form}, so it is not judged`,
    },
  ]);
});

test('a header or a response without a description has a statement all the same', async () => {
  const headers = { 'X-Value': { required: true, schema: { type: 'string' } } };
  const content = { 'application/json': { schema: { type: 'object' } } };
  const responses = { 200: { description: '', headers, content } };
  const { report } = await judgedWith(documentWith({ '/things': { get: { responses } } }), 'x');
  const statementOf = (id: string) => report.requirements.find((each) => each.id === id)?.statement;
  expect(statementOf('X-Value')).toBe('Every response carries X-Value.');
  expect(statementOf('GET /things.200.body')).toBe('The body is as documented.');
  expect(report.requirements.filter(({ statement }) => /: \.$/.test(statement))).toEqual([]);
});
