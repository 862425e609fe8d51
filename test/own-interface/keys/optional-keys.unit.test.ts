import { expect, test } from 'vitest';
import { costLine } from '../../../src/report/text/announcement.ts';
import { renderPlan } from '../../../src/report/text/run-plan.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { documentWith, judged } from '../small-service.ts';

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
};

/** A feed whose plan depends on who asks. */
function feed(security: object[]): string {
  const schema = {
    type: 'object',
    required: ['plan'],
    properties: { plan: { enum: ['anonymous', 'member'] } },
  };
  const responses = { 200: { description: 'x', content: { 'application/json': { schema } } } };
  return documentWith({ '/feed': { get: { security, responses } } }, { securitySchemes: SCHEMES });
}

test.each([
  ['bearer', { authorization: 'Bearer k-91' }],
  ['query', {}],
])('an optional key (%s) is sent if one is given', async (scheme, headers) => {
  const { asked, report, wrong } = await judged(
    feed([{ [scheme]: [] }, {}]),
    (each) => {
      const isMember = each.headers.authorization !== undefined || each.query.has('api_key');
      return [200, { plan: isMember ? 'MEMBER' : 'anonymous' }];
    },
    { apiKey: 'k-91' },
  );
  expect(asked[0]).toMatchObject({ headers });
  expect(asked[0]?.query.get('api_key')).toBe(scheme === 'query' ? 'k-91' : null);
  expect(wrong).toEqual(['GET /feed.200.body.plan']);
  expect(JSON.stringify(report)).not.toContain('k-91');
});

test('an optional key need not be given, and is not asked for', async () => {
  const { asked, wrong, report } = await judged(feed([{}, { bearer: [] }]), () => [
    200,
    { plan: 'anonymous' },
  ]);
  expect([asked.map(({ headers }) => headers.authorization), wrong]).toEqual([[undefined], []]);
  expect(report.requirements.filter(({ id }) => id.startsWith('authentication.'))).toEqual([]);
});

test('a run by a document without keys does not say that it sends one', async () => {
  const lineFor = async (security: object[]) => {
    const { contract, checks } = await interfaceOf({ interface: feed(security) });
    const options = { ...DEFAULT_OPTIONS, interface: 'x', apiKey: 'k-91' };
    return costLine(makePlan(contract, checks, options), options);
  };
  expect(await lineFor([])).toMatch(/^1 request;/);
  expect(await lineFor([{ bearer: [] }, {}])).toMatch(/^1 request with the key;/);
});

test('the phases of a run name wrong keys only where an operation needs a key', async () => {
  const planFor = async (security: object[]) => {
    const responses = { 200: { description: 'x', content: { 'application/json': { schema: {} } } } };
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', example: 7 } };
    const paths = {
      '/feed': { get: { responses } },
      '/feed/{id}': { get: { security, parameters: [id], responses } },
    };
    const file = documentWith(paths, { securitySchemes: SCHEMES });
    const { contract, checks } = await interfaceOf({ interface: file });
    return renderPlan(makePlan(contract, checks, DEFAULT_OPTIONS), DEFAULT_OPTIONS, contract).split('\n');
  };
  expect(await planFor([{ bearer: [] }])).toContain('trying wrong keys, and reading back');
  const keyless = await planFor([]);
  expect(keyless).toContain('reading');
  expect(keyless.filter((each) => each.includes('keys'))).toEqual([]);
});
