import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VirtualClock } from '../../../src/model/clock.ts';
import type { KeyKind } from '../../../src/model/probe.ts';
import { judgeRecordings } from '../../../src/recording/judge-recording.ts';
import { type ReadLine, readHarEntry } from '../../../src/recording/reading/entry.ts';
import { harReader } from '../../../src/recording/reading/har-stream.ts';
import { conduct } from '../../../src/run/conduct.ts';
import { type Interface, interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { harOf, violatedIn } from '../../recordings/recorded-run.ts';
import { folderWith } from '../documents/folder.ts';

const BOOKSHOP = join(import.meta.dirname, '..', '..', '..', 'examples', 'bookshop');
const FILES = ['openapi.yaml', 'requirements.yaml', 'suites/paging.mjs', 'suites/values.mjs'];

let known: Promise<Interface> | undefined;

/** The interface of the bookshop, whose suites are written with the source of petspec. It is read once, by the first test. */
export function shopInterface(): Promise<Interface> {
  const textOf = (name: string) => [name, readFileSync(join(BOOKSHOP, name), 'utf8')];
  known ??= interfaceOf({ interface: folderWith(Object.fromEntries(FILES.map(textOf))) });
  return known;
}

export interface Change {
  id: string;
  violates?: string;
}

interface Shop {
  start(settings: object): Promise<{ baseUrl: string; close(): Promise<void> }>;
  faults: readonly Change[];
  variants: readonly Change[];
}

export const shop: Shop = await import(pathToFileURL(join(BOOKSHOP, 'service', 'index.mjs')).href);

const KEY = 'a-real-key-7f3d9c';

const runs = new Map<string | undefined, ReturnType<typeof newRun>>();

/** A run against the bookshop, and its HAR: petspec's own, and as another recorder would have written it. Each is made once. */
export function recordShop(judging: Interface, change?: Change) {
  const run = runs.get(change?.id) ?? newRun(judging, change);
  runs.set(change?.id, run);
  return run;
}

async function newRun({ contract, checks }: Interface, change?: Change) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 21, 12));
  const { baseUrl, close } = await shop.start({ clock, apiKey: KEY, ...(change ? { change } : {}) });
  const options: RunOptions = { ...DEFAULT_OPTIONS, write: true, baseUrl, apiKey: KEY, plan: 'shop' };
  try {
    const plan = makePlan(contract, checks, options);
    const { findings, exchanges } = await conduct(
      contract,
      plan,
      options,
      { baseUrl, apiKey: KEY },
      { clock },
    );
    const own = harOf(exchanges, baseUrl);
    return { told: violatedIn(findings), own, others: asOthers(own), baseUrl };
  } finally {
    await close();
  }
}

const KEYS: Partial<Record<KeyKind, string>> = { valid: KEY, unknown: 'some-other-key-123' };

interface Entry {
  startedDateTime: string;
  time: number;
  request: { headers: { name: string; value: string }[] };
  [name: `_${string}`]: unknown;
}

function asOthers(har: string): string {
  const { log } = JSON.parse(har) as { log: { entries: Entry[] } };
  const entries = log.entries.map((entry, index) => {
    const key = KEYS[entry._key as KeyKind];
    const headers = entry.request.headers.filter(({ name }) => name.toLowerCase() !== 'x-shop-key');
    return {
      ...Object.fromEntries(Object.entries(entry).filter(([name]) => !name.startsWith('_'))),
      // Virtual time stands still while a request is under way.
      startedDateTime: new Date(Date.parse(entry.startedDateTime) + index).toISOString(),
      time: Math.max(0.6, entry.time),
      request: {
        ...entry.request,
        headers: key === undefined ? headers : [...headers, { name: 'X-Shop-Key', value: key }],
      },
    };
  });
  return JSON.stringify({ log: { version: '1.2', entries } });
}

async function* entriesOf(har: string): AsyncGenerator<ReadLine> {
  for (const entry of harReader().read(har)) yield readHarEntry(entry);
}

/** Judges a HAR by the bookshop's interface and its suites. */
export function judgeShop({ contract, checks }: Interface, har: string, baseUrl: string) {
  const files = [{ name: 'shop.har', entries: entriesOf(har) }];
  return judgeRecordings(contract, checks, files, { servers: { baseUrl }, redact: [] });
}
