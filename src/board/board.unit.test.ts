import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { boardOf, feedErrors, historyOf, invalid, json, read, searched } from '../../test/boards/board.ts';
import { handMade } from '../../test/reports/hand-made-report.ts';
import { entry } from '../../test/reports/history.ts';
import { filesIn } from './files.ts';
import { slugOf } from './implementation.ts';
import { entriesAt, indexRuns } from './run-index.ts';

const runs = [
  entry(1, { a: 'met', b: 'met' }, { release: '1.0' }),
  entry(2, { a: 'violated', b: 'met' }, { release: '1.1' }),
  entry(3, { a: 'met', b: 'violated' }, { release: '1.2' }),
];

describe('a board of histories', () => {
  test('has each implementation in every file', async () => {
    const other = entry(9, { a: 'met' }, { name: 'other' });
    const { out, ...made } = boardOf({ 'a.jsonl': historyOf(runs), 'sub/b.jsonl': historyOf([other]) });
    expect(made).toEqual({ problems: [], implementations: 2, runs: 4 });
    const slug = slugOf('store');
    expect(json(out, 'latest.json')).toMatchObject({
      schemaVersion: 1,
      implementations: [
        { name: 'other', verdict: 'conformant', violated: [], certificate: 'none' },
        {
          name: 'store',
          verdict: 'non-conformant',
          since: runs[1]?.startedAt,
          release: '1.2',
          violated: ['b'],
          sections: [{ name: 'Listing', status: 'violated' }],
          page: `implementations/${slug}.html`,
          runs: 3,
        },
      ],
    });
    expect(
      json(out, 'runs.json').runs.map(({ name, release }: { name: string; release?: string }) => [
        name,
        release,
      ]),
    ).toEqual([
      ['other', undefined],
      ['store', '1.0'],
      ['store', '1.1'],
      ['store', '1.2'],
    ]);
    expect(searched(out).map(([, name, verdict]) => [name, verdict])).toEqual([
      ['other', 'conformant'],
      ['store', 'non-conformant'],
    ]);
    expect(json(out, 'badges', `${slug}.json`)).toMatchObject({
      schemaVersion: 1,
      message: 'non-conformant',
      color: 'red',
    });
    expect(read(out, 'badges', `${slug}.svg`)).toContain('petspec: non-conformant');
    const page = read(out, 'implementations', `${slug}.html`);
    expect(page).toContain('violated since 2026-01-04 (release 1.2)');
    expect(page).toContain('flickers: changed 2 times');
    expect(await invalid(out)).toEqual([]);
  });

  test('has a feed of what changed, the newest first', async () => {
    const { out } = boardOf({ 'a.jsonl': historyOf(runs) }, { url: 'https://example.com/board/' });
    const feed = read(out, 'feed.xml');
    expect(await feedErrors(feed)).toEqual([]);
    expect(await feedErrors(feed.replace(/<updated>[^<]*/, '<updated>yesterday'))).not.toEqual([]);
    expect([...feed.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      'Stores',
      'store (release 1.2): still non-conformant',
      'store (release 1.1): now non-conformant',
      'store (release 1.0): first run: conformant',
    ]);
    expect(feed).toContain('Worse: b. Better: a');
    expect(feed).toContain(`href="https://example.com/board/implementations/${slugOf('store')}.html"`);
    const ids = [...feed.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(4);
    // The same changes have the same ids tomorrow.
    const { out: later } = boardOf(
      { 'a.jsonl': historyOf(runs) },
      { url: 'https://example.com/board/', now: 1e13 },
    );
    expect(read(later, 'feed.xml')).toBe(feed);
  });

  test('says in the feed, too, how much a narrowed verdict covers', () => {
    const judged = { requirements: 1, of: 71 };
    const narrowed = entry(1, { a: 'met' }, { narrowed: true, judged });
    const worse = entry(2, { a: 'violated' }, { narrowed: true, judged });
    const { out } = boardOf({ 'a.jsonl': historyOf([narrowed, worse, entry(3, { a: 'met' })]) });
    expect(
      [...read(out, 'feed.xml').matchAll(/<title>store: (.*?)<\/title>/g)].map(([, title]) => title),
    ).toEqual([
      'now conformant',
      'now non-conformant (1 of 71 requirements judged)',
      'first run: conformant (1 of 71 requirements judged)',
    ]);
  });

  test('has a feed that says what the history says when runs become strict', () => {
    const advisory = { a: 'advisory', b: 'met' } as const;
    const first = entry(1, advisory);
    const second = entry(2, advisory, { strict: true, verdict: 'non-conformant' });
    const third = entry(3, { a: 'met', b: 'advisory' }, { release: '2.0' });
    const { out } = boardOf({ 'a.jsonl': historyOf([first, second, third]) });
    const feed = read(out, 'feed.xml');
    expect([...feed.matchAll(/<content type="text">(.*?)<\/content>/g)].map(([, text]) => text)).toEqual([
      'Better: a',
      'Worse: a',
      'first run: conformant.',
    ]);
    expect(read(out, 'implementations', `${slugOf('store')}.html`)).toContain(
      'better than in the run before',
    );
  });

  test('that is made again has nothing of an implementation that is gone, and keeps files of others', () => {
    const { out } = boardOf({ 'a.jsonl': historyOf(runs) });
    writeFileSync(join(out, 'implementations', 'notes.txt'), 'mine');
    writeFileSync(join(out, 'CNAME'), 'example.com');
    boardOf({ 'a.jsonl': historyOf([entry(1, { a: 'met' }, { name: 'new' })]) }, { out });
    expect(readdirSync(join(out, 'implementations'))).toEqual([`${slugOf('new')}.html`, 'notes.txt']);
    expect(readdirSync(out)).toContain('CNAME');
    expect(readdirSync(join(out, 'badges'))).toHaveLength(2);
  });

  test('of nothing is refused, and leaves an earlier one whole', () => {
    const { out } = boardOf({ 'a.jsonl': historyOf(runs) });
    const before = readdirSync(out, { recursive: true }).sort();
    expect(() => boardOf({ 'a.jsonl': '' }, { out })).toThrow('no run in these files');
    expect(readdirSync(out, { recursive: true }).sort()).toEqual(before);
  });

  test('removes the pages of a longer list, and the halves that a killed board left', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      entry(index, { a: 'met' }, { name: `store ${index}` }),
    );
    const { out } = boardOf({ 'a.jsonl': historyOf(many) });
    expect(readdirSync(out)).toContain('page-2.html');
    writeFileSync(join(out, 'badges', `${slugOf('store')}.svg.4711.tmp`), '<svg');
    boardOf({ 'a.jsonl': historyOf(runs) }, { out });
    expect(readdirSync(out).filter((name) => name.startsWith('page-'))).toEqual([]);
    expect(readdirSync(join(out, 'badges'))).toEqual([`${slugOf('store')}.json`, `${slugOf('store')}.svg`]);
  });

  test('lists fifty implementations a page', () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      entry(index, { a: 'met' }, { name: `store ${index}` }),
    );
    const { out } = boardOf({ 'a.jsonl': historyOf(many) });
    const rows = ['index.html', 'page-2.html', 'page-3.html'].map(
      (page) => read(out, page).match(/<tr><th scope="row">/g)?.length,
    );
    expect(rows).toEqual([50, 50, 20]);
    expect(read(out, 'index.html').indexOf('store 2<')).toBeLessThan(
      read(out, 'index.html').indexOf('store 10<'),
    );
  });

  test('ignores what is not an entry, and says where', () => {
    const lines = `${historyOf(runs)}garbage\n${JSON.stringify({ ...runs[0], sections: 1 })}\n${JSON.stringify(runs[0]).slice(0, 80)}`;
    const { problems, runs: count } = boardOf({ 'a.jsonl': lines, 'b/report.json': '{}' });
    expect(count).toBe(3);
    expect(problems).toEqual([
      'b/report.json: not a petspec report: schemaVersion is missing',
      'a.jsonl: line 4: not an entry of a history: not valid JSON',
      expect.stringContaining('a.jsonl: line 6: the last line is cut'),
      expect.stringMatching(/^a\.jsonl: at byte \d+: not an entry of a history: \/sections must be array$/),
    ]);
  });

  test.each([
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['a year after 9999', '9999-12-31T23:59:59-01:00'],
    ['a year before 1', '0000-01-01T00:00:00+01:00'],
  ])('ignores a run whose time no clock can tell, and nothing else: %s', async (_, startedAt) => {
    const bytes = JSON.stringify({ ...handMade, startedAt });
    const lines = historyOf([...runs, entry(4, { a: 'met' }, { startedAt })]);
    const { out, problems, ...made } = boardOf({ 'a.jsonl': lines, 'b/report.json': bytes });
    expect(made).toEqual({ implementations: 1, runs: 3 });
    expect(problems).toEqual([
      'b/report.json: not a petspec report: /startedAt must match format "date-time"',
      expect.stringMatching(
        /^a\.jsonl: at byte \d+: not an entry of a history: \/startedAt must match format "date-time"$/,
      ),
    ]);
    expect(await feedErrors(read(out, 'feed.xml'))).toEqual([]);
  });

  test('ignores files that are gone by the time it reads them, and says which', () => {
    const files = { 'a.jsonl': historyOf(runs), 'b.jsonl': historyOf(runs), 'c/report.json': '{}' };
    const { out, problems } = boardOf(files, {}, ['b.jsonl', 'c/report.json']);
    expect(json(out, 'latest.json').implementations).toMatchObject([{ name: 'store', runs: 3 }]);
    expect(problems).toEqual(['c/report.json: cannot read it (ENOENT)', 'b.jsonl: cannot read it (ENOENT)']);
  });

  test('counts an advisory of a strict run as a violation, everywhere', () => {
    const strict = entry(1, { a: 'advisory', b: 'met' }, { strict: true, verdict: 'non-conformant' });
    const { out } = boardOf({ 'a.jsonl': historyOf([strict]) });
    expect(json(out, 'latest.json').implementations).toMatchObject([{ violated: ['a'] }]);
    expect(searched(out)[0]?.at(-1)).toBe(1);
    expect(read(out, 'index.html')).toContain('1 violation in the last of 1 run');
  });

  test('of nothing is refused', () => {
    expect(() => boardOf({ 'a.jsonl': '' })).toThrow('board: no run in these files');
    const found = (path: string) => () => filesIn([path], () => undefined);
    expect(found('/no/such/path')).toThrow('/no/such/path: no such file or folder');
    expect(found('/dev/null')).toThrow('neither a file nor a folder');
    expect(found('x'.repeat(5_000))).toThrow('x: cannot read it (ENAMETOOLONG)');
  });

  test('follows no link out of a folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'petspec-links-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'secret.jsonl'), historyOf(runs));
    symlinkSync(join(folder, 'secret.jsonl'), join(folder, 'in', 'a.jsonl'));
    symlinkSync(folder, join(folder, 'in', 'up'));
    const problems: string[] = [];
    const found = filesIn([join(folder, 'in')], (problem) => problems.push(problem));
    expect({ found, problems }).toEqual({ found: { histories: [], reports: [] }, problems: [] });
  });
});

test('entries are the same whether the sections of a line are parsed or are those of the line before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.jsonl');
  const entries = [1, 2, 3, 4, 5, 6].map((number) => entry(number, { a: number === 4 ? 'violated' : 'met' }));
  const odd = { ...entry(7, { a: 'met' }), because: ',"sections":[{"name":"x","statuses":{}}]}' };
  writeFileSync(path, historyOf([...entries, odd, entry(8, { a: 'met' })]));
  const problems: string[] = [];
  const index = indexRuns([path], new Set(), (problem) => problems.push(problem));
  const found = [...entriesAt(index, 'store', (problem) => problems.push(problem))];
  expect({ found, problems }).toEqual({ found: [...entries, odd, entry(8, { a: 'met' })], problems: [] });
});
