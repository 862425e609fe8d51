import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boardOf, historyOf, json, read } from '../../test/boards/board.ts';
import { HOSTILE } from '../../test/browser/reports.ts';
import { documentWith, judged } from '../../test/own-interface/small-service.ts';
import { handMade } from '../../test/reports/hand-made-report.ts';
import { entry } from '../../test/reports/history.ts';
import { contract, sampleRun } from '../../test/reports/sample-runs.ts';
import { certificateOf } from '../certificate/issue.ts';
import { sha256 } from '../certificate/statement.ts';
import { readInterface } from '../contract/load.ts';
import { renderJson } from '../report/files/formats.ts';
import { DEFAULT_OPTIONS } from '../run/options.ts';
import { slugOf } from './implementation.ts';

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

  test('neither trusts nor refuses a certificate of an interface that it does not know', async () => {
    const path = documentWith({ '/shop': { get: { responses: { 200: { description: 'its name' } } } } });
    const { report } = await judged(path, () => [200]);
    const own = await readInterface(path);
    const bytes = renderJson(report);
    const { file } = certificateOf(own, report, {
      options: { ...DEFAULT_OPTIONS, baseUrl: report.target.baseUrl },
      subjects: [],
      reportDigest: sha256(bytes),
      key: keys.privateKey,
    });
    const made = (reportFile: string) =>
      boardOf(
        { 'r/report.json': reportFile, 'r/certificate.json': file },
        { keys: [keys.publicKey], now: Date.now() },
      ).out;
    const out = made(bytes);
    expect(json(out, 'latest.json').implementations).toMatchObject([
      { verdict: 'conformant', certificate: 'unknown' },
    ]);
    const page = read(out, 'index.html');
    expect(page).toContain('certificate is of an interface that this board does not know');
    expect(page).not.toMatch(/refused|trust (?:good|bad)/);
    // What needs no interface is checked.
    expect(json(made(`${bytes} `), 'latest.json').implementations).toMatchObject([
      { certificate: 'refused' },
    ]);
  });

  // Folders are read in the order of their names.
  test.each([
    ['before', 'a', 'b'],
    ['after', 'b', 'a'],
  ])(
    'believes the best certificate of a report that is there twice: bad copies %s it',
    async (_, bad, good) => {
      const copies = [
        (await certified()).file,
        (await certified(stranger.privateKey)).file,
        HOSTILE,
        undefined,
      ];
      const { bytes, file, digest } = await certified(keys.privateKey);
      const files: Record<string, string | Uint8Array> = {
        [`${good}/report.json`]: bytes,
        [`${good}/certificate.json`]: file,
      };
      for (const [number, copy] of copies.entries()) {
        files[`${bad}${number}/report.json`] = bytes;
        if (copy !== undefined) files[`${bad}${number}/certificate.json`] = copy;
      }
      const { out } = boardOf(files, { keys: [keys.publicKey], now: now() });
      expect(json(out, 'latest.json').implementations).toMatchObject([
        { report: digest, certificate: 'signed' },
      ]);
    },
  );

  test('calls a report uncertified if only a copy of it has a bad certificate', async () => {
    const { bytes } = await certified();
    const { out } = boardOf({
      'a/report.json': bytes,
      'b/report.json': bytes,
      'b/certificate.json': HOSTILE,
    });
    expect(json(out, 'latest.json').implementations).toMatchObject([{ certificate: 'none' }]);
  });

  test('names no option that a board does not have where a certificate is too old', async () => {
    const { bytes, file } = await certified(keys.privateKey);
    const started = Date.parse(JSON.parse(bytes).startedAt);
    const { out } = boardOf(
      { 'r/report.json': bytes, 'r/certificate.json': file },
      { keys: [keys.publicKey], now: started + 400 * 24 * 60 * 60 * 1000 },
    );
    expect(json(out, 'latest.json').implementations).toMatchObject([{ certificate: 'refused' }]);
    const page = read(out, 'index.html');
    expect(page).toContain('certificate refused: it is 400 days old; the maximum age is 365 days<');
    expect(page).not.toContain('--max-age');
  });

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
