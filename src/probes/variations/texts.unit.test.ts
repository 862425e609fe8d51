import { describe, expect, test } from 'vitest';
import type { RequestVariation } from '../../model/probe.ts';
import { drawFrom, shuffled } from './random.ts';
import { ACCENTED, dealTexts } from './texts.ts';

const namesOf = (own: readonly RequestVariation[] = []) => own.map(({ id }) => id.replace(/^text:/, ''));
const KINDS = new Map(
  dealTexts(21, 0, drawFrom(0))
    .flat()
    .map((each) => [namesOf([each])[0], each.kind === 'text' ? each.text : '']),
);

test('each kind of text is what its name says', () => {
  const signs: Record<string, RegExp> = {
    latin: /[À-ſ].*\ufb01$/,
    decomposed: /e\u0301/,
    cyrillic: /^\p{Script=Cyrillic}+$/u,
    greek: /^\p{Script=Greek}+$/u,
    han: /^\p{Script=Han}+$/u,
    kana: /^\p{Script=Katakana}+$/u,
    hangul: /^\p{Script=Hangul}+$/u,
    indic: /\p{Script=Devanagari}.* \p{Script=Thai}/u,
    'rare-scripts': /\p{Script=Armenian}.* \p{Script=Ethiopic}/u,
    'right-to-left': /\p{Script=Arabic}.*"\p{Script=Hebrew}+\u200f"$/u,
    astral: /[\u{1f000}-\u{1ffff}].*[\u{1d400}-\u{1d7ff}]/u,
    joined: /\u200d.*\ufe0f$/u,
    digits: /^00\d \de\d$/,
    quotes: /^".*'/,
    markup: /<b .*<\/b>.*&amp;/,
    script: /<!--.*<script>.*<\/script>/,
    template: /\{\{7\*7\}\}.*\$\{\w+\}.*#\{1\}/,
    percent: /^=.*%41 %s/,
    backslash: /\\new \/ \\u0041/,
    blanks: / {2}.*%20/,
    lower: /^[a-z ]+$/,
  };
  expect([...KINDS.keys()].sort()).toEqual(Object.keys(signs).sort());
  for (const [name, sign] of Object.entries(signs)) expect(KINDS.get(name), name).toMatch(sign);
  expect(ACCENTED).toEqual({ id: 'text:latin', kind: 'text', text: KINDS.get('latin') });
});

describe.each([0, 1, 2, 3, 4])('seed %i', (seed) => {
  const deal = (due: number, others: number) => dealTexts(due, others, drawFrom(seed));

  test('three requests that have to be accepted have each kind between them, seven each', () => {
    const dealt = deal(3, 0).map(namesOf);
    expect(dealt.map(({ length }) => length)).toEqual([7, 7, 7]);
    expect(new Set(dealt.flat()).size).toBe(21);
    // Characters beyond ASCII are for what has to be accepted.
    expect(dealt.map(([first]) => first)).toContain('han');
  });

  test('one has seven at most, many have three at least', () => {
    expect(deal(1, 0).map(({ length }) => length)).toEqual([7]);
    expect(deal(20, 0).every(({ length }) => length === 3)).toBe(true);
    expect(deal(0, 0)).toEqual([]);
  });

  test('what begins none of them begins one that may be refused, which has nothing else', () => {
    const dealt = deal(2, 4).map(namesOf);
    expect(dealt).toHaveLength(5);
    const beginnings = [...dealt.slice(0, 2).map(([first]) => first), ...dealt.slice(2).flat()];
    expect(beginnings.map((each) => (each === 'number' ? 'digits' : each)).sort()).toEqual(
      ['digits', 'han', 'lower', 'percent', 'quotes'].sort(),
    );
    expect(dealt.slice(2).every(({ length }) => length === 1)).toBe(true);
    expect(deal(2, 1)).toHaveLength(3);
  });

  test('alone, digits are nothing but digits', () => {
    const alone = deal(0, 5).flat();
    expect(alone).toContainEqual({ id: 'text:number', kind: 'text', text: '00' });
    expect(namesOf(alone)).not.toContain('digits');
  });
});

test('an order is drawn that has each value once, and any of them anywhere', () => {
  const draw = drawFrom(1);
  const orders = Array.from({ length: 60 }, () => shuffled(['a', 'b', 'c'], draw).join(''));
  expect([...new Set(orders)].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  expect(shuffled([], draw)).toEqual([]);
});

test('numbers are drawn evenly below a bound, and the same for the same seed', () => {
  const draws = (seed: number) =>
    Array.from(
      { length: 1_000 },
      (
        (draw) => () =>
          draw(10)
      )(drawFrom(seed)),
    );
  expect(draws(7)).toEqual(draws(7));
  expect(draws(7)).not.toEqual(draws(8));
  const counts = new Map<number, number>();
  for (const each of draws(7)) counts.set(each, (counts.get(each) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(40);
});
