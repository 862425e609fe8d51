import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { page } from '../../../test/exchanges/answers.ts';
import { type Sample, sampleRun } from '../../../test/reports/sample-runs.ts';
import { startNaive } from '../../../test/services/naive-services.ts';
import { run } from '../../index.ts';

type Schema = { [keyword: string]: unknown };

/** The shipped schema with every object closed, so that a field that it does not describe is an error. */
function closedSchema(): Schema {
  const schema = JSON.parse(
    readFileSync(new URL('../../../reports/report.schema.json', import.meta.url), 'utf8'),
  );
  return close(schema) as Schema;
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, close(each)]));
  return closed.type === 'object' && 'properties' in closed && !('if' in closed)
    ? { ...closed, additionalProperties: false }
    : closed;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
(addFormats as unknown as { default: (instance: unknown) => void }).default(ajv);
const validate = ajv.compile(closedSchema());

const SAMPLES: [what: string, sample: Sample, verdict: string][] = [
  ['a conformant run', {}, 'conformant'],
  ['a broken service', { faults: ['list-one-too-many', 'list-limit-0-all'] }, 'non-conformant'],
  ['an interrupted run', { interruptAfter: 20 }, 'incomplete'],
  ['a run interrupted by the first answer', { interruptAfter: 1 }, 'incomplete'],
  ['a run that sends no POST', { options: { readOnly: true } }, 'conformant'],
  ['a run of one operation', { options: { only: ['getPet'], exhaust: 'none' } }, 'conformant'],
  ['a custom plan', { options: { limits: { minute: 70 } } }, 'conformant'],
];

test.each(SAMPLES)(
  '%s: its report is as the schema says, and holds nothing else',
  async (_, sample, verdict) => {
    const { report } = await sampleRun(sample);
    const read = JSON.parse(JSON.stringify(report));
    expect(validate(read) ? [] : validate.errors).toEqual([]);
    expect(read.verdict).toBe(verdict);
  },
);

test('the report of a service that is down follows the schema, without other fields', async () => {
  const { apiUrl: origin, close } = await startNaive({
    answer: (_, response) => page(response.setHeader('RateLimit-Limit', 9), 503, '<h1>Down</h1>'),
  });
  const report = await run({ baseUrl: origin, apiKey: 'a-key', exhaust: 'none', readOnly: true });
  await close();
  const read = JSON.parse(JSON.stringify(report));
  expect(validate(read) ? [] : validate.errors).toEqual([]);
  expect(read).toMatchObject({ rootCause: { kind: 'status' }, hints: [{ kind: 'base-path' }, {}] });
});

test('the fields that the design promises are there', async () => {
  const { report } = await sampleRun({ faults: ['list-one-too-many'], options: { readOnly: true } });
  const read = JSON.parse(JSON.stringify(report));
  expect(read).toMatchObject({
    schemaVersion: expect.any(Number),
    suite: {
      name: 'petspec',
      version: expect.any(String),
      specVersion: '1.0.0',
      specDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    target: { baseUrl: expect.any(String), apiUrl: expect.any(String), plan: 'free' },
    verdict: 'non-conformant',
    narrowed: [{ option: '--read-only', requirements: expect.arrayContaining(['createPet.201']) }],
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
    durationMs: expect.any(Number),
    virtualTime: true,
    requests: { total: expect.any(Number), withKey: expect.any(Number), byPurpose: {}, created: [] },
  });
  const violated = read.requirements.find(({ status }: { status: string }) => status === 'violated');
  expect(violated).toMatchObject({
    id: expect.any(String),
    level: 'must',
    section: expect.any(String),
    operation: 'listPets',
    statement: expect.any(String),
    exercised: true,
    reason: expect.any(String),
    expected: expect.any(String),
    received: expect.any(String),
    curl: expect.stringMatching(/^curl /),
    evidence: expect.arrayContaining([expect.any(Number)]),
  });
  const ids = read.exchanges.map(({ id }: { id: number }) => id);
  const cited = read.requirements.flatMap(({ evidence }: { evidence: number[] }) => evidence);
  expect(cited).not.toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(cited));
});

test.each([
  ['no verdict', (report: Schema) => ({ ...report, verdict: undefined })],
  ['another schemaVersion', (report: Schema) => ({ ...report, schemaVersion: 2 })],
  [
    'a status of another name',
    (report: Schema) => ({ ...report, requirements: [{ id: 'x', status: 'failed' }] }),
  ],
  ['evidence that is not an id', (report: Schema) => ({ ...report, exchanges: [{ id: 'one' }] })],
])('a report with %s is refused', async (_, spoil) => {
  const { report } = await sampleRun({ options: { only: ['open.ordering'] } });
  expect(validate(JSON.parse(JSON.stringify(spoil({ ...report }))))).toBe(false);
});
