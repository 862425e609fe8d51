import { describe, expect, test } from 'vitest';
import type { Header } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { judgeHeaders } from './headers.ts';

function header(name: string, required: boolean, schema: Header['schema'] = { type: 'integer' }): Header {
  return { name, required, section: 'Headers', description: name, schema };
}

const COUNT = header('Count', true);
const LEFT = header('Left', true);
const NOTE = header('Note', false);
const WORD = header('Word', true, { type: 'string' });

function judge(headers: readonly Header[], lines: readonly HeaderLine[]) {
  const { met, deviations } = judgeHeaders(headers, lines);
  return { met, deviations };
}

describe('headers of a response', () => {
  test('those that are absent all together hide behind the first', () => {
    const { hidden } = judgeHeaders([COUNT, LEFT, NOTE], []);
    expect(hidden).toEqual([
      {
        requirement: 'Left',
        headers: ['Left'],
        kind: 'header',
        reason: 'Left is absent',
        expected: 'Left: an integer',
        received: 'no Left header',
      },
    ]);
    expect(judgeHeaders([COUNT, LEFT, NOTE], [['Left', '4']]).hidden).toEqual([]);
  });

  test('each that is there and holds what it should is met twice: its presence and its value', () => {
    const lines: HeaderLine[] = [
      ['count', '5'],
      ['LEFT', '4'],
    ];
    expect(judge([COUNT, LEFT, NOTE], lines)).toEqual({
      met: ['Count', 'Count.schema', 'Left', 'Left.schema'],
      deviations: [],
    });
  });

  test('one that is absent is a deviation, unless it need not be there', () => {
    expect(judge([COUNT, LEFT, NOTE], [['Left', '4']])).toEqual({
      met: ['Left', 'Left.schema'],
      deviations: [
        {
          requirement: 'Count',
          headers: ['Count'],
          kind: 'header',
          reason: 'Count is absent',
          expected: 'Count: an integer',
          received: 'no Count header',
        },
      ],
    });
  });

  test('all that are required and absent are one deviation', () => {
    expect(judge([COUNT, LEFT, NOTE], [['Note', '5']])).toEqual({
      met: ['Note', 'Note.schema'],
      deviations: [
        {
          requirement: 'Count',
          headers: ['Count', 'Left'],
          kind: 'header',
          reason: 'Count, Left are absent',
          expected: 'Count, Left',
          received: 'none of these headers',
        },
      ],
    });
  });

  test('an optional one before them that is wrong is a deviation of its own', () => {
    const { deviations, hidden } = judgeHeaders([NOTE, COUNT, LEFT], [['Note', 'many']]);
    expect(deviations.map(({ requirement, reason }) => [requirement, reason])).toEqual([
      ['Count', 'Count, Left are absent'],
      ['Note.schema', 'Note is not an integer'],
    ]);
    expect(hidden.map(({ requirement }) => requirement)).toEqual(['Left']);
  });

  test('the only one that is required is absent by itself', () => {
    expect(judge([COUNT, NOTE], []).deviations).toMatchObject([
      { requirement: 'Count', reason: 'Count is absent' },
    ]);
    expect(judge([NOTE], [])).toEqual({ met: [], deviations: [] });
  });

  test.each<[what: string, schema: Header['schema'], fits: string[][], fails: string[][]]>([
    ['a boolean', { type: 'boolean' }, [['true'], ['false']], [['yes'], ['1']]],
    [
      'a number',
      { type: 'number', maximum: 2 },
      [['1.5'], ['2'], ['-12.25'], ['1e0'], ['12.5e-10'], ['0.1E+1']],
      [['2.5'], ['many'], ['x1.5'], ['1.5x'], ['1.'], ['1e'], ['0x1'], ['+1.5'], ['.5']],
    ],
    [
      'an integer of 64 bits',
      { type: 'integer', format: 'int64' },
      [['9007199254740993']],
      [['9223372036854775808']],
    ],
    [
      'a list',
      { type: 'array', items: { type: 'string' }, maxItems: 2 },
      [['a, b'], ['a', 'b']],
      [['a,b,c'], ['a, b', 'c']],
    ],
    [
      'a list of integers',
      { type: 'array', items: { type: 'integer' } },
      [['1,2'], ['1', '2'], ['']],
      [['1,b']],
    ],
    ['a list that is not empty', { type: 'array', items: { type: 'integer' }, minItems: 1 }, [['1']], [['']]],
    [
      'a list of texts',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [['a'], [''], ['5, true']],
      [],
    ],
    [
      'a list of words',
      { type: 'array', items: { type: 'string', minLength: 2 } },
      [['ab, cd']],
      [['ab, c']],
    ],
    [
      'a list of at least one word',
      { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 1 },
      [['ab']],
      [[''], [',']],
    ],
    [
      'a text with commas, or on several lines',
      { type: 'string', maxLength: 6 },
      [['a, b'], ['a', 'b']],
      [['a, b, c'], ['abcd', 'e']],
    ],
    ['false alone', { type: 'boolean', enum: [false] }, [['false']], [['true']]],
    [
      'one of several types',
      { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
      [['5'], ['true']],
      [['x']],
    ],
    [
      'a number, a list of numbers or a word',
      { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'number' } }, { enum: ['none'] }] },
      [['1.5'], ['1.5, 2'], ['1.5', '2'], ['none']],
      [['x'], ['1.5, x']],
    ],
    ['what all its parts allow', { allOf: [{ type: 'integer' }, { minimum: 2 }] }, [['2']], [['1'], ['x']]],
    [
      'a list or an integer',
      { 'x-types': ['array', 'integer'], items: { type: 'integer' }, minItems: 2 },
      [['5'], ['5, 6'], ['5', '6']],
      [['x'], ['5, x']],
    ],
  ])('%s is read as it is written in a header', (_what, schema, fits, fails) => {
    const own = header('Own', false, schema);
    const isMet = (values: string[]) =>
      judge(
        [own],
        values.map((value) => ['own', value] as const),
      ).deviations.length === 0;
    expect(fits.filter((each) => !isMet(each))).toEqual([]);
    expect(fails.filter(isMet)).toEqual([]);
  });

  test('each Set-Cookie is a value of its own', () => {
    const cookie = header('Set-Cookie', false, { type: 'string', maxLength: 3 });
    const judged = (...values: string[]) =>
      judge(
        [cookie],
        values.map((value) => ['set-cookie', value] as const),
      ).deviations.length;
    expect([judged('a=1', 'b=2'), judged('a=1', 'b=22')]).toEqual([0, 1]);
  });

  test.each(['Set-Cookie2', 'X-Set-Cookie'])('the lines of %s are one text', (name) => {
    const short = header(name, false, { type: 'string', maxLength: 6 });
    const judged = (...values: string[]) =>
      judge(
        [short],
        values.map((value) => [name, value] as const),
      ).deviations.length;
    expect([judged('a', 'b'), judged('a=1', 'b=2')]).toEqual([0, 1]);
  });

  test.each<[what: string, lines: HeaderLine[], reason: string | undefined, received: string]>([
    ['once', [['Count', '5']], undefined, ''],
    [
      'twice the same',
      [
        ['Count', '5'],
        ['count', '5'],
      ],
      undefined,
      '',
    ],
    ['joined by a proxy', [['Count', '5, 5']], undefined, ''],
    [
      'twice, different',
      [
        ['Count', '5'],
        ['Count', '6'],
      ],
      'Count has different values',
      'Count: 5, Count: 6',
    ],
    ['different, and joined', [['Count', '5, 6']], 'Count has different values', 'Count: 5, 6'],
    ['a word', [['Count', 'five']], 'Count is not an integer', 'Count: five'],
    ['a word that ends in a number', [['Count', 'x5']], 'Count is not an integer', 'Count: x5'],
    ['a number with a unit', [['Count', '5s']], 'Count is not an integer', 'Count: 5s'],
    ['a fraction', [['Count', '5.0']], 'Count is not an integer', 'Count: 5.0'],
    ['several digits', [['Count', '500']], undefined, ''],
    ['below zero', [['Count', '-5']], undefined, ''],
    ['nothing', [['Count', '']], 'Count is not an integer', 'Count: '],
  ])('an integer, %s', (_what, lines, reason, received) => {
    const { met, deviations } = judge([COUNT], lines);
    expect(met).toEqual(reason === undefined ? ['Count', 'Count.schema'] : ['Count']);
    expect(deviations).toEqual(
      reason === undefined
        ? []
        : [
            {
              requirement: 'Count.schema',
              headers: ['Count'],
              kind: 'header',
              reason,
              expected: 'Count: an integer',
              received,
            },
          ],
    );
  });

  test('digits are a word as well', () => {
    expect(judge([WORD], [['Word', '5']]).deviations).toEqual([]);
  });
});
