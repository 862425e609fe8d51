import type { Check } from '../../judge/evidence/check.ts';
import type { Contract, Level, Operation } from '../../model/contract.ts';
import type { Exchange, Stopped } from '../../model/exchange.ts';
import { type Finding, isProblem, met, notTested, violated } from '../../model/finding.ts';
import type { Probe } from '../../model/probe.ts';
import type { Coverage } from '../../model/report/coverage.ts';
import {
  counted,
  type HintResult,
  type RecordedFileResult,
  type Report,
  type RequirementResult,
  SCHEMA_VERSION,
  type SectionCount,
} from '../../model/report/report.ts';
import { narrowedByTraffic } from '../../model/report/run-record.ts';
import type { JudgedFile, JudgedRecording } from '../../recording/judgment.ts';
import { OMISSIONS, type OmissionKind, unjudgedEntries } from '../../recording/recorded.ts';
import { collectRequests } from '../../reproduction/requests.ts';
import type { ReproductionSource } from '../../reproduction/steps.ts';
import { countConditions, type Met, sensitivityOf } from '../../selfcheck/sensitivity/sensitivity.ts';
import type { Classified } from '../../traffic/classify.ts';
import { countTrafficCoverage, type TrafficCoverageCounter } from '../../traffic/coverage/coverage.ts';
import { UNDOCUMENTED_KINDS } from '../../traffic/coverage/undocumented.ts';
import { bounded, boundedCurl, boundedFinding } from '../bounds.ts';
import { curlOf } from '../curl.ts';
import { reproduced } from '../reproduce/index.ts';
import { sectionsTestedBy } from '../sections.ts';
import { countJudged, judgeRun } from '../verdict.ts';
import { leftOut, suiteOf, summarize, timesOf } from './assemble.ts';

/** What a report of recordings has beside the findings. */
export interface RecordingRecord {
  strict: boolean;
  /** The rate plan that the user named. */
  plan?: string | undefined;
  /** The ids of the requirements that the user selected; empty for all. */
  only?: readonly string[] | undefined;
  counts: ReturnType<RecordingCounts['result']>;
}

/** Builds the result of judging recordings. Pure. */
export function assembleRecording(
  contract: Contract,
  { strict, plan, only = [], counts }: RecordingRecord,
  judged: JudgedRecording,
): Report {
  const findings = { ...judged.findings, ...undocumentedFindings(contract, only, counts) };
  const exchanges = new Map(judged.exchanges.map((each) => [each.id, each]));
  const source = sourceOf(contract, judged, plan);
  const requirements = contract.requirements.map((requirement): RequirementResult => {
    const finding = findings[requirement.id] ?? leftOut('--only');
    const first = isProblem(finding) ? exchanges.get(finding.evidence[0] ?? 0) : undefined;
    const curl = first && boundedCurl(curlOf(first));
    return {
      ...requirement,
      ...boundedFinding(finding),
      curl,
      ...(isProblem(finding) ? reproduced(finding, source, { contract, settings: {} }) : {}),
    };
  });
  const narrowed = narrowedByTraffic(requirements, findings);
  const stopped = stoppedOf(judged);
  const hints = hintsOf(judged);
  return {
    schemaVersion: SCHEMA_VERSION,
    suite: suiteOf(contract),
    target: {
      baseUrl: judged.servers.baseUrl ?? judged.files.map(({ name }) => name).join(', '),
      apiUrl: judged.servers.apiUrl ?? null,
      plan: plan ?? null,
    },
    recording: { files: judged.files.map(fileOf), keys: judged.keys },
    ...judgeRun(requirements, { narrowed, strict, stopped }),
    judged: countJudged(requirements),
    hints: hints.length > 0 ? hints : undefined,
    strict,
    asOf: contract.asOf,
    stopped,
    narrowed,
    ...timesOf(judged),
    requests: {
      ...counts.requests,
      ...(contract.operations.some(takesKey) ? {} : { areKeyless: true }),
    },
    summary: summarize(requirements),
    requirements,
    sections: counts.sections,
    coverage: counts.coverage,
    sensitivity: counts.faults && sensitivityOf(counts.faults, requirements),
    gaps: judged.gaps.length > 0 ? [...judged.gaps] : undefined,
    newer: [...contract.newer],
    exchanges: judged.exchanges.map(bounded),
  };
}

/** What `--undocumented` finds of its requirements, by id. */
function undocumentedFindings(
  { requirements }: Contract,
  only: readonly string[],
  counts: RecordingRecord['counts'],
): Record<string, Finding> {
  const kinds = Object.entries(UNDOCUMENTED_KINDS).flatMap(([kind, { id }]) => {
    const own = requirements.find((each) => each.id === id);
    const isSelected = only.length === 0 || only.includes(id);
    return own && isSelected ? [[id, undocumentedFinding(kind, own.level, counts)] as const] : [];
  });
  return Object.fromEntries(kinds);
}

function undocumentedFinding(
  kind: string,
  level: Level,
  { coverage: { undocumented = [] }, requests }: RecordingRecord['counts'],
): Finding {
  const found = undocumented.filter((each) => each.kind === kind);
  const [first, ...others] = found;
  if (!first) return requests.total > 0 ? met([]) : notTested('no-traffic', 'no exchange was judged');
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const deviation = {
    kind: 'meaning' as const,
    reason: `the document does not list ${first.name}${more}`,
    expected: `only what the document lists`,
    received: `${first.example}, ${counted(first.count, 'exchange')}`,
  };
  const finding = violated(deviation, []);
  return level === 'should' ? { ...finding, status: 'advisory' } : finding;
}

/** What recorded requests are sent again from. Nothing planned them, so they are sent as they were. */
function sourceOf(
  contract: Contract,
  { exchanges, servers }: JudgedRecording,
  plan?: string,
): ReproductionSource {
  const requests = collectRequests(contract, new Set(exchanges.map(({ id }) => id)));
  for (const exchange of exchanges) requests.add(exchange);
  const target = { ...servers, baseUrl: servers.baseUrl ?? '' };
  return { contract, probes: { get: () => undefined }, requests, target, plan: plan ?? null };
}

function fileOf({ name, entries, judged, omissions }: JudgedFile): RecordedFileResult {
  const omitted = Object.entries(omissions).map(([kind, count]) => ({
    kind,
    count,
    text: OMISSIONS[kind as OmissionKind],
  }));
  return { name, entries, judged, omitted };
}

/** Says where the requests are, if the user named another base URL. */
function hintsOf({ otherBase }: JudgedRecording): HintResult[] {
  if (!otherBase) return [];
  const { base, requests } = otherBase;
  const left = requests === 1 ? '1 request was' : `${requests} requests were`;
  return [
    { kind: 'other-base', text: `${left} left out: the base URL there is ${base}; name it with --base-url` },
  ];
}

function takesKey({ secured, isKeyOptional }: Operation): boolean {
  return secured || isKeyOptional === true;
}

/** Why nothing was judged: what all entries have in common, or else that none was for the interface. */
function stoppedOf({ files, servers }: JudgedRecording): Stopped | undefined {
  if (files.some(({ judged }) => judged > 0)) return undefined;
  const entries = files.reduce((sum, each) => sum + each.entries, 0);
  if (entries === 0) return { kind: 'unreachable', message: 'no request was recorded' };
  const reasons = unjudgedEntries(files.map(({ omissions }) => omissions));
  const [first, ...others] = reasons;
  const listed = reasons.map(({ why, count }) => `${count}: ${why}`).join('; ');
  const isElsewhere = reasons.every(({ kind }) => ELSEWHERE.has(kind));
  if (first && !isElsewhere)
    return {
      kind: 'unreachable',
      message: `${counted(entries, 'entry')} not judged${others.length === 0 ? `: ${first.why}` : ` (${listed})`}`,
    };
  const where =
    servers.baseUrl === undefined
      ? 'no request is for an operation of the interface; name the server with --base-url'
      : `no request is for an operation of the interface at ${servers.baseUrl}`;
  return { kind: 'unreachable', message: listed === '' ? where : `${where} (${listed})` };
}

const ELSEWHERE: ReadonlySet<OmissionKind> = new Set(['other-server', 'other-path', 'other-base']);

/** Counts recorded exchanges, one at a time. */
export interface RecordingCounts extends Pick<TrafficCoverageCounter, 'unlisted'> {
  add(exchange: Exchange, probe: Probe, classified: Classified): void;
  result(): {
    requests: Report['requests'];
    sections: SectionCount[];
    coverage: Coverage;
    /** The faults of the catalogue whose condition was met. Absent for an interface without a catalogue. */
    faults?: Met;
  };
}

/** Kinds of probes whose sections are kept. A recording may have any number of kinds. */
const MAX_KINDS = 10_000;

/**
 * Counts exchanges, those that test each section of the interface, and what they cover of it.
 * @param covered what they cover, if somebody else counts that
 */
export function countRecorded(
  contract: Contract,
  checks: readonly Check[],
  covered?: TrafficCoverageCounter,
): RecordingCounts {
  const sectionsOf = sectionsTestedBy(contract, checks);
  const sections = new Map(contract.requirements.map(({ section }) => [section, 0]));
  const known = new Map<string, ReadonlySet<string>>();
  const coverage = covered ?? countTrafficCoverage(contract);
  const conditions = contract.file === undefined ? countConditions() : undefined;
  let total = 0;
  let withKey = 0;
  return {
    add(exchange, probe, classified) {
      total += 1;
      if (!covered) coverage.add(exchange, classified);
      conditions?.add(exchange);
      if (exchange.key === 'valid') withKey += 1;
      const kind = kindOf(probe);
      const own = known.get(kind) ?? sectionsOf(probe);
      if (known.size < MAX_KINDS) known.set(kind, own);
      for (const section of own) sections.set(section, (sections.get(section) ?? 0) + 1);
    },
    unlisted: coverage.unlisted,
    result: () => ({
      requests: { total, withKey, byPurpose: { other: total }, created: [] },
      sections: [...sections].map(([name, requests]) => ({ name, requests })),
      coverage: coverage.result(),
      ...(conditions ? { faults: conditions.met() } : {}),
    }),
  };
}

/** Probes of one kind are looked at by the same checks. */
function kindOf({ operation, stage, key, validity, expectation, rule, query }: Probe): string {
  const names = query.map(([name]) => name).sort();
  return JSON.stringify([operation, stage, key, validity, expectation, rule, names]);
}
