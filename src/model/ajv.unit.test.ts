import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../contract/load.ts';
import { ajvOfRecords, ajvWith } from './ajv.ts';
import { packageRoot } from './package-root.ts';

// `ajvWith` takes every schema for valid. Here each of them is held to the schema of schemas.
test.each([
  'reports/report.schema.json',
  'assets/certificate.schema.json',
  'petspec.config.schema.json',
  'spec/openapi.schema.yaml',
  'petspec.requirements.schema.json',
])('%s is a valid schema', (file) => {
  const schema = parse(readFileSync(join(packageRoot, file), 'utf8'), { merge: true });
  const ajv = String(schema.$schema).includes('draft-07') ? new Ajv() : new Ajv2020();
  expect(ajv.validateSchema(schema)).toBe(true);
});

test('the schemas of the interface are valid', () => {
  const { operations } = loadContract();
  const schemas = operations.flatMap(({ responses }) => responses.flatMap(({ schema }) => schema ?? []));
  expect(schemas.length).toBeGreaterThan(5);
  const ajv = new Ajv2020({ strict: false });
  expect(schemas.filter((schema) => ajv.validateSchema(schema as AnySchema) !== true)).toEqual([]);
});

test('formats are asserted', () => {
  const validate = ajvWith({}).compile({ type: 'string', format: 'date-time' });
  expect([validate('2026-11-22T10:00:00Z'), validate('yesterday')]).toEqual([true, false]);
});

test('a time in a file of petspec is one that its clock can tell', () => {
  const validate = ajvOfRecords({}).compile({ type: 'string', format: 'date-time' });
  const valid = ['1970-01-01T00:00:00Z', '2026-11-22T10:00:00.123+02:00', '9999-12-31T23:59:59.999Z'];
  const invalid = ['2016-12-31T23:59:60Z', '1969-12-31T23:59:59Z', '2026-02-30T10:00:00Z', 'yesterday'];
  expect([...valid, ...invalid].filter((each) => validate(each))).toEqual(valid);
});
