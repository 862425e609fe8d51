import { expect, test } from 'vitest';
import type { Header, Schema } from '../../model/contract.ts';
import { judgeHeaders } from './headers.ts';

const of = (schema: Schema, change: Partial<Header> = {}): Header => ({
  ...{ name: 'Own', required: true, section: 'Headers', description: 'Own' },
  schema,
  ...change,
});

/** What is wrong with such a header, and what is expected in its place. */
function wordsOf(header: Header, value: string): [reason: string, expected: string][] {
  return judgeHeaders([header], [['Own', value]]).deviations.map(({ reason, expected }) => [
    reason.replace(/^Own /, ''),
    expected.replace(/^Own: /, ''),
  ]);
}

test.each<[what: string, schema: Schema, value: string, reason: string, expected: string]>([
  [
    'a number above its bound',
    { type: 'integer', maximum: 60 },
    '70',
    'is not an integer of at most 60',
    'an integer of at most 60',
  ],
  [
    'a text of another form',
    { type: 'string', pattern: '^W/' },
    'abc',
    'does not match ^W/',
    'a string that matches ^W/',
  ],
  [
    'a list that is too long',
    { type: 'array', items: { type: 'integer' }, maxItems: 2 },
    '1, 2, 3',
    'has more than 2 entries',
    'at most 2 entries',
  ],
  [
    'an entry of a list that is of another form',
    { type: 'array', items: { type: 'string', pattern: '^W/' } },
    'W/a, b',
    'is not as documented: /1 does not match ^W/',
    '/1: a string that matches ^W/',
  ],
  [
    'an entry of a list that is of another type',
    { type: 'array', items: { type: 'integer' } },
    '1, b',
    'is not as documented: /1 is not an integer',
    '/1: an integer',
  ],
  [
    'an entry of what may be a list or an integer',
    { 'x-types': ['array', 'integer'], items: { type: 'string', pattern: '^W/' } },
    'abc',
    'is not an array or an integer',
    'an array or an integer',
  ],
])(
  'of a value the broken rule is named, if its type is right: %s',
  (_what, schema, value, reason, expected) => {
    expect(wordsOf(of(schema), value)).toEqual([[reason, expected]]);
  },
);

test('the lines of a list are one list, and lines of JSON are values that may not differ', () => {
  const list = { type: 'array', items: { type: 'integer' }, maxItems: 2 };
  const reasonOf = (header: Header, ...lines: string[]) =>
    judgeHeaders(
      [header],
      lines.map((line) => ['Own', line] as const),
    ).deviations[0]?.reason;
  expect(reasonOf(of(list), '1, 2', '3')).toBe('Own has more than 2 entries');
  expect(reasonOf(of(list, { isJson: true }), '[1]', '[2]')).toBe('Own has different values');
});

const LINK: Schema = { type: 'object', required: ['rel'], properties: { rel: { type: 'string' } } };

test.each<[what: string, value: string, words: [reason: string, expected: string][]]>([
  ['what fits', '{"rel":"next"}', []],
  ['what is not JSON', 'next', [['is not JSON', 'an object with rel']]],
  ['another kind of JSON', '5', [['is not an object with rel', 'an object with rel']]],
  ['a wrong part', '{"rel":5}', [['is not as documented: /rel is not a string', '/rel: a string']]],
  ['a missing part', '{}', [['is not as documented: /rel is missing', '/rel: a string']]],
])('of a header in JSON the wrong place is named: %s', (_what, value, words) => {
  expect(wordsOf(of(LINK, { isJson: true }), value)).toEqual(words);
});

test('a header whose value nobody can judge only has to be there', () => {
  const header = of(LINK, { isUnjudged: true });
  expect(judgeHeaders([header], [['Own', 'rel=next']])).toEqual({ met: ['Own'], deviations: [], hidden: [] });
  expect(judgeHeaders([header], []).deviations).toMatchObject([{ reason: 'Own is absent' }]);
});
