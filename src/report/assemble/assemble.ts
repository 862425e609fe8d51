import { digestOfSet } from '../../contract/sets.ts';
import type { Contract, Requirement } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Finding, isProblem, notTested, repeated } from '../../model/finding.ts';
import { traceIdOf } from '../../model/http/trace-context.ts';
import { atOnce, type Steps } from '../../model/large/steps.ts';
import { packageVersion } from '../../model/package-root.ts';
import { leftOutBy, type Report, type RequirementResult, SCHEMA_VERSION } from '../../model/report/report.ts';
import type { RunRecord } from '../../model/report/run-record.ts';
import { collectRequests } from '../../reproduction/requests.ts';
import type { ReproductionSource } from '../../reproduction/steps.ts';
import type { Interface } from '../../run/contract-of.ts';
import { probeIn, type RunPlan } from '../../run/plan.ts';
import { countConditions, sensitivityOf } from '../../selfcheck/sensitivity/sensitivity.ts';
import { classifyExchange, countingCoverage } from '../../traffic/coverage/coverage.ts';
import type { Servers } from '../../traffic/match-operation.ts';
import { bounded, boundedCurl, boundedFinding, boundedLimiters } from '../facts/bounds.ts';
import { hintResult } from '../facts/command-line.ts';
import { countSections, countUp } from '../facts/request-counts.ts';
import { countJudged, judgeRun } from '../facts/verdict.ts';
import { type CommandSettings, curlOf } from '../reproduce/curl.ts';
import { type Printing, reproduced } from '../reproduce/index.ts';

/** Exchanges that a report keeps besides the evidence of findings. */
const MAX_EXCHANGES = 200;

/** Gaps of the document that a report names. */
const MAX_GAPS = 1_000;

const UNVERIFIED = 'the certificate of the service was not verified (--insecure)';

/**
 * Builds the report of a run. Pure: the same record and exchanges make the same report.
 * @param exchanges read once, in order; only the exchanges that the report keeps stay in memory
 * @param plan the plan of the run, whose probes are not derived again
 */
export function assemble(...run: Parameters<typeof assembling>): Report {
  return atOnce(assembling(...run));
}

/** Like {@link assemble}, in steps between which a caller can do other work. */
export function* assembling(
  { contract, checks }: Interface,
  record: RunRecord,
  exchanges: Iterable<Exchange>,
  plan: RunPlan,
): Steps<Report> {
  const { rootCause, hints, limiters, target } = record;
  const gaps = [...(record.gaps ?? []), ...contract.gaps];
  const settings = settingsOf(record);
  const probes = { get: probeIn(plan) };
  const sections = countSections(contract, checks, probes);
  yield;
  const coverage = yield* countingCoverage(contract);
  const servers = serversOf(target);
  const conditions = contract.file === undefined ? countConditions() : undefined;
  const reading = yield* readExchanges(contract, record, exchanges, settings, (exchange) => {
    sections.add(exchange);
    coverage.add(exchange, classifyExchange(contract, servers, exchange));
    conditions?.add(exchange);
  });
  const run: PrintedRun = {
    contract,
    probes,
    requests: reading.requests,
    target,
    settings,
    isRun: true,
    plan: target.plan,
    seed: record.seed,
  };
  const requirements: RequirementResult[] = [];
  const narrowedBy = optionsByRequirement(record);
  for (const requirement of contract.requirements) {
    requirements.push(resultOf(requirement, record, run, reading.curls, narrowedBy.get(requirement.id)));
    yield;
  }
  return {
    schemaVersion: SCHEMA_VERSION,
    suite: { ...suiteOf(contract), source: record.interfaceSource },
    target,
    ...verdictOf(requirements, record),
    judged: countJudged(requirements),
    rootCause,
    hints: hints.length > 0 ? hints.map((hint) => hintResult(hint, record.keyVariable)) : undefined,
    limiters: limiters.length > 0 ? boundedLimiters(limiters, reading.kept) : undefined,
    strict: record.strict,
    asOf: record.asOf,
    seed: record.seed,
    stopped: record.stopped,
    noRoom: record.noRoom,
    narrowed: [...record.narrowed],
    ...timesOf(record),
    virtualTime: record.virtualTime ? true : undefined,
    requests: {
      ...reading.counts,
      ...(contract.operations.some(({ secured }) => secured) ? {} : { areKeyless: true }),
    },
    announced: record.announced,
    summary: summarize(requirements),
    requirements,
    sections: sections.result(),
    coverage: coverage.result(),
    sensitivity: conditions && sensitivityOf(conditions.met(), requirements),
    gaps: gaps.length > 0 ? gaps.slice(0, MAX_GAPS) : undefined,
    newer: [...contract.newer],
    exchanges: reading.kept,
  };
}

/** The times of a report. @param span in ms since the epoch */
export function timesOf({
  startedAt,
  finishedAt,
}: Pick<RunRecord, 'startedAt' | 'finishedAt'>): Pick<Report, 'startedAt' | 'finishedAt' | 'durationMs'> {
  return {
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    // The clock of the machine may be set back during a run.
    durationMs: Math.max(0, finishedAt - startedAt),
  };
}

/** The addresses of a target by the names of its servers. */
function serversOf({ baseUrl, apiUrl, servers }: Report['target']): Servers {
  return { baseUrl, ...(apiUrl === null ? {} : { apiUrl }), ...servers };
}

/** The verdict of a run. It says if the identity of the service was not verified. */
function verdictOf(
  requirements: readonly RequirementResult[],
  record: RunRecord,
): Pick<Report, 'verdict' | 'because'> {
  const { verdict, because } = judgeRun(requirements, record);
  return { verdict, because: record.target.insecure ? `${because}; ${UNVERIFIED}` : because };
}

function settingsOf({ target, keyVariable }: RunRecord): CommandSettings {
  return {
    isInsecure: target.insecure ?? false,
    keyVariable,
  };
}

/** What reproductions are made from and printed with. */
type PrintedRun = ReproductionSource & Printing;

interface ReadExchanges {
  requests: PrintedRun['requests'];
  kept: Exchange[];
  curls: ReadonlyMap<number, string>;
  counts: ReturnType<ReturnType<typeof countUp>['result']>;
}

/** Reads the exchanges once for everything that a report needs of them: counts, exchanges to keep, commands and requests. */
function* readExchanges(
  contract: Contract,
  { findings, rootCause }: RunRecord,
  exchanges: Iterable<Exchange>,
  settings: CommandSettings,
  onExchange: (exchange: Exchange) => void,
): Steps<ReadExchanges> {
  const allFindings = Object.values(findings);
  const cited = new Set(
    [...allFindings, ...(rootCause ? [rootCause] : [])].flatMap(({ evidence }) => evidence),
  );
  for (const { confirmation } of allFindings)
    if (confirmation && 'exchanges' in confirmation) for (const id of confirmation.exchanges) cited.add(id);
  const toRepeat = allFindings.flatMap(({ repetition }) => (repetition ? repeated(repetition) : []));
  const requests = collectRequests(contract, new Set([...cited, ...toRepeat]));
  const tally = countUp(contract);
  const kept: Exchange[] = [];
  const curls = new Map<number, string>();
  let uncited = 0;
  for (const exchange of exchanges) {
    tally.add(exchange);
    onExchange(exchange);
    requests.add(exchange);
    const isCited = cited.has(exchange.id);
    if (isCited) curls.set(exchange.id, curlOf(exchange, settings));
    if (isCited || ++uncited <= MAX_EXCHANGES) kept.push(bounded(exchange));
    yield;
  }
  return { requests, kept, curls, counts: tally.result() };
}

/** The first option that left out each requirement. */
function optionsByRequirement({ narrowed }: RunRecord): ReadonlyMap<string, string> {
  const pairs = narrowed.flatMap(({ option, requirements }) =>
    requirements.map((id) => [id, option] as const),
  );
  return new Map(pairs.reverse());
}

/** A requirement with its finding and, if it is violated, its reproduction. */
function resultOf(
  requirement: Requirement,
  record: RunRecord,
  run: PrintedRun,
  curls: ReadonlyMap<number, string>,
  option: string | undefined,
): RequirementResult {
  const judged = record.findings[requirement.id];
  const isUntouched = judged === undefined || (option !== undefined && judged.evidence.length === 0);
  const finding = isUntouched ? leftOut(option) : judged;
  const curl = isProblem(finding) ? boundedCurl(curls.get(finding.evidence[0] ?? 0)) : undefined;
  const traceId = isProblem(finding)
    ? traceIdOf(run.requests.byId(finding.evidence[0] ?? 0)?.requestHeaders ?? [])
    : undefined;
  return {
    ...requirement,
    ...boundedFinding(finding),
    curl,
    traceId,
    ...(isProblem(finding) ? reproduced(finding, run, run) : {}),
  };
}

/** The finding of a requirement that an option left out. */
export function leftOut(option: string | undefined): Finding {
  return option
    ? notTested('left-out', leftOutBy(option))
    : notTested('not-planned', 'not judged in this run');
}

/** The tool and the interface of a report. */
export function suiteOf({
  title,
  version,
  digest,
  set,
  requirements,
  file,
  noun,
}: Pick<
  Contract,
  'title' | 'version' | 'digest' | 'set' | 'requirements' | 'file' | 'noun'
>): Report['suite'] {
  return {
    name: 'petspec',
    version: packageVersion,
    specVersion: version,
    specDigest: digest,
    interface: file === undefined ? undefined : title,
    noun,
    set: { version: set, requirements: requirements.length, digest: digestOfSet(requirements) },
  };
}

/** The number of requirements by status. */
export function summarize(requirements: readonly RequirementResult[]): Report['summary'] {
  const summary = {
    met: 0,
    violated: 0,
    advisory: 0,
    observed: 0,
    'not-tested': 0,
    unexercised: 0,
    unobserved: 0,
  } satisfies Report['summary'];
  for (const { status, exercised } of requirements) {
    summary[status] += 1;
    if (status === 'met' && !exercised) summary.unexercised += 1;
    if (status === 'observed' && !exercised) summary.unobserved += 1;
  }
  return summary;
}
