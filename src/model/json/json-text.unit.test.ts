import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../json.ts';

const BIG = '9007199254740993';

test.each<[text: string, value: unknown]>([
  [`[${BIG}]`, [9007199254740993n]],
  [
    `{"id":${BIG},"of":{"all":[1,1.5,-${BIG}]}}`,
    { id: 9007199254740993n, of: { all: [1, 1.5, -9007199254740993n] } },
  ],
  [` ${BIG} `, 9007199254740993n],
  [`{"${BIG}": ${BIG}}`, { [BIG]: 9007199254740993n }],
  [`["${BIG}", "\\"${BIG}", "\\\\", ${BIG}]`, [BIG, `"${BIG}`, '\\', 9007199254740993n]],
  [`["number of petspec: 7", ${BIG}]`, ['number of petspec: 7', 9007199254740993n]],
  [`["\\u006eumber of petspec: 7", ${BIG}]`, ['number of petspec: 7', 9007199254740993n]],
  [`{"number of petspec: 7": ${BIG}}`, { 'number of petspec: 7': 9007199254740993n }],
  [`{"a":${BIG},"a":${BIG}}`, { a: 9007199254740993n }],
  [`[1e2, 1.0, ${BIG}e0]`, [100, 1, 9007199254740993n]],
])('%s is read without loss', (text, value) => {
  expect(parseJson(text)).toEqual({ ok: true, value });
});

test.each([
  `{${BIG}: 1}`,
  `{${BIG} \n: 1}`,
  `[0${BIG}]`,
  `[${BIG}.]`,
  `[-, ${BIG}]`,
  `[+${BIG}]`,
  `[${BIG} ${BIG}]`,
  `[${BIG}x]`,
  `["${BIG}]`,
  `{"a":${BIG},"a":1}`,
])('%s is not JSON', (text) => {
  expect(parseJson(text).ok).toBe(false);
});

test('any value with large integers is read as it was written', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'xsmall' },
      fc.string({ unit: fc.constantFrom('a', '"', '\\', '\u0000', '1', ':', '😀'), maxLength: 6 }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (each) => {
      const parsed = parseJson(stringifyJson([each, 2n ** 60n]));
      expect(parsed).toEqual({ ok: true, value: [each, 2n ** 60n] });
    }),
    { numRuns: 200 },
  );
});

test('a long text is read without loss', () => {
  const picture = 'QUJD'.repeat(500_000);
  const parsed = parseJson(`[{"id":${BIG},"picture":"${picture}"}]`);
  expect(parsed).toEqual({ ok: true, value: [{ id: 9007199254740993n, picture }] });
});
