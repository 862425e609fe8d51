import type { Check } from '../judge/check.ts';
import type { Contract, RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Probe } from '../model/probe.ts';
import { UsageError } from '../run/options.ts';
import type { Servers } from '../traffic/match-operation.ts';
import { type Captured, recordingCapture } from './capture.ts';
import { judgePart } from './judge-part.ts';
import type { ReadLine } from './line-entry.ts';
import { mergeFindings, withoutTraffic } from './merge.ts';
import type { OmissionKind } from './recorded.ts';
import { classifyCaptured, omissionOf, type RecordedExchange, requestsOf } from './requests.ts';
import { basesOf, tellServers } from './servers.ts';
import { type Known, nothingKnown } from './standing.ts';

/** A recording to judge. */
export interface RecordingFile {
  name: string;
  entries: AsyncIterable<ReadLine>;
}

export interface JudgeOptions {
  /** The servers that the user names. */
  servers: Servers;
  /** The rate plan of the key, and its figures. */
  plan?: string;
  limits?: RatePlan;
  /** Names of fields whose values are replaced. */
  redact: readonly string[];
  /** Called for each exchange that is judged, in order. */
  onExchange?: (exchange: Exchange, probe: Probe) => void;
}

/** What came of a file. */
export interface JudgedFile {
  name: string;
  entries: number;
  judged: number;
  omissions: Partial<Record<OmissionKind, number>>;
}

/** What judging recordings found. */
export interface JudgedRecording {
  findings: Readonly<Record<string, Finding>>;
  servers: Servers;
  files: readonly JudgedFile[];
  /** How many keys they hold, as far as they tell. */
  keys: number;
  /** The exchanges that findings cite, and the first ones. */
  exchanges: readonly Exchange[];
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** Exchanges of a part. Sequences are judged within it, so memory is bounded however long the recording is. */
const MAX_PART = 2_000;
const MAX_PART_SIZE = 32 * 1024 * 1024;

/** Exchanges that are kept for the report in addition to the evidence of findings. */
const MAX_KEPT = 500;

/**
 * Judges recordings by the checks of a run. Each file is judged by itself: a store may be emptied between two recordings.
 * @throws UsageError if a file cannot be read, or holds several servers and the user names none
 */
export async function judgeRecordings(
  contract: Contract,
  checks: readonly Check[],
  files: readonly RecordingFile[],
  options: JudgeOptions,
): Promise<JudgedRecording> {
  const state: State = {
    contract,
    checks,
    options,
    findings: {},
    kept: [],
    keys: new Set(),
    next: 1,
    startedAt: Number.POSITIVE_INFINITY,
    finishedAt: 0,
    servers: options.servers,
  };
  const judged: JudgedFile[] = [];
  for (const file of files) judged.push(await judgeFile(file, state));
  const cited = new Set(Object.values(state.findings).flatMap(({ evidence }) => evidence));
  return {
    findings: withoutTraffic(
      checks.map(({ requirement }) => requirement),
      state.findings,
    ),
    servers: state.servers,
    files: judged,
    keys: state.keys.size,
    exchanges: state.kept.filter(({ id }, index) => index < MAX_KEPT || cited.has(id)),
    startedAt: Number.isFinite(state.startedAt) ? state.startedAt : state.finishedAt,
    finishedAt: state.finishedAt,
  };
}

interface State {
  contract: Contract;
  checks: readonly Check[];
  options: JudgeOptions;
  findings: Readonly<Record<string, Finding>>;
  kept: Exchange[];
  keys: Set<string>;
  next: number;
  startedAt: number;
  finishedAt: number;
  servers: Servers;
}

async function judgeFile({ name, entries }: RecordingFile, state: State): Promise<JudgedFile> {
  const { contract, options } = state;
  const file: JudgedFile = { name, entries: 0, judged: 0, omissions: {} };
  const omit = (kind: OmissionKind) => {
    file.omissions[kind] = (file.omissions[kind] ?? 0) + 1;
  };
  const capture = recordingCapture(contract, options.redact);
  const known = nothingKnown();
  let servers: Servers = options.servers;
  let part: Captured[] = [];
  let size = 0;
  let latest = 0;
  /** Requests that are for no operation, by origin: which of these is the server is told later. */
  const others = new Map<string, number>();

  const close = () => {
    servers = serversOf(contract, part, servers, name);
    state.servers = { ...servers, ...state.servers };
    file.judged += judgeAndKeep(part, servers, known, state, omit);
    part = [];
    size = 0;
  };

  for await (const entry of entries) {
    if (entry === 'nothing') continue;
    if ('addresses' in entry) {
      servers = { ...entry.addresses, ...options.servers };
      continue;
    }
    if (!('omitted' in entry) || entry.omitted !== 'cut-off') file.entries += 1;
    if ('omitted' in entry) {
      omit(entry.omitted);
      continue;
    }
    const { recorded } = entry;
    if (!isCandidate(contract, recorded, servers)) {
      const { origin } = new URL(recorded.url);
      others.set(origin, (others.get(origin) ?? 0) + 1);
      continue;
    }
    if (recorded.response && !recorded.own && !hasHeaders(recorded.response.headers)) {
      omit('no-headers');
      continue;
    }
    if (recorded.response?.unread !== undefined && !recorded.own) omit('body-missing');
    if (recorded.sentAt < latest && !recorded.own) omit('out-of-order');
    latest = Math.max(latest, recorded.sentAt);
    part.push(capture(recorded));
    size += recorded.response?.body.length ?? 0;
    if (part.length >= MAX_PART || size > MAX_PART_SIZE) close();
  }
  if (part.length > 0) close();
  for (const [origin, count] of others) {
    const kind = isHere(origin, servers) ? 'other-path' : 'other-server';
    file.omissions[kind] = (file.omissions[kind] ?? 0) + count;
  }
  return file;
}

/** Whether an entry may be about the servers, so that it is kept until they are told. */
function isCandidate(
  contract: Contract,
  recorded: { method: string; url: string; own?: unknown },
  servers: Servers,
): boolean {
  return (
    recorded.own !== undefined || isHere(recorded.url, servers) || basesOf(contract, recorded).length > 0
  );
}

function isHere(url: string, servers: Servers): boolean {
  return Object.values(servers).some((base) => new URL(base).origin === new URL(url).origin);
}

/** Recorders that leave headers out leave out the ones that every response has. */
function hasHeaders(headers: readonly (readonly [string, string])[]): boolean {
  return headers.some(([name]) => /^(?:date|content-type|content-length)$/i.test(name));
}

/** @throws UsageError if the recording holds several servers and nobody names one */
function serversOf(contract: Contract, part: readonly Captured[], known: Servers, name: string): Servers {
  if (known.baseUrl !== undefined && known.apiUrl !== undefined) return known;
  const told = tellServers(contract, part, known);
  if ('servers' in told) return told.servers;
  if ('nothing' in told) return known;
  const list = told.doubt.map(({ base, requests }) => `${base} (${requests})`).join(', ');
  throw new UsageError(`${name}: requests to several servers: ${list}; name one with --base-url`);
}

/** Judges a part and keeps what the report needs of it. @returns how many exchanges were judged */
function judgeAndKeep(
  part: readonly Captured[],
  servers: Servers,
  known: Known,
  state: State,
  omit: (kind: OmissionKind) => void,
): number {
  const { contract, checks, options } = state;
  // A run counts its requests in the order in which it sent them, which a virtual clock does not show.
  const sorted = part.toSorted((one, other) =>
    one.own && other.own ? one.own.id - other.own.id : one.sentAt - other.sentAt,
  );
  const here = withoutRepeated(
    sorted.filter((each) => {
      const why = omissionOf(each, classifyCaptured(contract, servers, each), servers);
      if (why) omit(why);
      return why === undefined;
    }),
    () => omit('twice'),
  );
  const requests = requestsOf(contract, here, servers, known, state.next);
  if (requests.length === 0) return 0;
  state.next += requests.length;
  for (const { exchange, probe, group } of requests) {
    options.onExchange?.(exchange, probe);
    if (group !== undefined) state.keys.add(group);
    state.startedAt = Math.min(state.startedAt, exchange.sentAt);
    state.finishedAt = Math.max(state.finishedAt, exchange.receivedAt);
  }
  const settings = {
    contract,
    checks,
    baseUrl: servers.baseUrl ?? '',
    ...(options.plan === undefined ? {} : { plan: options.plan }),
    ...(options.limits ? { limits: options.limits } : {}),
  };
  const findings = judgePart(requests, settings);
  state.findings = mergeFindings(state.findings, findings);
  keep(requests, state);
  return requests.length;
}

/** The evidence of findings may be in any part; more than it and the first exchanges is not kept. */
function keep(requests: readonly RecordedExchange[], state: State): void {
  const cited = new Set(Object.values(state.findings).flatMap(({ evidence }) => evidence));
  for (const { exchange } of requests)
    if (state.kept.length < MAX_KEPT || cited.has(exchange.id)) state.kept.push(exchange);
}

/** Two recorders on the way of one exchange: one interval lies in the other, and all else is the same. */
function withoutRepeated(sorted: readonly Captured[], onRepeated: () => void): Captured[] {
  const latest = new Map<string, Captured>();
  return sorted.filter((each) => {
    if (each.own) return true;
    const content = [each.method, each.url, each.requestBody, each.response?.status, each.response?.body];
    const limits = each.response?.headers.filter(([name]) => /^(?:date|x-ratelimit-.*)$/i.test(name));
    const text = JSON.stringify([...content, limits?.map(([name, value]) => [name.toLowerCase(), value])]);
    const before = latest.get(text);
    const isWithin =
      before !== undefined && each.sentAt >= before.sentAt && each.receivedAt <= before.receivedAt;
    if (isWithin && each.receivedAt > before.sentAt) {
      onRepeated();
      return false;
    }
    latest.set(text, each);
    return true;
  });
}
