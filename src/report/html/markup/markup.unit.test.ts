import { expect, test } from 'vitest';
import { cut, html, pathed, plain, quoted, stretches, verbatim, withOptions, worded } from './markup.ts';

test('every string is escaped, in lists as well; markup is not escaped twice', () => {
  const item = html`<b>${'<&>"\''}</b>`;
  expect(html`<p title="${'" onclick="x'}">${[item, '<i>']}</p>`.toString()).toBe(
    '<p title="&quot; onclick=&quot;x"><b>&lt;&amp;&gt;&quot;&#39;</b>&lt;i&gt;</p>',
  );
});

test('undefined and false write nothing', () => {
  expect(html`a${undefined}b${false}c${0}`.toString()).toBe('abc0');
});

test('a quotation marks escapes, and what was left out', () => {
  expect(quoted('a\u0007<').toString()).toBe('a<span class="escape">\\u0007</span>&lt;');
  expect(quoted('abcdef', 2).toString()).toBe('ab<span class="left-out"> … 4 more characters</span>');
});

test('text between backticks becomes code, everything else stays text', () => {
  expect(worded('a `status`<b> and `</code><i>`').toString()).toBe(
    'a <code>status</code>&lt;b&gt; and <code>&lt;/code&gt;&lt;i&gt;</code>',
  );
  expect(worded('one ` alone').toString()).toBe('one ` alone');
});

test('code cannot end its element', () => {
  expect(() => verbatim('a</script>')).toThrow('end tag');
});

test('the name of an option is kept in one line, and everything is escaped', () => {
  expect(withOptions('<b> left out: no --api-url; 2 more').toString()).toBe(
    '&lt;b&gt; left out: no <span class="option">--api-url</span>; 2 more',
  );
});

test('a path may be broken after its folders, and stays the same text', () => {
  expect(pathed('runs/<a>/last').toString()).toBe('runs/<wbr>&lt;a&gt;/<wbr>last');
});

test.each([
  ['a line break', 'a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['an escape sequence', '\u001b[31m', '\\u001b[31m'],
  ['what turns the direction', '\u202eabc', '\\u202eabc'],
  ['half of a character', 'x\ud83dy', 'x\\ud83dy'],
  ['a whole character beyond the basic plane', '🐈', '🐈'],
  ['a hidden one there', '\u{e0041}', '\\u{e0041}'],
  ['a no-break space', 'a\u00a0b c', 'a\\u00a0b c'],
  ['no characters', '\uffff\u2028', '\\uffff\\u2028'],
])('%s is made visible', (_, text, shown) => {
  expect(plain(text)).toBe(shown);
});

test('a text is cut, and says how much is left out', () => {
  expect(plain('abcdef', 4)).toBe('abcd … (2 more characters)');
  expect(plain('abcdef', 5)).toBe('abcde … (1 more character)');
  expect(plain('x'.repeat(1_000_000)).length).toBeLessThan(2_100);
});

test('no pair of surrogates is split', () => {
  expect(cut('a🐈b', 2)).toEqual({ kept: 'a', left: 3 });
  expect(cut('a🐈b', 3)).toEqual({ kept: 'a🐈', left: 1 });
});

test('an escape differs from text that looks like one', () => {
  expect(stretches('\\u0007\u0007')).toEqual([
    { text: '\\u0007', isEscape: false },
    { text: '\\u0007', isEscape: true },
  ]);
});
