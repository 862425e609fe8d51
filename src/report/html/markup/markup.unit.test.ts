import { expect, test } from 'vitest';
import { html, pathed, quoted, verbatim, withOptions, worded } from './markup.ts';

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
