import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Report } from '../../src/model/report/report.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { type Answer, appendHeaders, withHeaderOf } from '../../src/reference/http/answer.ts';
import type { Change } from '../../src/reference/index.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { recordOf } from '../../src/run/job.ts';
import { rejudge } from '../../src/run/judging/rejudge.ts';
import { LedgerKeeper } from '../../src/run/keep-ledger.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { exchangesOf, readLedger } from '../../src/session/ledger/ledger.ts';
import { allChecks } from '../../suites/index.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import { reveals } from './spellings.ts';

const contract = loadContract();
const checks = allChecks(contract);
const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, exhaust: 'none' });
const plan = makePlan(contract, checks, options);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-awkward-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A run, and the same judged again from its ledger. */
async function judged(apiKey: string, changes: readonly Change[]): Promise<{ run: Report; again: Report }> {
  const path = join(folder, 'ledger.jsonl');
  const own = { ...options, apiKey };
  const ledger = new LedgerKeeper(contract, { path, run: 'a-run' });
  const conducted = await conductBundled(contract, plan, own, {
    changes,
    connections: 'memory',
    start: Date.parse('2026-11-21T12:00:20Z'),
    onStart: (start) => ledger.begin(start),
    onKept: (exchange) => ledger.keep(exchange),
  });
  ledger.end(conducted);
  ledger.close();
  const suite = { contract, checks };
  const record = recordOf(contract, checks, plan, { options: own }, conducted);
  return {
    run: assemble(suite, record, conducted.exchanges, plan),
    again: assemble(suite, rejudge(contract, checks, readLedger(path)), exchangesOf(path), plan),
  };
}

/** What a report found: each requirement with its status. */
const statuses = ({ requirements }: Report) =>
  Object.fromEntries(requirements.map(({ id, status, exercised }) => [id, [status, exercised]]));

const violatedIn = ({ requirements }: Report) =>
  requirements.filter(({ status }) => status === 'violated').map(({ id }) => id);

const isObject = (body: unknown): body is Record<string, never> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body);

/** Changes each answer. */
function answering(change: (answer: Answer) => Answer): Change {
  return { around: async (call, next) => change(await next(call)) };
}

/** Says the key wherever it may: a header of its own, the text of an error, and a member that the interface does not name. */
function echoing(key: string): Change {
  return answering((answer) => {
    const { body } = appendHeaders(answer, []);
    const echoed = appendHeaders(answer, [
      ['X-Echo', `for ${key}`],
      ['ETag', `"${key}"`],
    ]);
    if (!isObject(body)) return echoed;
    const message = 'message' in body ? { message: `${body.message}, not with ${key}` } : {};
    return { ...echoed, body: { ...body, ...message, echo: key } } as Answer;
  });
}

function faultNamed(id: string): Change {
  const fault = faults.find((each) => each.id === id);
  if (!fault) throw new Error(id);
  return fault;
}

/** Words of the interface, of HTTP, of the address, nearly such words, and what is short. */
const AWKWARD = [
  ...[
    'available',
    'categoryId',
    'ratelimit',
    'application1',
    'json',
    'name',
    'v1',
    'pets',
    'true',
    '1',
    'null',
  ],
  ...['x', '-', '200', 'X-RateLimit', 'petz', 'application/json'],
];

/** A list that has one animal too many, whatever the key. */
const FAULT = 'list-one-too-many';

/** Runs with an ordinary key, each done once. */
const ordinary = new Map<string, Promise<unknown>>();

function withOrdinaryKey(what: string, changes: (key: string) => readonly Change[]): Promise<unknown> {
  const key = 'an-0rdinary-key';
  const found = ordinary.get(what) ?? judged(key, changes(key)).then(({ run }) => statuses(run));
  ordinary.set(what, found);
  return found;
}

test.each(sampled(AWKWARD, 5, String, 'awkward keys'))(
  'the key %s: a service that repeats it conforms',
  async (key) => {
    const { run, again } = await judged(key, [echoing(key)]);
    expect(violatedIn(run)).toEqual([]);
    expect(statuses(run)).toEqual(await withOrdinaryKey('echo', (other) => [echoing(other)]));
    expect(statuses(again)).toEqual(statuses(run));
  },
);

test.each(['available', 'ratelimit', 'application1', '200'])('the key %s: a fault is found', async (key) => {
  const { run } = await judged(key, [faultNamed(FAULT)]);
  expect(statuses(run)).toEqual(await withOrdinaryKey('fault', () => [faultNamed(FAULT)]));
});

test.each(['x', 'available', '200'])('a key that cannot be hidden is said, once: %s', async (key) => {
  const { run, again } = await judged(key, []);
  for (const report of [run, again])
    expect(report.hints).toEqual([
      { kind: 'key-shown', text: expect.stringContaining('too short or too common') },
    ]);
});

/** What a service does wrong with the key. */
const FAULTS: Readonly<Record<string, (key: string) => Change>> = {
  'as the name of what was added': (key) => ({ store: { create: (pet) => ({ ...pet, name: key }) } }),
  'as the status of an animal': (key) => ({ store: { create: (pet) => ({ ...pet, status: key }) as never } }),
  'as an id': (key) => ({ store: { create: (pet) => ({ ...pet, id: key }) as never } }),
  'as the number of an error': (key) =>
    answering((answer) =>
      answer.status < 400
        ? answer
        : ({ ...answer, body: { ...(answer.body as object), status: key } } as never),
    ),
  'in the media type': (key) =>
    answering((answer) => withHeaderOf(answer, 'Content-Type', `application/${key.replace(/\W/g, '-')}`)),
  'in place of JSON': (key) => answering((answer) => ({ ...answer, body: Buffer.from(`no ${key}`) })),
  'as a limit': (key) => answering((answer) => withHeaderOf(answer, 'X-RateLimit-Remaining', key)),
};

/** A word with digits, a UUID, digits, what JSON escapes, what is long. */
const KEYS = [
  'sk-live-4f9Zq7',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  '81726354',
  'a"b\\c/d-12345',
  `eyJ${'k9Qx'.repeat(40)}`,
];

/** Each fault with one of the keys, and by night with each. */
const ECHOED = Object.keys(FAULTS).flatMap((what, index) =>
  (isNightly ? KEYS : [KEYS[index % KEYS.length] ?? '']).map((key) => [what, key] as const),
);

test.each(ECHOED)(
  'a service gives the key back %s: the ledger gives the report of the run (%s)',
  async (what, key) => {
    const { run, again } = await judged(key, [FAULTS[what]?.(key) ?? {}]);
    expect(violatedIn(run).length).toBeGreaterThan(0);
    expect(again).toEqual(run);
    expect(reveals(JSON.stringify(run), key)).toBe(false);
  },
);
