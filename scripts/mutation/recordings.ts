import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange, HeaderLine, Received } from '../../src/model/exchange.ts';
import { stringifyJson } from '../../src/model/json.ts';
import { packageRoot } from '../../src/model/package-root.ts';
import type { Conducted, Outcome } from '../../src/run/judge-outcome.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { RunPlan } from '../../src/run/plan.ts';

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

/** Recordings have most of their text in common: each text stands there once, and is referred to by its line. */
type Line = number;
interface PackedRun {
  id: string;
  options: RunOptions;
  outcome: Omit<Outcome, 'exchanges'>;
  exchanges: readonly PackedExchange[];
  judged: Readonly<Record<string, Line>>;
}
type PackedExchange = readonly [sentAt: number, receivedAt: number, rest: Line, response?: PackedResponse];
type PackedResponse = readonly [rest: Line, body: Line, headers: readonly Line[]];

/** Writes recordings in their order, and the plans that they were run by. */
export function writeRecordings(plans: Plans, recordings: readonly Recording[]): void {
  const lines = new Map<string, Line>();
  const lineOf = (text: string): Line => {
    const line = lines.get(text) ?? lines.size;
    lines.set(text, line);
    return line;
  };
  const packResponse = ({ body, headers, ...rest }: Received): PackedResponse => [
    lineOf(JSON.stringify(rest)),
    lineOf(JSON.stringify(body)),
    headers.map((header) => lineOf(JSON.stringify(header))),
  ];
  const runs = recordings.map(
    ({ id, options, outcome: { exchanges, ...outcome }, judged }): PackedRun => ({
      id,
      options,
      outcome,
      exchanges: exchanges.map(({ sentAt, receivedAt, response, ...rest }): PackedExchange => {
        const line = lineOf(JSON.stringify(rest));
        return response ? [sentAt, receivedAt, line, packResponse(response)] : [sentAt, receivedAt, line];
      }),
      judged: Object.fromEntries(Object.entries(judged).map(([name, text]) => [name, lineOf(text)])),
    }),
  );
  mkdirSync(FOLDER, { recursive: true });
  const sent = [...plans].map(([options, plan]) => [options, textOf(plan)]);
  writeFileSync(PLANS, JSON.stringify(Object.fromEntries(sent)));
  writeFileSync(TEXTS, [...lines.keys()].join('\n'));
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
        acceptable: _3,
        rule: _4,
        controls: _5,
        isReadBack: _6,
        isDuplicate: _7,
        ...sent
      }) => sent,
    ),
  );
}

/** Whether recordings say something about the files that are changed: they have their requests, whichever `src/probes` derives. */
export function needsRecordings(files: readonly string[]): boolean {
  return files.some((file) => !file.startsWith('src/probes/') && !file.startsWith('!'));
}

/** Recordings as they were written, each read when it is asked for. @throws the file system's error: there are none */
export function* readRecordings(): Generator<Recording> {
  const texts = readFileSync(TEXTS, 'utf8').split('\n');
  const values = new Map<Line, unknown>();
  const textAt = (line: Line) => texts[line] ?? '';
  const valueAt = <Value>(line: Line): Value => {
    const value = values.get(line) ?? JSON.parse(textAt(line));
    values.set(line, value);
    return value as Value;
  };
  const responseOf = ([rest, body, headers]: PackedResponse): Received => ({
    ...valueAt<Omit<Received, 'body' | 'headers'>>(rest),
    body: valueAt<string>(body),
    headers: headers.map((line) => valueAt<HeaderLine>(line)),
  });
  const exchangeOf = ([sentAt, receivedAt, rest, response]: PackedExchange): Exchange => ({
    ...valueAt<Omit<Exchange, 'sentAt' | 'receivedAt' | 'response'>>(rest),
    sentAt,
    receivedAt,
    ...(response ? { response: responseOf(response) } : {}),
  });
  for (const line of readFileSync(RUNS, 'utf8').split('\n')) {
    const { id, options, outcome, exchanges, judged } = JSON.parse(line) as PackedRun;
    const expected = Object.entries(judged).map(([name, place]) => [name, textAt(place)] as const);
    yield {
      id,
      options,
      outcome: { ...outcome, exchanges: exchanges.map(exchangeOf) },
      judged: Object.fromEntries(expected),
    };
  }
}
