import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { collectGarbage } from '../../../test/command-line/collect-garbage.ts';
import { checks, contract, type Sample, sampleRun } from '../../../test/reports/sample-runs.ts';
import type { Exchange } from '../../model/exchange.ts';
import { violated } from '../../model/finding.ts';
import { UsageError } from '../../model/usage-error.ts';
import { assemble } from '../../report/assemble/assemble.ts';
import { exchangesOf, type LedgerEnd, type LedgerHeader, readLedger } from '../../session/ledger/ledger.ts';
import { ledgerOptions, planAgain, rejudge } from './rejudge.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-rejudge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runs = new Map<string, ReturnType<typeof newRun>>();

/** A run, and where its ledger is. Each is made once: nobody changes its ledger. */
function recordedRun(sample: Sample = {}) {
  const name = JSON.stringify(sample);
  const known = runs.get(name) ?? newRun(sample, join(folder, `${runs.size}.jsonl`));
  runs.set(name, known);
  return known;
}

async function newRun(sample: Sample, path: string) {
  return { ...(await sampleRun({ ...sample, ledger: path })), path };
}

const planOf = (ledger: string) => planAgain(contract, checks, ledgerOptions(readLedger(ledger)));

const SAMPLES: [what: string, sample: Sample][] = [
  ['a conformant run', {}],
  [
    'a broken service with a plan of its own',
    { faults: ['list-one-too-many'], options: { limits: { minute: 70, day: 5_000 } } },
  ],
  ['an interrupted run', { interruptAfter: 30 }],
  ['a narrowed and strict run', { options: { readOnly: true, exhaust: 'none', strict: true } }],
];

test.each(SAMPLES)(
  'the ledger of %s gives the report of the run',
  async (_, sample) => {
    const { report, path } = await recordedRun(sample);
    const record = rejudge(contract, checks, readLedger(path));
    expect(assemble({ contract, checks }, record, exchangesOf(path), planOf(path))).toEqual(report);
  },
  60_000,
);

test('a run that was broken off is incomplete, and reports no violation of a conformant service', async () => {
  const { path } = await recordedRun();
  const lines = [...readLedger(path)];
  // The last line is the end, without which a run was broken off.
  for (let length = 1; length < lines.length; length += 8) {
    const kept = lines.slice(0, length);
    const record = rejudge(contract, checks, kept);
    const report = assemble({ contract, checks }, record, kept.slice(1) as Exchange[], planOf(path));
    expect(report.verdict).toBe('incomplete');
    expect(report.because).toContain('broken off');
    expect(report.summary).toMatchObject({ violated: 0, advisory: 0 });
    expect(report.requests.total).toBe(length - 1);
  }
}, 60_000);

test('the key and the headers of the user are not in the ledger', async () => {
  const { path } = await recordedRun({
    options: { apiKey: 'a-key-of-somebody', headers: [['x-gateway', 'a-secret-of-somebody']] },
  });
  const text = JSON.stringify([...readLedger(path)].slice(0, 1));
  expect(text).toContain('"record":"run"');
  expect(text).not.toContain('of-somebody');
}, 60_000);

test.each([
  ['no header', [], 'has no header'],
  ['a line that is not an exchange', [{ id: 'one' }], 'line 1 of the ledger'],
  ['a list', [[]], 'line 1 of the ledger'],
  ['a record of another kind', [{ record: 'pause' }], 'line 1 of the ledger'],
])('lines that are not a ledger are refused with a reason: %s', (_, lines, words) => {
  expect(() => rejudge(contract, checks, lines)).toThrow(UsageError);
  expect(() => rejudge(contract, checks, lines)).toThrow(words);
});

test('a ledger of another interface is refused, because its probes mean something else', async () => {
  const { path } = await recordedRun();
  const [header, ...rest] = [...readLedger(path)];
  const other = { ...(header as object), specDigest: '0'.repeat(64) };
  expect(() => rejudge(contract, checks, [other, ...rest])).toThrow(/another version of the interface/);
}, 60_000);

test('a report of 5,000 exchanges keeps those that findings cite, and the first of the rest', async () => {
  const { exchanges, path } = await recordedRun();
  const [first] = exchanges;
  if (!first) throw new Error('no exchange');
  const last: Exchange = { ...first, stage: 'exhaust' };
  function* many() {
    yield* exchanges;
    for (let id = exchanges.length + 1; id <= 5_000; id += 1) yield { ...last, id };
  }
  const record = rejudge(contract, checks, readLedger(path));
  const deviation = { kind: 'status' as const, reason: 'wrong', expected: 'this', received: 'that' };
  const findings = { ...record.findings, 'listPets.200': violated(deviation, [4_999]) };
  const report = assemble({ contract, checks }, { ...record, findings }, many(), planOf(path));
  expect(report.requests.total).toBe(5_000);
  expect(report.exchanges.length).toBeLessThan(400);
  expect(report.exchanges.some(({ id }) => id === 4_999)).toBe(true);
  expect(report.requirements.find(({ id }) => id === 'listPets.200')?.curl).toMatch(/^curl /);
}, 60_000);

test('a report bounds long responses', async () => {
  const { exchanges, path } = await recordedRun();
  const record = rejudge(contract, checks, readLedger(path));
  const long = '😀'.repeat(500_000);
  const first = exchanges[0];
  if (!first?.response) throw new Error('no first answer');
  const noisy = {
    ...first,
    response: { status: 200, body: long, headers: Array.from({ length: 900 }, () => ['x', long] as const) },
  };
  const [shown] = assemble({ contract, checks }, record, [noisy], planOf(path)).exchanges;
  const text = JSON.stringify(shown);
  expect(text.length).toBeLessThan(1_000_000);
  expect(/\p{Cs}/u.test(text) || text.includes('\\ud83d"')).toBe(false);
  expect(shown?.response?.cut).toBe(1_000_000);
}, 60_000);

/** A run that was interrupted, the lines of its ledger changed by these. */
async function tamperedWith(changes: {
  header?: (header: LedgerHeader) => object;
  exchange?: (exchange: Exchange) => object;
  end?: (end: LedgerEnd) => object;
}): Promise<unknown[]> {
  const { path } = await recordedRun({ interruptAfter: 30 });
  const lines = [...readLedger(path)];
  const [header, exchange] = lines as [LedgerHeader, Exchange];
  const end = lines.at(-1) as LedgerEnd;
  return [
    { ...header, ...changes.header?.(header) },
    { ...exchange, ...changes.exchange?.(exchange) },
    ...lines.slice(2, -1),
    { ...end, ...changes.end?.(end) },
  ];
}

test('circular causes are followed once', async () => {
  const lines = await tamperedWith({
    end: ({ unsent }) => ({
      unsent: unsent.map((each, index) => ({ ...each, cause: unsent[(index + 1) % unsent.length]?.probe })),
    }),
  });
  const { findings } = rejudge(contract, checks, lines);
  expect(Object.values(findings).filter(({ status }) => status === 'not-tested').length).toBeGreaterThan(10);
}, 60_000);

test.each([
  ['an end that no calendar has', { end: () => ({ finishedAt: 9e15 }) }, '/finishedAt must be <='],
  ['a time before all', { exchange: () => ({ sentAt: -1e300 }) }, '/sentAt must be >='],
  [
    'an address that is not a URL',
    { header: () => ({ target: { baseUrl: '__proto__' } }) },
    'is not a valid URL',
  ],
  [
    'an address of messages that is not a URL',
    { header: ({ target }: LedgerHeader) => ({ target: { ...target, apiUrl: '::::' } }) },
    'is not a valid URL',
  ],
  [
    'servers that are null',
    { header: ({ target }: LedgerHeader) => ({ target: { ...target, servers: null } }) },
    '/target/servers must be object',
  ],
  [
    'a server that is not a URL',
    { header: ({ target }: LedgerHeader) => ({ target: { ...target, servers: { shop: 'shop' } } }) },
    'is not a valid URL',
  ],
  [
    'an exchange at an address that is not a URL',
    { exchange: () => ({ url: 'pets' }) },
    'line 2 of the ledger: the url of the exchange is not a valid URL',
  ],
  [
    'an interface that is no path',
    { header: ({ options }: LedgerHeader) => ({ options: { ...(options as object), interface: 5 } }) },
    'the options in the ledger are not those of a run',
  ],
  [
    'a ledger of a newer petspec',
    { header: () => ({ petspec: '9.0.0', ledgerVersion: 2 }) },
    'the ledger was written by petspec 9.0.0, but this is petspec ',
  ],
  ['a level below the other', { exchange: () => ({ more: nested(50_000) }) }, 'levels deep'],
])(
  'a ledger that no report can be made of is refused with a reason: %s',
  async (_, changes, words) => {
    const lines = await tamperedWith(changes);
    expect(() => rejudge(contract, checks, lines)).toThrow(UsageError);
    expect(() => rejudge(contract, checks, lines)).toThrow(words);
  },
  60_000,
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

test('an empty file is not a ledger', () => {
  const path = join(folder, 'empty.jsonl');
  writeFileSync(path, '');
  expect(() => rejudge(contract, checks, readLedger(path))).toThrow(UsageError);
});

test('of a long exhaustion, no more than a run keeps is held in memory', async () => {
  const { path } = await recordedRun();
  const [header, ...rest] = [...readLedger(path)];
  const one = (rest as Exchange[]).find(({ stage }) => stage === 'exhaust');
  const usedMegabytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  };
  let grown = 0;
  function* lines() {
    yield header;
    yield* rest.slice(0, -1);
    const before = usedMegabytes();
    for (let id = 1_001; id <= 6_000; id += 1) {
      const response = { status: 200, headers: [], body: `[]${' '.repeat(20_000)}` };
      yield JSON.parse(JSON.stringify({ ...one, id, response }));
    }
    grown = usedMegabytes() - before;
    yield rest.at(-1);
  }
  rejudge(contract, checks, lines());
  // All of them take 100 MB.
  expect(grown).toBeLessThan(60);
}, 60_000);
