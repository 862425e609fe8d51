import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '../../src/model/json.ts';
import { packageRoot } from '../../src/model/package-root.ts';
import type { Conducted, Outcome } from '../../src/run/judging/judge-outcome.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { RunPlan } from '../../src/run/plan.ts';
import { type PackedRun, packRun, type TextNumber, Texts, unpacking } from '../../test/recorded/pack-run.ts';
import type { SentRecording } from './sent-requests.ts';

/** What came of the run of one fault or variant, and how it is judged: each part by its name, as JSON. */
export interface Recording {
  id: string;
  options: RunOptions;
  outcome: Outcome;
  judged: Readonly<Record<string, string>>;
}

/** How a run is judged, in parts: the finding of each requirement, the root cause, the hints and the limiters. */
export function judgedParts({ findings, rootCause, hints, limiters }: Conducted): [string, unknown][] {
  return Object.entries({ ...findings, rootCause: rootCause ?? null, hints, limiters });
}

/** Where recordings are kept; git ignores them. */
const FOLDER = join(packageRoot, 'test', 'mutation', 'recordings');
const PLANS = join(FOLDER, 'plans.json');
const TEXTS = join(FOLDER, 'texts.jsonl');
const RUNS = join(FOLDER, 'runs.jsonl');
const SENT = join(FOLDER, 'sent.json');
const SLOW = join(FOLDER, 'slow-tests.json');

interface PackedRecording extends PackedRun {
  id: string;
  options: RunOptions;
  judged: Readonly<Record<string, TextNumber>>;
}

/** Writes recordings in their order, and the plans that they were run by. */
export function writeRecordings(plans: Plans, recordings: readonly Recording[]): void {
  const texts = new Texts();
  const runs = recordings.map(
    ({ id, options, outcome, judged }): PackedRecording => ({
      id,
      options,
      ...packRun(outcome, texts),
      judged: Object.fromEntries(Object.entries(judged).map(([name, text]) => [name, texts.numberOf(text)])),
    }),
  );
  mkdirSync(FOLDER, { recursive: true });
  const sent = [...plans].map(([options, plan]) => [options, textOf(plan)]);
  writeFileSync(PLANS, JSON.stringify(Object.fromEntries(sent)));
  writeFileSync(TEXTS, texts.all.join('\n'));
  writeFileSync(RUNS, runs.map((run) => JSON.stringify(run)).join('\n'));
}

/** Run plans, by their options as JSON. */
export type Plans = ReadonlyMap<string, RunPlan>;

/** Makes a function that says whether a plan sends what the recorded one with these options sent. */
export function recordedPlans(): (options: string, plan: RunPlan) => boolean {
  const plans: Readonly<Record<string, string>> = JSON.parse(readFileSync(PLANS, 'utf8'));
  return (options, plan) => plans[options] === textOf(plan);
}

/** The requests of a plan, without what only says how answers to them are judged. */
function textOf({ probes }: RunPlan): string {
  return stringifyJson(
    probes.map(
      ({
        title: _1,
        validity: _2,
        expectation: _3,
        rule: _4,
        controls: _5,
        isReadBack: _6,
        isDuplicate: _7,
        ...sent
      }) => sent,
    ),
  );
}

/** What is recorded of the code before it is changed. */
export type Recorded = 'runs' | 'sent';

const DERIVING = /^src\/(?:probes|requests)\//;

/**
 * What may notice changes of files: recorded runs have their requests, whichever is derived, and a change of how responses are judged sends
 * the same.
 */
export function noticing(files: readonly string[]): Recorded[] {
  const changed = files.filter((file) => !file.startsWith('!'));
  return [
    ...(changed.some((file) => !DERIVING.test(file)) ? (['runs'] as const) : []),
    ...(changed.some((file) => DERIVING.test(file)) ? (['sent'] as const) : []),
  ];
}

/** Writes what runs send. */
export function writeSent(recordings: readonly SentRecording[]): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(SENT, JSON.stringify(recordings));
}

/** What runs sent, as it was written. @throws the file system's error: nothing was */
export function readSent(): SentRecording[] {
  return JSON.parse(readFileSync(SENT, 'utf8'));
}

/** Writes which unit tests are slow. Of all processes, one runs them without a change. */
export function writeSlow(ids: readonly string[]): void {
  writeFileSync(SLOW, JSON.stringify(ids));
}

/** The slow unit tests, as they were written. @throws the file system's error: nothing was */
export function readSlow(): string[] {
  return JSON.parse(readFileSync(SLOW, 'utf8'));
}

/** Recordings as they were written, each read when it is asked for. @throws the file system's error: there are none */
export function* readRecordings(): Generator<Recording> {
  const texts = readFileSync(TEXTS, 'utf8').split('\n');
  const unpack = unpacking(texts);
  for (const line of readFileSync(RUNS, 'utf8').split('\n')) {
    const { id, options, judged, ...run } = JSON.parse(line) as PackedRecording;
    const expected = Object.entries(judged).map(([name, number]) => [name, texts[number] ?? ''] as const);
    yield { id, options, outcome: unpack(run), judged: Object.fromEntries(expected) };
  }
}
