import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { testedCommandLine } from '../../../../test/command-line/tested-command-line.ts';

const { petspec, inFolder, reportIn } = testedCommandLine();

beforeAll(async () => {
  const only = ['--only', 'listPets.200', '--format', 'junit'];
  expect(await petspec('run', '--quiet', ...only, '--out', 'run')).toMatchObject({ status: 0 });
});

test('another folder is cleared as by a run: nothing of an earlier run stays beside the report', async () => {
  mkdirSync(inFolder('other'));
  for (const name of ['certificate.json', 'badge.json', 'badge.svg', 'ledger.jsonl', 'notes.txt'])
    writeFileSync(inFolder('other', name), '{}');
  const { status } = await petspec('report', 'run', '--out', 'other', '--format', 'csv', '--quiet');
  expect(status).toBe(0);
  expect(readdirSync(inFolder('other')).sort()).toEqual(['notes.txt', 'report.json', 'requirements.csv']);
});

test('the folder of the run keeps its files, also by another path', async () => {
  symlinkSync(inFolder('run'), inFolder('link'));
  for (const out of ['run', './run', 'link']) {
    const { status } = await petspec('report', 'run', '--out', out, '--format', 'csv', '--quiet');
    expect(status).toBe(0);
    expect(readdirSync(inFolder('run')).sort()).toEqual([
      'junit.xml',
      'ledger.jsonl',
      'report.json',
      'requirements.csv',
    ]);
  }
});

test('a ledger that cannot be judged leaves the other folder as it is', async () => {
  for (const name of ['damaged', 'kept']) mkdirSync(inFolder(name));
  writeFileSync(inFolder('damaged', 'ledger.jsonl'), 'garbage\n{}\n');
  writeFileSync(inFolder('kept', 'report.json'), '{"of": "an earlier run"}');
  expect(await petspec('report', 'damaged', '--out', 'kept')).toMatchObject({ status: 2 });
  expect(reportIn('kept')).toEqual({ of: 'an earlier run' });
});

/** Writes a ledger that a stranger made of that of a run. */
function hostileLedger(name: string, change: (header: Record<string, unknown>) => object, more = ''): void {
  const [first = '', ...rest] = readFileSync(inFolder('run', 'ledger.jsonl'), 'utf8').split('\n');
  mkdirSync(inFolder(name));
  const lines = [JSON.stringify(change(JSON.parse(first))), ...rest].join('\n');
  writeFileSync(inFolder(name, 'ledger.jsonl'), lines);
  appendFileSync(inFolder(name, 'ledger.jsonl'), more);
}

const withOptions = (options: object) => (header: Record<string, unknown>) => ({
  ...header,
  options: { ...(header.options as object), ...options },
});

test('no file is opened that only a ledger names', async () => {
  // An interface with a check that would show that it was executed.
  mkdirSync(inFolder('strange', 'suites'), { recursive: true });
  writeFileSync(inFolder('strange', 'openapi.yaml'), 'openapi: 3.1.0');
  writeFileSync(inFolder('strange', 'suites', 'a.mjs'), `throw new Error('executed')`);
  for (const [name, file] of [
    ['interface', inFolder('strange')],
    ['interface', inFolder('strange', 'openapi.yaml')],
    ['interface', '/dev/zero'],
    ['example', '/dev/zero'],
    ['example', inFolder('missing')],
  ] as const) {
    const folder = `names-${name}-${file.length}-${Math.abs(file.codePointAt(1) ?? 0)}`;
    hostileLedger(folder, withOptions({ [name]: file }));
    const { status, err } = await petspec('report', folder, '--quiet');
    expect([status, err]).toEqual([2, expect.stringContaining(`--${name} '${file}'; petspec opens no file`)]);
    expect(err).not.toContain('executed');
  }
});

test('an option that names what the run did not use is refused', async () => {
  const { status, err } = await petspec('report', 'run', '--example', 'examples.json');
  expect([status, err]).toEqual([2, expect.stringContaining('the run used no --example; leave it out')]);
});

const exchange = () => {
  const lines = readFileSync(inFolder('run', 'ledger.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).find(({ stage }) => stage === 'read' || stage === 'list');
};

test.each<[string, () => string]>([
  ['has more values', () => `[${'[],'.repeat(600_000)}0]\n`],
  [
    'has more values',
    () => `${JSON.stringify({ ...exchange(), requestHeaders: Array(300_000).fill(['a', 'b']) })}\n`,
  ],
  ['is longer', () => `"${'x'.repeat(30 * 1024 * 1024)}"\n`],
  ['holds more', () => `${JSON.stringify({ ...exchange(), requestBody: ','.repeat(1_600_000) })}\n`],
  ['holds more', () => `${JSON.stringify({ ...exchange(), response: undefined })}\n`.repeat(8_000)],
  ['nested', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`],
])(
  'a ledger that %s is refused in one line',
  async (words, more) => {
    const folder = `large-${words}-${more.toString().length}`.replaceAll(' ', '-');
    hostileLedger(folder, (header) => header, more());
    const { status, err } = await petspec('report', folder, '--quiet');
    expect([status, err]).toEqual([2, expect.stringContaining(words)]);
    expect(err.trim().split('\n')).toHaveLength(1);
  },
  60_000,
);
