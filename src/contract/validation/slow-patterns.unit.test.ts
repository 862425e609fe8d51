import { describe, expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { schemaErrors, slowSchemaGaps } from './schema-validator.ts';

// Each takes longer than the age of the universe for the hostile text.
const PATTERN = '^(b+)+$';
const OTHER = '^(?:b|bb|c)+$';
const HOSTILE = `${'b'.repeat(90)}!`;

const keywords = (schema: Schema, value: Json) => schemaErrors(schema, value).map(({ keyword }) => keyword);

describe('a text for which a pattern takes too long', () => {
  test.each<[what: string, schema: Schema, value: Json]>([
    ['a text', { type: 'string', pattern: PATTERN }, HOSTILE],
    ['a text with two such patterns', { allOf: [{ pattern: PATTERN }, { pattern: OTHER }] }, HOSTILE],
    ['what must not match', { not: { pattern: PATTERN } }, HOSTILE],
    ['a oneOf with one member that fits', { oneOf: [{ pattern: PATTERN }, { type: 'string' }] }, HOSTILE],
    ['a condition', { if: { pattern: PATTERN }, else: { maxLength: 4 } }, HOSTILE],
    ['entries, few of which match', { contains: { pattern: PATTERN }, maxContains: 1 }, [HOSTILE, HOSTILE]],
    ['a name', { propertyNames: { pattern: PATTERN } }, { [HOSTILE]: 1 }],
    [
      'a name of a closed object',
      { patternProperties: { [PATTERN]: { type: 'string' } }, additionalProperties: false },
      { [HOSTILE]: 1 },
    ],
    ['an entry of many', { items: { pattern: PATTERN } }, [...Array(2_000).fill('b'), HOSTILE]],
    ['a text with a lookahead', { pattern: '^(?=(b+)+$)' }, HOSTILE],
  ])('violates nothing by it: %s', (_what, schema, value) => {
    expect(schemaErrors(schema, value)).toEqual([]);
  });

  test('violates what else the schema says', () => {
    expect(keywords({ type: 'string', pattern: PATTERN, maxLength: 50 }, HOSTILE)).toEqual(['maxLength']);
    const closed = { properties: { a: { type: 'string' } }, patternProperties: { [PATTERN]: {} } };
    expect(keywords(closed, { a: 1, [HOSTILE]: 1 })).toEqual(['type']);
  });

  test('leaves shorter texts to be judged by it', () => {
    expect(keywords({ pattern: PATTERN }, HOSTILE)).toEqual([]);
    expect(keywords({ pattern: PATTERN }, 'bbb!')).toEqual(['pattern']);
    expect(keywords({ pattern: PATTERN }, 'bbb')).toEqual([]);
    expect(keywords({ not: { pattern: PATTERN } }, 'bbb')).toEqual(['not']);
  });
});

test('a pattern that is fast is judged, however long the text is', () => {
  const text = 'b'.repeat(1_000_000);
  expect(keywords({ pattern: '^b+$' }, text)).toEqual([]);
  expect(keywords({ pattern: '^b+$' }, `${text}!`)).toEqual(['pattern']);
});

test('many texts that are each nearly too slow for a pattern take no longer than one', () => {
  const texts = Array.from({ length: 5_000 }, (_, index) => `${'d'.repeat(24)}!${index}`);
  expect(schemaErrors({ items: { pattern: '^(d+)+$' } }, texts)).toEqual([]);
});

test('the document says more than is judged: which operations, by which pattern, from which length on', () => {
  const schema: Schema = { properties: { code: { pattern: '^(e+)+$' } } };
  const operation = { parameters: [], responses: [{ status: '200', headers: [], schema }] };
  const operations = [
    { ...operation, method: 'GET', path: '/codes' },
    { ...operation, method: 'GET', path: '/others', responses: [] },
  ] as never;
  expect(slowSchemaGaps({ operations })).toEqual([]);
  schemaErrors(schema, { code: `${'e'.repeat(60)}!` });
  schemaErrors(schema, { code: `${'e'.repeat(70)}!` });
  expect(slowSchemaGaps({ operations })).toEqual([
    {
      operation: 'GET /codes',
      isWhole: false,
      reason: 'the pattern ^(e+)+$ takes too long, so no text of 61 characters or more is judged by it',
    },
  ]);
});
