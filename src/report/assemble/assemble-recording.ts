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
import { bounded, boundedCurl, boundedFinding } from '../facts/bounds.ts';
import { sectionsTestedBy } from '../facts/request-counts.ts';
import { countJudged, judgeRun } from '../facts/verdict.ts';
import { curlOf } from '../reproduce/curl.ts';
import { reproduced } from '../reproduce/index.ts';
import { leftOut, suiteOf, summarize, timesOf } from './assemble.ts';

/** The options and the counts that a report of recordings needs besides the findings. */
export interface RecordingRecord {
  strict: boolean;
  /** The rate plan that the user named. */
  plan?: string | undefined;
  /** The ids of the requirements that the user selected; empty for all. */
  only?: readonly string[] | undefined;
  counts: ReturnType<RecordingCounts['result']>;
}

/** Builds the report of judged recordings. Pure. */
export function assembleRecording(
  contract: Contract,
  { strict, plan, only = [], counts }: RecordingRecord,
  judged: JudgedRecording,
): Report {
  const findings = { ...judged.findings, ...undocumentedFindings(contract, only, counts) };
  const exchanges = new Map(judged.exchanges.map((exchange) => [exchange.id, exchange]));
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

/** The findings of `--undocumented`, by id of the requirement. */
function undocumentedFindings(
  { requirements }: Contract,
  only: readonly string[],
  counts: RecordingRecord['counts'],
): Record<string, Finding> {
  const kinds = Object.entries(UNDOCUMENTED_KINDS).flatMap(([kind, { id }]) => {
    const requirement = requirements.find((candidate) => candidate.id === id);
    const isSelected = only.length === 0 || only.includes(id);
    return requirement && isSelected
      ? [[id, undocumentedFinding(kind, requirement.level, counts)] as const]
      : [];
  });
  return Object.fromEntries(kinds);
}

function undocumentedFinding(
  kind: string,
  level: Level,
  { coverage: { undocumented = [] }, requests }: RecordingRecord['counts'],
): Finding {
  const entriesOfKind = undocumented.filter((entry) => entry.kind === kind);
  const [first, ...further] = entriesOfKind;
  if (!first) return requests.total > 0 ? met([]) : notTested('no-traffic', 'no exchange was judged');
  const more = further.length === 0 ? '' : ` and ${further.length} more`;
  const deviation = {
    kind: 'meaning' as const,
    reason: `the document does not list ${first.name}${more}`,
    expected: `only what the document lists`,
    received: `${first.example}, ${counted(first.count, 'exchange')}`,
  };
  const finding = violated(deviation, []);
  return level === 'should' ? { ...finding, status: 'advisory' } : finding;
}

/** The source of reproductions. Recorded requests have no probes, so they are sent again as they were. */
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

/** Names the base URL of the requests, if the user named another one. */
function hintsOf({ otherBase }: JudgedRecording): HintResult[] {
  if (!otherBase) return [];
  const { base, requests } = otherBase;
  const requestWords = requests === 1 ? '1 request was' : `${requests} requests were`;
  return [
    {
      kind: 'other-base',
      text: `${requestWords} left out: the base URL there is ${base}; name it with --base-url`,
    },
  ];
}

function takesKey({ secured, isKeyOptional }: Operation): boolean {
  return secured || isKeyOptional === true;
}

/** Why nothing was judged: the reasons of the entries, or that no request is for the interface. */
function stoppedOf({ files, servers }: JudgedRecording): Stopped | undefined {
  if (files.some(({ judged }) => judged > 0)) return undefined;
  const entries = files.reduce((sum, file) => sum + file.entries, 0);
  if (entries === 0) return { kind: 'unreachable', message: 'no request was recorded' };
  const reasons = unjudgedEntries(files.map(({ omissions }) => omissions));
  const [first, ...further] = reasons;
  const listed = reasons.map(({ why, count }) => `${count}: ${why}`).join('; ');
  const isElsewhere = reasons.every(({ kind }) => ELSEWHERE.has(kind));
  if (first && !isElsewhere)
    return {
      kind: 'unreachable',
      message: `${counted(entries, 'entry')} not judged${further.length === 0 ? `: ${first.why}` : ` (${listed})`}`,
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
    /** The faults of the catalogue whose conditions were met. Absent for an interface without a catalogue. */
    faults?: Met;
  };
}

/** Kinds of probes whose sections are cached. A recording may have any number of kinds. */
const MAX_KINDS = 10_000;

/**
 * Counts exchanges, the exchanges that test each section of the interface, and what they cover of it.
 * @param covered a counter of the coverage that the caller keeps up to date itself
 */
export function countRecorded(
  contract: Contract,
  checks: readonly Check[],
  covered?: TrafficCoverageCounter,
): RecordingCounts {
  const sectionsOf = sectionsTestedBy(contract, checks);
  const sections = new Map(contract.requirements.map(({ section }) => [section, 0]));
  const sectionsByKind = new Map<string, ReadonlySet<string>>();
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
      const testedSections = sectionsByKind.get(kind) ?? sectionsOf(probe);
      if (sectionsByKind.size < MAX_KINDS) sectionsByKind.set(kind, testedSections);
      for (const section of testedSections) sections.set(section, (sections.get(section) ?? 0) + 1);
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

/** The same checks look at all probes of a kind. */
function kindOf({ operation, stage, key, validity, expectation, rule, query }: Probe): string {
  const names = query.map(([name]) => name).sort();
  return JSON.stringify([operation, stage, key, validity, expectation, rule, names]);
}
