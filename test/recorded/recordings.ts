import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { importsOf } from '../../scripts/architecture.ts';
import { type Finding, isProblem } from '../../src/model/finding.ts';
import { packageRoot } from '../../src/model/package-root.ts';
import type { Conducted, Outcome } from '../../src/run/judging/judge-outcome.ts';
import { type PackedRun, packRun, Texts, unpacking } from './pack-run.ts';

const FOLDER = join(packageRoot, 'test', 'recorded');
/** The exchanges of each run: JSON, compressed. */
export const EXCHANGES = join(FOLDER, 'exchanges.json.br');
/** What each run found, a line of JSON for each fault and variant. */
export const FINDINGS = join(FOLDER, 'findings.jsonl');
/** The digest of what sends. */
export const SOURCES = join(FOLDER, 'sources.sha256');

/** Which recordings take long to judge, and what they were judged by. */
export const LONG = join(FOLDER, 'long.json');

/** Recordings that need a long search to show that no limiter explains them. */
export interface Long {
  /** The digest of the code that they were judged by when this was written. */
  sources: string;
  /** As in `fault never-refuses-round`. */
  ids: readonly string[];
}

/** What came of the run of a fault or a variant. */
export interface Recording {
  /** As in `fault list-public`. */
  id: string;
  outcome: Outcome;
}

/** What the findings of a run are, without their words. */
export interface Found {
  id: string;
  /** The violated requirements and advisories: the kind of deviation, and the exchanges that show it. */
  problems: Readonly<
    Record<string, readonly [kind: string | undefined, evidence: readonly number[], again: string | null]>
  >;
  /** The requirements that were not tested, with the violated one that is to blame, or none. */
  untested: Readonly<Record<string, string | null>>;
  rootCause?: string;
  hints?: readonly string[];
}

/** What came of sending a finding again, in a word. */
function seenAgain({ confirmation }: Finding): string | null {
  if (confirmation === undefined) return null;
  return confirmation.outcome === 'not-sent' ? confirmation.because : confirmation.outcome;
}

/** What a run found. */
export function foundIn(id: string, { findings, rootCause, hints }: Conducted): Found {
  const all = Object.entries(findings).sort(([one], [other]) => (one < other ? -1 : 1));
  const rowsOf = <Value>(wanted: (finding: Finding) => boolean, value: (finding: Finding) => Value) =>
    Object.fromEntries(all.filter(([, each]) => wanted(each)).map(([name, each]) => [name, value(each)]));
  return {
    id,
    problems: rowsOf(isProblem, (each) => [each.kind, each.evidence, seenAgain(each)] as const),
    untested: rowsOf(
      ({ status }) => status === 'not-tested',
      ({ cause }) => cause ?? null,
    ),
    ...(rootCause ? { rootCause: rootCause.kind } : {}),
    ...(hints.length > 0 ? { hints: hints.map(({ kind }) => kind) } : {}),
  };
}

interface Packed {
  texts: readonly string[];
  runs: readonly (PackedRun & { id: string })[];
}

/** All recordings as the bytes of a file; the same runs give the same bytes. */
export function packed(recordings: readonly Recording[]): Buffer {
  const texts = new Texts();
  const runs = recordings.map(({ id, outcome }) => ({ id, ...packRun(outcome, texts) }));
  const whole: Packed = { texts: texts.all, runs };
  return brotliCompressSync(JSON.stringify(whole), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 },
  });
}

/** The recordings of the repository, each unpacked when it is asked for. */
export function recordings(): ReadonlyMap<string, () => Outcome> {
  const whole: Packed = JSON.parse(brotliDecompressSync(readFileSync(EXCHANGES)).toString());
  const unpack = unpacking(whole.texts);
  return new Map(whole.runs.map(({ id, ...run }) => [id, () => unpack(run)]));
}

/** What was found in the recordings of the repository. */
export function foundBefore(): ReadonlyMap<string, Found> {
  const lines = readFileSync(FINDINGS, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as Found).map((found) => [found.id, found]));
}

/** Where the code begins that decides what is sent and what comes back. */
const SENDING = /^src\/(?:session|probes|reference|run\/(?:plan|conduct|bundled)|selfcheck\/selfcheck)\b/;

/** Where the code begins that explains limiters. */
const EXPLAINING = /^src\/(?:limiter|judge\/limiter)\//;

/** What a plan names, and what decides nothing of that. */
const JUDGING = /^(?:src\/judge|suites)\//;

/** The digest of all code, and of the document, that decides what a recorded run sends and what comes back. */
export function digestOfSources(): string {
  return digestOf(reachedFrom(SENDING, (to) => !JUDGING.test(to)));
}

/** The digest of all code, and of the document, by which limiters are explained. */
export function digestOfLimiters(): string {
  return digestOf(reachedFrom(EXPLAINING, () => true));
}

/** The files that match, and all that they import, as far as an import counts. */
function reachedFrom(start: RegExp, isCounted: (to: string) => boolean): ReadonlySet<string> {
  const imports = importsOf();
  const files = new Set(imports.map(({ from }) => from).filter((file) => start.test(file)));
  for (const file of files)
    for (const { from, to } of imports) if (from === file && isCounted(to)) files.add(to);
  return files;
}

function digestOf(files: ReadonlySet<string>): string {
  const hash = createHash('sha256');
  for (const file of ['spec/openapi.yaml', ...files].sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(packageRoot, file)))
      .update('\0');
  return hash.digest('hex');
}
