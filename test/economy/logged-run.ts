import { loadContract } from '../../src/contract/load.ts';
import { VirtualClock } from '../../src/model/clock.ts';
import { bodyText } from '../../src/reference/http/answer.ts';
import type { Change, LimiterSettings, LogEntry, Plan } from '../../src/reference/index.ts';
import { startInProcess, startReference } from '../../src/reference/index.ts';
import { conduct } from '../../src/run/conduct.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../src/run/options.ts';
import { type RunPlan, sharedPlans } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';

const contract = loadContract();
const checks = allChecks(contract);
const makePlan = sharedPlans();
const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));

/** A quarter into a minute, half a day before midnight: fixed windows begin and end where they are least in the way. */
const START = Date.UTC(2026, 10, 21, 12, 0, 15);

/** A request as the reference logged it, and what it answered. */
export interface Logged extends LogEntry {
  /** With method, path and the form of its body it tells one request from another. */
  body: string;
  /** How the body is sent: its Content-Type and Transfer-Encoding; absent without a body. */
  form?: string;
  /** Whether the same was asked before, with the key. */
  isRepeat: boolean;
  /** ms since the epoch, by the shared clock. */
  answeredAt: number;
  /** The id of the animal that it added; absent if it added none. */
  added?: string;
  /** ms that a 429 asks to wait, by the server's own reckoning; 0 for any other answer. */
  wait: number;
}

export interface LoggedRun extends Conducted {
  runPlan: RunPlan;
  log: readonly Logged[];
  /** Requirements that a service must meet: violated, and not tested with the reason. */
  violated: readonly string[];
  untested: Readonly<Record<string, string>>;
}

export interface Circumstances {
  plan: Plan;
  limiter?: Partial<LimiterSettings>;
  changes?: readonly Change[];
  options?: Partial<RunOptions>;
  /** ms since the epoch. */
  start?: number;
  /** Default: in memory. */
  connections?: 'memory' | 'sockets';
}

/** What is noted of the answer to a request. */
type Answered = Pick<Logged, 'body' | 'form' | 'answeredAt' | 'wait' | 'added'>;

/** A run against the reference in virtual time, seen from the reference's side: by its own log, not the session's. */
export async function loggedRun({
  plan,
  limiter = {},
  changes = [],
  options,
  start = START,
  connections = 'memory',
}: Circumstances): Promise<LoggedRun> {
  const chosen: RunOptions = { ...DEFAULT_OPTIONS, frugal: true, ...options };
  const clock = new VirtualClock(start);
  const answers = new Map<number, Answered>();
  const begin = connections === 'memory' ? startInProcess : startReference;
  const reference = await begin({
    clock,
    apiKey: 'petspec-reference-key',
    plan,
    settings: { limiter },
    changes: [...changes, noteAnswers(answers, clock)],
  });
  try {
    const runPlan = makePlan(contract, checks, chosen);
    let last = 1n << 62n;
    const run = await conduct(contract, runPlan, chosen, reference, { clock, random: () => last++ });
    return { ...run, runPlan, log: logOf(reference.log, answers), ...outcomeOf(run) };
  } finally {
    await reference.close();
  }
}

/** Notes each answer of the reference by the number of its request. */
function noteAnswers(answers: Map<number, Answered>, clock: VirtualClock): Change {
  return {
    around: async (call, next) => {
      const answer = await next(call);
      const stated = answer.headers.find(([name]) => name === 'Retry-After')?.[1];
      const wait = answer.status === 429 && stated !== undefined ? waitOf(stated, call.now) : 0;
      const isAddition = call.operation === 'createPet' && answer.status === 201;
      const added = isAddition ? /"id"\s*:\s*"?(\d+)/.exec(bodyText(answer))?.[1] : undefined;
      answers.set(call.number, {
        // Bytes that are not UTF-8 have no text.
        body: call.bodyText ?? call.bodyBytes.toString('latin1'),
        form: `${call.headers['content-type'] ?? ''} ${call.headers['transfer-encoding'] ?? ''}`.trim(),
        answeredAt: clock.now(),
        wait,
        ...(added === undefined ? {} : { added }),
      });
      return answer;
    },
  };
}

function logOf(entries: readonly LogEntry[], answers: ReadonlyMap<number, Answered>): Logged[] {
  return entries.map((entry, index) => ({
    ...entry,
    isRepeat: entries
      .slice(0, index)
      .some(({ method, path, key }) => key === 'valid' && method === entry.method && path === entry.path),
    ...(answers.get(entry.number) ?? { body: '', answeredAt: entry.at, wait: 0 }),
  }));
}

function outcomeOf({ findings }: Conducted): Pick<LoggedRun, 'violated' | 'untested'> {
  const found = Object.entries(findings).filter(([id]) => musts.has(id));
  const withStatus = (wanted: string) => found.filter(([, { status }]) => status === wanted);
  return {
    violated: withStatus('violated').map(([id, { reason }]) => `${id}: ${reason}`),
    untested: Object.fromEntries(withStatus('not-tested').map(([id, { reason }]) => [id, reason])),
  };
}

/** ms that a Retry-After asks for, from `now` on by the server's clock. */
function waitOf(stated: string, now: number): number {
  return /^\d+$/.test(stated) ? Number(stated) * 1000 : Math.max(0, Date.parse(stated) - now);
}

/** Requests with the key at the base address, in the order in which they arrived. */
export function withKey(log: readonly Logged[]): Logged[] {
  return log.filter(({ listener, key }) => listener === 'animals' && key === 'valid');
}

/** Requests that arrived after a 429 was answered and before it allowed them to: the most that did after any one. */
export function intoClosedWindows(log: readonly Logged[]): number {
  const closing = log.filter(({ status }) => status === 429);
  const after = closing.map(
    ({ number, answeredAt, wait }) =>
      log.filter((each) => each.number > number && each.at >= answeredAt && each.at < answeredAt + wait)
        .length,
  );
  return Math.max(0, ...after);
}

/**
 * Requests with the key that came again although they had been answered, not with a 429, but for the most frequent read. The
 * first list comes once more, after all else, and what the run added is fetched up to twice more.
 */
function repeated(log: readonly Logged[]): string[] {
  const counts = new Map<string, number>();
  for (const [index, { key, method, path, body, form = '', status }] of log.entries()) {
    if (key !== 'valid' || status === 429 || isBeside(log, index)) continue;
    const request = `${method} ${path} ${body}${form && ` as ${form}`}`;
    counts.set(request, (counts.get(request) ?? 0) + 1);
  }
  const [first] = counts.keys();
  const added = new Set(log.map((each) => each.added));
  const isAdded = (request: string) => added.has(/^GET \/v1\/pets\/(\d+) $/.exec(request)?.[1] ?? 'none');
  const most = (request: string) => (request === first ? 2 : isAdded(request) ? 3 : 1);
  const exhausting = [...counts]
    .sort(([, left], [, right]) => right - left)
    .find(([request, count]) => /^GET /.test(request) && count > (isAdded(request) ? most(request) : 0));
  return [...counts]
    .filter(([request, count]) => count > most(request) && request !== exhausting?.[0])
    .map(([request]) => request);
}

/** Whether a request arrived together with the one before or after it: the requests of a burst do. */
function isBeside(log: readonly Logged[], index: number): boolean {
  return [log[index - 1], log[index + 1]].some((each) => each?.at === log[index]?.at);
}

/** Whoever waits for a window waits longer than this (ms); requests one after the other take 5 each. */
const PAUSE = 1_000;

/**
 * The requests of the window that was used up and of what came after it: from the last wait before the 429 on, or,
 * where none came, before the end.
 */
export function lastWindow(sent: readonly Logged[]): { requests: readonly Logged[]; refusedAfter: number } {
  const first = sent.findIndex(({ status }) => status === 429);
  const refused = first === -1 ? sent.length - 1 : first;
  const from = sent.findLastIndex(
    ({ at }, index) => index > 0 && index <= refused && at - (sent[index - 1]?.at ?? at) >= PAUSE,
  );
  const requests = sent.slice(Math.max(0, from));
  return { requests, refusedAfter: (sent[refused]?.at ?? 0) - (requests[0]?.at ?? 0) };
}

/** How many requests a bucket gives back in so many ms, at most: one by one, or a sixth of its limit at a time. */
export function refilledIn(ms: number, limit: number, algorithm?: LimiterSettings['algorithm']): number {
  if (algorithm === 'token-bucket-in-lots') return Math.ceil(ms / 10_000) * (limit / 6);
  return algorithm === 'token-bucket' || algorithm === 'gcra' ? Math.floor((limit * ms) / 60_000) : 0;
}

/** Whether a request without a key goes to another spelling of an address. */
const isSpelled = ({ key, path }: Logged) => key !== 'valid' && /\/\/|\/$|%/.test(path);

/** What goes beyond what a run may spend, whatever the plan; nothing should. */
export function excess(log: readonly Logged[]): string[] {
  const count = (what: string, most: number, wanted: (each: Logged) => boolean) => {
    const number = log.filter(wanted).length;
    return number > most ? [`${number} ${what}, at most ${most}`] : [];
  };
  return [
    ...repeated(log).map((request) => `sent again: ${request}`),
    // What the limit refused is sent again.
    ...count(
      'requests with wrong keys',
      12,
      (each) =>
        each.listener === 'animals' && each.key !== 'valid' && each.status !== 429 && !isSpelled(each),
    ),
    ...count('other spellings of an address without a key', 3, isSpelled),
    ...count('messages', 6, ({ listener }) => listener === 'messages'),
    ...count('animals', 16, ({ operation, status }) => operation === 'createPet' && status === 201),
  ];
}
