import { describe, expect, test } from 'vitest';
import {
  boardOf,
  feedErrors,
  historyOf,
  invalid,
  json,
  pagesOf,
  read,
  searched,
} from '../../test/boards/board.ts';
import { HOSTILE } from '../../test/browser/reports.ts';
import { handMade } from '../../test/reports/hand-made-report.ts';
import { entry } from '../../test/reports/history.ts';
import { sha256 } from '../certificate/statement.ts';
import { slugOf } from './implementation.ts';

describe('what strangers write', () => {
  const NAMES = [
    HOSTILE.slice(0, 300),
    HOSTILE.slice(200, 500),
    '../../../etc/passwd',
    '..',
    'a/../../b',
    'C:\\windows\\x',
    '__proto__',
    'constructor',
    '\u0000',
    'x'.repeat(300),
    '</script><script>globalThis.taken=1</script>',
    '\u2028petspecBoard=0\u2029',
    '<!--<script>',
  ];

  const hostile = NAMES.map((name, index) => {
    const text = HOSTILE.slice(0, 300);
    const ids = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, key) => [`${key} ${text}`.slice(0, 300), 'violated'] as const),
    );
    return entry(index, index === 0 ? ids : { [text]: 'violated' }, {
      name,
      release: text,
      baseUrl: 'javascript:globalThis.taken=1',
      because: text,
      plan: text,
      petspec: { version: text, set: text, interface: text },
      sections: [
        {
          name: name === '' ? 'x' : name,
          statuses: { violated: Object.keys(index === 0 ? ids : { [text]: 1 }) },
        },
      ],
    });
  });

  test('stays text in every page, in the feed and in the data', { timeout: 60_000 }, async () => {
    const { out, implementations, problems } = boardOf({ 'a.jsonl': historyOf(hostile) }, { title: HOSTILE });
    expect({ implementations, problems }).toEqual({ implementations: NAMES.length, problems: [] });
    const pages = pagesOf(out);
    expect(pages).toHaveLength(NAMES.length + 1);
    for (const page of pages) {
      const text = read(out, page);
      expect(text.match(/<script/g)).toHaveLength(1);
      expect(text).toContain(
        'content="default-src &#39;none&#39;; style-src &#39;self&#39;; script-src &#39;self&#39;',
      );
      expect(text).not.toMatch(/<iframe|<base|<img src=x|href="javascript|onerror="|\u202e/);
      expect(text).not.toContain('\u0000');
    }
    expect(await invalid(out)).toEqual([]);
    expect(await feedErrors(read(out, 'feed.xml'))).toEqual([]);
    expect(read(out, 'data', 'implementations.js')).not.toMatch(/<|[\u2028\u2029]/);
    expect(
      searched(out)
        .map(([, name]) => name)
        .sort(),
    ).toEqual([...NAMES].sort());
    expect(json(out, 'latest.json').implementations).toHaveLength(NAMES.length);
    expect(json(out, 'runs.json').runs).toHaveLength(NAMES.length);
  });

  test('names no file outside of the board, and none that another name has', () => {
    const slugs = [...NAMES, 'Store', 'store', 'STORE', ''].map(slugOf);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,60})$/);
  });

  describe('does not change what others wrote', () => {
    const honest = [entry(1, { a: 'met' }), entry(2, { a: 'met' })];
    /** A line with a second member, which counts in JSON. */
    const forged = (number: number, member: string) =>
      `${JSON.stringify(entry(number, { a: 'met' })).slice(0, -1)},${member}}\n`;
    const TWICE = 'the line has two names or two reports';

    test.each([
      ['before', { 'a.jsonl': forged(9, '"name":"Evil"'), 'b.jsonl': historyOf(honest) }, 'a.jsonl: line 1'],
      [
        'after',
        { 'a.jsonl': historyOf(honest), 'b.jsonl': forged(9, '"name":"Evil"') },
        'b.jsonl: at byte 0',
      ],
    ])('a line with two names, %s the honest lines', (_, files, place) => {
      const { out, problems } = boardOf(files);
      expect(json(out, 'latest.json').implementations).toMatchObject([{ name: 'store', runs: 2 }]);
      expect(problems).toEqual([`${place}: ${TWICE}`]);
    });

    const bytes = JSON.stringify(handMade);
    const digest = sha256(bytes);

    test.each([
      [
        'that has another report, too',
        forged(9, '"x":1')
          .replace(/"report":"\w+"/, `"report":"${digest}"`)
          .replace('"x":1', `"report":"${'f'.repeat(64)}"`),
        TWICE,
      ],
      ['that is cut short', `{"schemaVersion":1,"report":"${digest}","name":"store",\n`, 'not valid JSON'],
    ])('a line with the report of another %s', (_, line, problem) => {
      const { out, problems } = boardOf({ 'r/report.json': bytes, 'a.jsonl': historyOf(honest) + line });
      expect(json(out, 'latest.json').implementations).toMatchObject([
        { name: handMade.target.baseUrl, report: digest },
        { name: 'store', runs: 2 },
      ]);
      expect(problems).toEqual([expect.stringContaining(problem)]);
    });
  });

  test('is bounded: a page of many long requirements stays readable', () => {
    const { out } = boardOf({ 'a.jsonl': historyOf(hostile.slice(0, 1)) });
    expect(read(out, 'implementations', `${slugOf(NAMES[0] ?? '')}.html`).length).toBeLessThan(5_000_000);
    expect(read(out, 'index.html').length).toBeLessThan(100_000);
  });
});
