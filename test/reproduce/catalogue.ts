import { loadContract } from '../../src/contract/load.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { isLate, type Probe } from '../../src/model/probe.ts';
import { readRateLimit } from '../../src/model/rate-limit.ts';
import type { Report, RequirementResult } from '../../src/model/report/report.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { limiterFaults } from '../../src/reference/faults/limiter/limiter.ts';
import { assemble } from '../../src/report/assemble.ts';
import { REFERENCE_KEY } from '../../src/run/bundled.ts';
import { recordOf } from '../../src/run/job.ts';
import { type Conducted, judge } from '../../src/run/judge-outcome.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../src/run/options.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { makePlan, type RunPlan } from '../../src/run/plan.ts';
import { conductChanged, optionsOfTrial, seedFor, startOf } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { CONTRADICTS } from './figures.ts';
import { type Played, play } from './play.ts';

const contract = loadContract();
const checks = allChecks(contract);
const options = { ...DEFAULT_OPTIONS, plan: 'free' };

/** What a script looks like: those of one shape differ in their requests alone. */
export type Shape =
  | 'command'
  | 'requests in turn'
  | 'until refused'
  | 'after a refusal'
  | 'a record'
  | 'entries'
  | 'until two are the same'
  | 'together'
  | 'limits in turn'
  | 'limits in turn and again'
  | 'limits again'
  | 'answers again';

export function shapeOf(script: string): Shape {
  if (script.includes('record()')) return 'a record';
  if (script.includes('entries()')) return 'entries';
  if (script.includes('more than once')) return 'until two are the same';
  if (script.includes('--parallel')) return 'together';
  if (script.includes('uniq -c')) return 'answers again';
  if (script.includes('    *) ')) return 'limits in turn and again';
  if (script.includes('case $n')) return 'limits in turn';
  if (script.includes('sleep')) return 'after a refusal';
  if (script.includes('echo "${response%')) return 'until refused';
  if (script.includes('for ((n')) return 'limits again';
  return script.includes(' &&\n') ? 'requests in turn' : 'command';
}

/** What a run against the reference with a fault found. */
export interface Found {
  /** All that a run with its seed sends. */
  whole: RunPlan;
  run: Conducted;
  report: Report;
  problems: readonly RequirementResult[];
}

export async function findingsOf(fault: Fault): Promise<Found> {
  const seed = seedFor({ fault }, seedOf(contract));
  const planned = (exhaust: RunOptions['exhaust']) =>
    makePlan(contract, checks, { ...options, ...optionsOfTrial({ fault }), seed, exhaust });
  const whole = planned('minute');
  // Going on to the limit is slow, and most faults show before.
  const isShownLate = limiterFaults.includes(fault) || fault.plan !== undefined;
  const short = isShownLate ? undefined : await foundBy(planned('none'), whole, fault);
  return short && short.problems.length > 0 ? short : foundBy(whole, whole, fault);
}

async function foundBy(plan: RunPlan, whole: RunPlan, fault: Fault): Promise<Found> {
  const run = await conductChanged(contract, plan, { fault });
  const report = assemble(
    { contract, checks },
    recordOf(contract, checks, plan, { options }, run),
    run.exchanges,
    plan,
  );
  const problems = report.requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
  return { whole, run, report, problems };
}

const plain = new Map<string, ReturnType<typeof play>>();

/** Many scripts differ in the port of what they ask alone: each is played against the plain reference once. */
function once(script: string, playNow: () => ReturnType<typeof play>): ReturnType<typeof play> {
  const name = script.replace(/127\.0\.0\.1:\d+/g, '');
  const played = plain.get(name) ?? playNow();
  plain.set(name, played);
  return played;
}

/** What a script gets from the reference with some faults. */
function playOn({ report }: Found, script: string, faults: readonly Fault[]): ReturnType<typeof play> {
  const start = startOf(faults[0] ?? {});
  const playNow = () => play(script, report.target, REFERENCE_KEY, { changes: faults, ...start });
  return faults.length > 0 ? playNow() : once(script, playNow);
}

/** Whether the headers that a script shows contradict a requirement, of the reference with some faults. */
export async function contradictedBy(
  found: Found,
  { id, reproduce }: RequirementResult,
  faults: readonly Fault[],
): Promise<boolean> {
  const { played } = await playOn(found, reproduce?.script ?? '', faults);
  const last = played.at(-1)?.request.url ?? '';
  const counted = played.filter(
    ({ request }) =>
      new URL(request.url).origin === new URL(last).origin &&
      authorizationOf(request.headers) === `Bearer ${REFERENCE_KEY}`,
  );
  const rows = counted.map(({ answer: { response, receivedAt } }) => ({
    status: response?.status,
    ...readRateLimit(response?.headers ?? [], receivedAt),
  }));
  return CONTRADICTS[id]?.(rows) ?? false;
}

/** What is said of a requirement by the answers to its script alone, of the reference with some faults. */
export async function statusAfter(
  found: Found,
  { id, reproduce, evidence }: RequirementResult,
  faults: readonly Fault[],
): Promise<string | undefined> {
  const { run, whole } = found;
  const shown = run.exchanges.find((each) => each.id === evidence[0]);
  if (!shown || !reproduce) return undefined;
  const { played, baseUrl } = await playOn(found, reproduce.script, faults);
  const inTurn = repeated(found, id);
  const exchanges = played.map((each, index) =>
    exchangeOf(
      each,
      index,
      (inTurn.length === played.length && inTurn[index]) || playedAs(shown, index, played, found),
    ),
  );
  const { used: _, ...rest } = run;
  const outcome = { ...rest, target: { ...run.target, baseUrl }, exchanges, unsent: [] };
  return judge(contract, whole, options, outcome).findings[id]?.status;
}

/** The exchanges that a finding names to be sent again in turn. */
function repeated({ run }: Found, requirement: string): readonly Exchange[] {
  const repetition = run.findings[requirement]?.repetition;
  if (repetition?.kind !== 'in-turn') return [];
  return repetition.exchanges.flatMap((id) => run.exchanges.find((each) => each.id === id) ?? []);
}

/** The exchange of the run that a played request takes the place of. */
function playedAs(
  shown: Exchange,
  index: number,
  played: readonly Played[],
  { run, whole }: Found,
): Exchange {
  const probes = new Map([...whole.probes, ...whole.surplus].map((each) => [each.id, each]));
  if (index === played.length - 1) return shown;
  const before = run.exchanges.find(({ probe }) => needsOf(probes.get(shown.probe)).includes(probe));
  if (before && played.length === 2) return before;
  const { method, url, headers } = (played[index] as Played).request;
  const alike = run.exchanges.filter((each) => each.method === method && each.url === url);
  const key = authorizationOf(headers);
  // A wrong key that needs no right one is printed as it was sent.
  const same = alike.find((each) => authorizationOf(each.requestHeaders) === key) ?? alike[0];
  if (same && played.length === 2) return same;
  const probe = `${shown.operation}:exhaust`;
  return probes.has(probe) ? { ...shown, probe, stage: 'exhaust' } : shown;
}

function authorizationOf(headers: readonly (readonly [string, string])[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

/** The probes whose responses a probe needs, and those that send the same text. */
function needsOf(probe: Probe | undefined): string[] {
  const paths = Object.values(probe?.path ?? {}).filter(isLate);
  const sources = paths.flatMap((late) => (late.late === 'response' ? late.sources : []));
  const texts = JSON.stringify(probe?.body ?? null, (_, value) => (typeof value === 'bigint' ? 0 : value));
  const shared = [...texts.matchAll(/"of":"([^"]*)"/g)].map(([, of]) => of ?? '');
  return [...sources.map((each) => each.probe), ...shared].filter((id) => id !== probe?.id);
}

function exchangeOf({ request, answer }: Played, index: number, as: Exchange): Exchange {
  const { response: _, failure: __, requestBody: ___, ...rest } = as;
  const { arrival: _arrival, ...received } = answer;
  return {
    ...rest,
    id: index + 1,
    method: request.method,
    url: request.url,
    ...(request.body === undefined ? {} : { requestBody: request.body }),
    inFlight: 1,
    ...received,
    rate: answer.response ? readRateLimit(answer.response.headers, answer.receivedAt) : {},
  };
}
