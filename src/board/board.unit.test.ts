import { generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { HtmlValidate } from 'html-validate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { boardOf, historyOf } from '../../test/board.ts';
import { HOSTILE } from '../../test/browser/reports.ts';
import { handMade } from '../../test/hand-made-report.ts';
import { entry } from '../../test/history.ts';
import { contract, sampleRun } from '../../test/sample-runs.ts';
import { certificateOf } from '../certificate/issue.ts';
import { sha256 } from '../certificate/statement.ts';
import { renderJson } from '../report/formats/formats.ts';
import { DEFAULT_OPTIONS } from '../run/options.ts';
import { filesIn } from './files.ts';
import { slugOf } from './implementation.ts';
import { entriesAt, indexRuns } from './run-index.ts';

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const json = (...path: string[]) => JSON.parse(read(...path));
const pagesOf = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  // From disk, a browser loads no file with an integrity.
  rules: { 'require-sri': ['error', { target: 'crossorigin' }] },
});

/** What is wrong with the pages of a board, other than those of reports. */
async function invalid(out: string): Promise<string[]> {
  const found: string[] = [];
  for (const page of pagesOf(out).filter((name) => !name.startsWith('reports'))) {
    const { results } = await validator.validateString(read(out, page));
    for (const { messages } of results)
      found.push(...messages.map(({ ruleId, message }) => `${page} ${ruleId}: ${message}`));
  }
  return found;
}

/** What is wrong with a feed. */
async function feedErrors(feed: string): Promise<string[]> {
  const schema = readFileSync(new URL('../../test/schemas/atom.rng', import.meta.url), 'utf8');
  const { errors } = await validateXML({
    xml: [{ fileName: 'feed.xml', contents: feed }],
    schema: [schema],
    extension: 'relaxng',
  });
  return errors.map(({ message }) => message);
}

/** What the search loads. */
function searched(out: string): unknown[][] {
  let rows: unknown[][] = [];
  const petspecBoard = (all: unknown[][]) => {
    rows = all;
  };
  runInNewContext(read(out, 'data', 'implementations.js'), { petspecBoard });
  return rows;
}

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

  test('that is made again has nothing of an implementation that is gone, and keeps files of others', () => {
    const { out } = boardOf({ 'a.jsonl': historyOf(runs) });
    writeFileSync(join(out, 'implementations', 'notes.txt'), 'mine');
    writeFileSync(join(out, 'CNAME'), 'example.com');
    boardOf({ 'a.jsonl': historyOf([entry(1, { a: 'met' }, { name: 'new' })]) }, { out });
    expect(readdirSync(join(out, 'implementations'))).toEqual([`${slugOf('new')}.html`, 'notes.txt']);
    expect(readdirSync(out)).toContain('CNAME');
    expect(readdirSync(join(out, 'badges'))).toHaveLength(2);
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

  test('of nothing is refused', () => {
    expect(() => boardOf({ 'a.jsonl': '' })).toThrow('board: no run in these files');
    expect(() => filesIn(['/no/such/path'])).toThrow('/no/such/path: no such file or folder');
    expect(() => filesIn(['/dev/null'])).toThrow('neither a file nor a folder');
  });

  test('follows no link out of a folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'petspec-links-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'secret.jsonl'), historyOf(runs));
    symlinkSync(join(folder, 'secret.jsonl'), join(folder, 'in', 'a.jsonl'));
    symlinkSync(folder, join(folder, 'in', 'up'));
    expect(filesIn([join(folder, 'in')])).toEqual({ histories: [], reports: [] });
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

describe('a board of reports', () => {
  const keys = generateKeyPairSync('ed25519');
  const stranger = generateKeyPairSync('ed25519');
  const now = () => Date.now();

  async function certified(key?: (typeof keys)['privateKey']) {
    const { report } = await sampleRun();
    const bytes = renderJson(report);
    const { file } = certificateOf(contract, report, {
      options: DEFAULT_OPTIONS,
      subjects: [],
      reportDigest: sha256(bytes),
      ...(key ? { key } : {}),
    });
    return { bytes, file, digest: sha256(bytes) };
  }

  test('has a page of each report, and the name that a history gives it', () => {
    const bytes = JSON.stringify(handMade);
    const claim = entry(1, { a: 'met' }, { report: sha256(bytes), release: '7.0' });
    const { out, problems } = boardOf({ 'r/report.json': bytes, 'h.jsonl': historyOf([claim]) });
    expect(problems).toEqual([]);
    expect(existsSync(join(out, 'reports', `${sha256(bytes)}.html`))).toBe(true);
    // What the report says counts, not what the history says of it.
    expect(json(out, 'latest.json').implementations).toMatchObject([
      { name: 'store', release: '7.0', verdict: 'non-conformant', violated: ['listPets.status'] },
    ]);
    expect(read(out, 'implementations', `${slugOf('store')}.html`)).toContain(
      `../reports/${sha256(bytes)}.html`,
    );
  });

  test('gives a report to only one implementation', () => {
    const bytes = JSON.stringify(handMade);
    const claims = ['first', 'second'].map((name) => entry(1, { a: 'met' }, { report: sha256(bytes), name }));
    const { out, problems } = boardOf({ 'r/report.json': bytes, 'h.jsonl': historyOf(claims) });
    expect(json(out, 'latest.json').implementations).toMatchObject([{ name: 'first' }]);
    expect(problems).toEqual([
      expect.stringMatching(/^second: its report \w{12} is of another implementation$/),
    ]);
  });

  test.each([
    ['a trusted key signed', keys.privateKey, [keys.publicKey], 'signed', 'signed by '],
    [
      'one of the trusted keys signed',
      keys.privateKey,
      [stranger.publicKey, keys.publicKey],
      'signed',
      'signed by ',
    ],
    [
      'a key that nobody trusts signed',
      stranger.privateKey,
      [keys.publicKey],
      'untrusted',
      'a key that is not trusted',
    ],
    ['no key is trusted', keys.privateKey, [], 'untrusted', 'signature not checked'],
    ['nobody signed', undefined, [keys.publicKey], 'unsigned', 'certificate is not signed'],
  ])('verifies certificates: %s', async (_, key, trusted, kind, words) => {
    const { bytes, file } = await certified(key);
    const files = { 'r/report.json': bytes, 'r/certificate.json': file };
    const { out } = boardOf(files, { keys: trusted, now: now() });
    expect(json(out, 'latest.json').implementations).toMatchObject([{ certificate: kind }]);
    expect(read(out, 'index.html')).toContain(words);
  });

  test.each([
    ['of another report', { report: (bytes: string) => `${bytes} ` }],
    ['that was changed', { certificate: (text: string) => text.replace('"ewog', '"ewoJ') }],
    ['that is garbage', { certificate: () => HOSTILE }],
  ])(
    'refuses a certificate %s',
    async (_, change: { report?: (text: string) => string; certificate?: (text: string) => string }) => {
      const { bytes, file } = await certified(keys.privateKey);
      const report = change.report?.(bytes) ?? bytes;
      const certificate = change.certificate?.(file.toString()) ?? file;
      const { out } = boardOf(
        { 'r/report.json': report, 'r/certificate.json': certificate },
        { keys: [keys.publicKey], now: now() },
      );
      expect(json(out, 'latest.json').implementations).toMatchObject([{ certificate: 'refused' }]);
      expect(read(out, 'index.html')).toContain('certificate refused: ');
    },
  );

  test('does not believe a history that claims the report of a certificate', async () => {
    const { bytes, file, digest } = await certified(keys.privateKey);
    const claim = entry(
      1,
      { a: 'violated' },
      { report: digest, name: 'impostor', baseUrl: 'https://impostor.example.com/v1' },
    );
    const files = { 'r/report.json': bytes, 'r/certificate.json': file, 'h.jsonl': historyOf([claim]) };
    const { out } = boardOf(files, { keys: [keys.publicKey], now: now() });
    // The page says whose certificate it is.
    expect(read(out, 'implementations', `${slugOf('impostor')}.html`)).toContain(
      'petspec&#39;s own reference',
    );
    const { out: alone } = boardOf({ 'h.jsonl': historyOf([claim]) }, { keys: [keys.publicKey], now: now() });
    expect(json(alone, 'latest.json').implementations).toMatchObject([{ certificate: 'none' }]);
  });
});

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

  test('is bounded: a page of many long requirements stays readable', () => {
    const { out } = boardOf({ 'a.jsonl': historyOf(hostile.slice(0, 1)) });
    expect(read(out, 'implementations', `${slugOf(NAMES[0] ?? '')}.html`).length).toBeLessThan(5_000_000);
    expect(read(out, 'index.html').length).toBeLessThan(100_000);
  });
});
