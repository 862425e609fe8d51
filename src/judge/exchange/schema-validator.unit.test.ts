import { describe, expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import { type Json, parseJson } from '../../model/json.ts';
import { schemaErrors } from './schema-validator.ts';

/** The value that a JSON text stands for: integers beyond 2^53 keep all their digits. */
function json(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

const isValid = (schema: Schema, text: string) => schemaErrors(schema, json(text)).length === 0;

describe('timestamps of ISO 8601', () => {
  const schema = { type: 'string', format: 'iso-8601-timestamp' };

  test.each([
    '2026-11-21T12:34:56Z',
    '2026-11-21T12:34:56z',
    '2026-11-21t12:34:56Z',
    '2026-11-21T12:34:56.789Z',
    '2026-11-21T12:34:56,789012Z',
    '2026-11-21T12:34:56',
    '2026-11-21T12:34',
    '2026-11-21T12',
    '2026-11-21T12.5Z',
    '2026-11-21T12:34.5+01',
    '2026-11-21T12:34:56+01:30',
    '2026-11-21T12:34:56-11:00',
    '2026-11-21T12:34:56+14',
    '2026-01-01T00:00:00Z',
    '2026-12-31T23:59:59Z',
    '2026-10-10T19:10:10Z',
    '2026-09-09T09:09:09Z',
    '2026-11-21T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2024-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
    '2026-02-28T00:00:00Z',
    '2026-04-30T00:00:00Z',
    '20261121T123456Z',
    '20261121T123456.789Z',
    '20261121T123456,7+0130',
    '20261121T123456-11',
    '20261121T1234',
    '20261121T123460Z',
    '20261121T12',
    '20240229T120000Z',
    '20260101T000000+19',
    '20261231T240000Z',
    '20261009T190909Z',
    '2026-W01-1T12:00:00Z',
    '2026-W09-7T12:00:00Z',
    '2026-W47-6T12:00:00Z',
    '2026-W53-1T12:00:00Z',
    '2026-w53-1T12:00:00Z',
    '2026W476T120000Z',
    '2026W091T120000Z',
    '2026W537T120000Z',
    '2026w537T120000Z',
    '2026-001T12:00:00Z',
    '2026-010T12:00:00Z',
    '2026-099T12:00:00Z',
    '2026-199T12:00:00Z',
    '2026-209T12:00:00Z',
    '2026-325T12:00:00Z',
    '2026-349T12:00:00Z',
    '2026-365T12:00:00Z',
    '2024-366T12:00:00Z',
    '2026001T120000Z',
    '2026010T120000Z',
    '2026099T120000Z',
    '2026199T120000Z',
    '2026209T120000Z',
    '2026325T120000Z',
    '2026360T120000Z',
    '2026365T120000Z',
    '2024366T120000Z',
    '2000366T120000Z',
  ])('%s is one', (text) => {
    expect(isValid(schema, JSON.stringify(text))).toBe(true);
  });

  test.each([
    '',
    'now',
    '1795262400',
    '1795262400000',
    '2026-11-21',
    '2026-11-21 12:34:56Z',
    '2026-11-21T',
    '2026-11-21T1',
    '2026-11-21T12:3',
    '2026-11-21T12:34:5',
    '2026-11-21T12:34:56.Z',
    '2026-11-21T12:34:56ZZ',
    '2026-11-21T12:34:56 UTC',
    '2026-11-21T12:34:56+1',
    '2026-11-21T12:34:56+01:',
    '2026-11-21T12:34:56+01:60',
    '2026-11-21T12:34:56+21:00',
    '2026-11-21T12:34:56*01:00',
    '2026-11-21T25:00:00Z',
    '2026-11-21T32:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-11-21T12:34:61Z',
    '2026-11-21T12:34:70Z',
    ' 2026-11-21T12:34:56Z',
    '2026-11-21T12:34:56Z ',
    'x2026-11-21T12:34:56Z',
    '12026-11-21T12:34:56Z',
    '226-11-21T12:34:56Z',
    'yyyy-11-21T12:34:56Z',
    '2026-00-21T12:34:56Z',
    '2026-13-21T12:34:56Z',
    '2026-20-21T12:34:56Z',
    '2026-1-21T12:34:56Z',
    '2026-11-00T12:34:56Z',
    '2026-11-1T12:34:56Z',
    '2026-11-32T12:34:56Z',
    '2026-11-40T12:34:56Z',
    '2026-11-31T12:34:56Z',
    '2026-02-29T12:34:56Z',
    '2024-02-30T12:34:56Z',
    '1900-02-29T12:34:56Z',
    '2026-1121T12:34:56Z',
    '202611-21T12:34:56Z',
    '21/11/2026 12:34',
    'Sat, 21 Nov 2026 12:34:56 GMT',
    '20261121',
    '20261121T12345',
    '20261121T123',
    '20261121T1',
    '20261121T123456.Z',
    '20261121T123456+1',
    '20261121T123456+013',
    '20261121T123456+0160',
    '20261121T123456+21',
    '20261121T123456*01',
    '20261121T126000Z',
    '20261121T123461Z',
    '20261121T250000Z',
    '20261121T320000Z',
    '20261321T123456Z',
    '20260021T123456Z',
    '20261132T123456Z',
    '20261140T123456Z',
    '20261100T123456Z',
    '20261131T123456Z',
    '20260229T123456Z',
    'x20261121T123456Z',
    '20261121T123456Zx',
    '20261121T12:34:56Z',
    '2026-W00-1T12:00:00Z',
    '2026-W54-1T12:00:00Z',
    '2026-W60-1T12:00:00Z',
    '2026-W4-1T12:00:00Z',
    '2026-W47-0T12:00:00Z',
    '2026-W47-8T12:00:00Z',
    '2026-W476T12:00:00Z',
    '2026W000T120000Z',
    '2026W001T120000Z',
    '2026W541T120000Z',
    '2026W601T120000Z',
    '2026W470T120000Z',
    '2026W478T120000Z',
    '2026W47T120000Z',
    '2026-000T12:00:00Z',
    '2026-366T12:00:00Z',
    '2024-367T12:00:00Z',
    '2024-370T12:00:00Z',
    '2024-400T12:00:00Z',
    '2026-32T12:00:00Z',
    '2026000T120000Z',
    '2026366T120000Z',
    '2024367T120000Z',
    '2024370T120000Z',
    '2024400T120000Z',
    '1900366T120000Z',
    '202632T120000Z',
  ])('%s is not one', (text) => {
    expect(isValid(schema, JSON.stringify(text))).toBe(false);
  });

  test.each(['0', 'null', '{}'])('%s is no string', (text) => {
    expect(isValid(schema, text)).toBe(false);
  });
});

describe('numbers', () => {
  const ID = { type: 'integer', format: 'int64' };

  test.each<[schema: Schema, text: string, valid: boolean]>([
    [ID, '0', true],
    [ID, '1.0', true],
    [ID, '1e3', true],
    [ID, '1.5', false],
    [ID, '9007199254740993', true],
    [ID, '9223372036854775807', true],
    [ID, '9223372036854775808', false],
    [ID, '-9223372036854775808', true],
    [ID, '-9223372036854775809', false],
    [ID, '1e400', false],
    [ID, '"1"', false],
    [ID, 'true', false],
    [ID, 'null', false],
    [{ type: 'integer', format: 'int32' }, '2147483647', true],
    [{ type: 'integer', format: 'int32' }, '2147483648', false],
    [{ type: 'integer', format: 'int32' }, '-2147483648', true],
    [{ type: 'integer', format: 'int32' }, '-2147483649', false],
    [{ type: 'integer' }, '9223372036854775808', true],
    [{ type: 'number', format: 'int32' }, '2147483648', true],
    [{ type: 'integer', format: 'of-another-world' }, '5', true],
    [{ type: 'number' }, '1.5', true],
    [{ type: 'number' }, '"1.5"', false],
    [{ type: 'number' }, '1e400', false],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '0', false],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '1', true],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '100', true],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '101', false],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '9007199254740993', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '1', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '1.5', true],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '2', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '0', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '3', false],
  ])('%o: %s: %s', (schema, text, valid) => {
    expect(isValid(schema, text)).toBe(valid);
  });
});

describe('other schemas', () => {
  const DATE_OR_SECONDS = {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', format: 'http-date' },
    ],
  };

  test.each<[schema: Schema, text: string, valid: boolean]>([
    [DATE_OR_SECONDS, '30', true],
    [DATE_OR_SECONDS, '-1', false],
    [DATE_OR_SECONDS, '"Sat, 21 Nov 2026 12:34:56 GMT"', true],
    [DATE_OR_SECONDS, '"Saturday, 21-Nov-26 12:34:56 GMT"', true],
    [DATE_OR_SECONDS, '"soon"', false],
    [DATE_OR_SECONDS, '"30"', false],
    [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, '9007199254740993', true],
    [{ type: 'string', enum: ['a', 'b'] }, '"a"', true],
    [{ type: 'string', enum: ['a', 'b'] }, '"A"', false],
    [{ type: 'string' }, '5', false],
    [{ type: 'string', format: 'email' }, '"a@example.com"', true],
    [{ type: 'string', format: 'email' }, '"a"', false],
    [{ format: 'email' }, '"a"', false],
    [{}, '"anything"', true],
    [{ items: { type: 'string' } }, '["a"]', true],
    [{ items: { type: 'string' } }, '["a", 5]', false],
  ])('%o: %s: %s', (schema, text, valid) => {
    expect(isValid(schema, text)).toBe(valid);
  });

  test('says where a value is wrong and what is missing, as segments of a JSON Pointer', () => {
    const schema: Schema = {
      type: 'array',
      items: {
        type: 'object',
        required: ['a/b', 'c'],
        properties: {
          'a/b': { type: 'integer' },
          c: { type: 'object', properties: { '~1': { type: 'string' } } },
        },
      },
    };
    const errors = schemaErrors(
      schema,
      json('[{"a/b": 1, "c": {}}, {"a/b": "1", "c": {"~1": 0}}, {"c": {}}, 5]'),
    );
    expect(errors).toHaveLength(4);
    expect(errors).toEqual(
      expect.arrayContaining([
        { pointer: ['1', 'a/b'], missing: false, keyword: 'type' },
        { pointer: ['1', 'c', '~1'], missing: false, keyword: 'type' },
        { pointer: ['2', 'a/b'], missing: true, keyword: 'required' },
        { pointer: ['3'], missing: false, keyword: 'type' },
      ]),
    );
    expect(schemaErrors(schema, json('[{"a/b": 1, "c": {}}]'))).toEqual([]);
  });

  test.each<[broken: string, rule: Schema, value: string]>([
    ['type', { type: 'integer', minimum: 5 }, '"4"'],
    ['type', { type: 'integer', minimum: 5 }, '4.5'],
    ['type', { type: 'number', maximum: 5 }, 'null'],
    ['minimum', { type: 'integer', minimum: 5, maximum: 9 }, '4'],
    ['maximum', { type: 'integer', minimum: 5, maximum: 9 }, '10'],
    ['maximum', { type: 'number', minimum: 0, maximum: 1 }, '1.5'],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0, maximum: 1 }, '0'],
    ['exclusiveMaximum', { type: 'number', minimum: 0, exclusiveMaximum: 1 }, '1'],
    ['minimum', { type: 'integer', format: 'int64', minimum: 0 }, '-1'],
    ['format', { type: 'integer', format: 'int64', minimum: 0 }, '9223372036854775808'],
    ['format', { type: 'integer', format: 'int32' }, '2147483648'],
    ['maxLength', { type: 'string', maxLength: 1 }, '"ab"'],
    ['enum', { type: 'string', enum: ['a'] }, '"b"'],
    ['format', { type: 'string', format: 'http-date' }, '"today"'],
  ])('names what is broken: %s of %o by %s', (broken, rule, value) => {
    expect(schemaErrors(rule, json(value)).map(({ keyword }) => keyword)).toEqual([broken]);
  });
});
