import type { Contract } from '../contract/types.ts';
import { at, parseJson } from '../json.ts';
import type { Finding, Status } from '../judge/finding.ts';
import { packageVersion } from '../package-root.ts';
import type { Exchange } from '../session/exchange.ts';
import type { Stopped } from '../session/types.ts';
import { curlOf } from './curl.ts';
import { type Report, type RequirementResult, SCHEMA_VERSION, type Verdict } from './model.ts';

/** Bodies are kept up to this many characters in a report, and exchanges that nothing points at up to so many. */
const MAX_BODY = 8_000;
const MAX_EXCHANGES = 200;

/** All that a run brought back, as plain data. */
export interface RunRecord {
  target: Report['target'];
  findings: Readonly<Record<string, Finding>>;
  /** Options that left requirements out, and which. */
  narrowed: readonly { option: string; requirements: readonly string[] }[];
  stopped?: Stopped;
  strict: boolean;
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** Builds the result of a run. Pure: the same record and exchanges make the same report. */
export function assemble(contract: Contract, record: RunRecord, exchanges: readonly Exchange[]): Report {
  const byId = new Map(exchanges.map((each) => [each.id, each]));
  const requirements = contract.requirements.map((requirement): RequirementResult => {
    const option = record.narrowed.find((each) => each.requirements.includes(requirement.id))?.option;
    const finding = record.findings[requirement.id] ?? leftOut(option);
    const first =
      finding.status === 'violated' || finding.status === 'advisory'
        ? byId.get(finding.evidence[0] ?? 0)
        : undefined;
    return { ...requirement, ...finding, ...(first ? { curl: curlOf(first) } : {}) };
  });
  const { verdict, because } = judgeRun(requirements, record);
  return {
    schemaVersion: SCHEMA_VERSION,
    suite: {
      name: 'petspec',
      version: packageVersion,
      specVersion: contract.version,
      specDigest: contract.digest,
    },
    target: record.target,
    verdict,
    because,
    narrowed: record.narrowed.map(({ option, requirements: ids }) => ({ option, requirements: [...ids] })),
    startedAt: new Date(record.startedAt).toISOString(),
    finishedAt: new Date(record.finishedAt).toISOString(),
    durationMs: record.finishedAt - record.startedAt,
    requests: spent(exchanges),
    summary: summarize(requirements),
    requirements,
    exchanges: bounded(exchanges, requirements),
  };
}

function leftOut(option: string | undefined): Finding {
  return {
    status: 'not-tested',
    exercised: false,
    reason: option ? `left out by ${option}` : 'not judged in this run',
    evidence: [],
  };
}

/** Any violation decides; then whether every `must` was judged, but for what the user left out. */
function judgeRun(
  requirements: readonly RequirementResult[],
  record: RunRecord,
): { verdict: Verdict; because: string } {
  const violations = requirements.filter(
    ({ status }) => status === 'violated' || (record.strict && status === 'advisory'),
  );
  if (violations.length > 0)
    return { verdict: 'non-conformant', because: `${count(violations.length, 'requirement')} violated` };
  if (record.stopped) return { verdict: 'incomplete', because: record.stopped.message };
  const leftOutIds = new Set(record.narrowed.flatMap((each) => each.requirements));
  const missing = requirements.filter(
    ({ id, level, status }) => level === 'must' && status === 'not-tested' && !leftOutIds.has(id),
  );
  if (missing.length > 0)
    return { verdict: 'incomplete', because: `${count(missing.length, 'requirement')} could not be tested` };
  const options = record.narrowed.map(({ option }) => option);
  const within = options.length > 0 ? `, as far as ${options.join(', ')} let it be tested` : '';
  return { verdict: 'conformant', because: `no requirement violated${within}` };
}

function summarize(requirements: readonly RequirementResult[]): Report['summary'] {
  const summary = {
    met: 0,
    violated: 0,
    advisory: 0,
    observed: 0,
    'not-tested': 0,
    unexercised: 0,
  } satisfies Record<Status, number> & { unexercised: number };
  for (const { status, exercised } of requirements) {
    summary[status] += 1;
    if (status === 'met' && !exercised) summary.unexercised += 1;
  }
  return summary;
}

function spent(exchanges: readonly Exchange[]): Report['requests'] {
  const byPurpose: Record<string, number> = {};
  for (const { stage } of exchanges) byPurpose[stage] = (byPurpose[stage] ?? 0) + 1;
  return {
    total: exchanges.length,
    withKey: exchanges.filter(({ key }) => key === 'valid').length,
    byPurpose,
    created: exchanges.flatMap((exchange) => createdId(exchange) ?? []),
  };
}

/** The id of what an exchange added at the base address: nothing that petspec adds can be deleted by it again. */
function createdId({ method, address, response }: Exchange): string | undefined {
  if (
    method !== 'POST' ||
    address !== 'baseUrl' ||
    !response ||
    response.status < 200 ||
    response.status > 299
  )
    return undefined;
  const body = parseJson(response.body);
  const id = body.ok ? at(body.value, '/id') : undefined;
  return id === undefined || id === null ? 'unknown' : String(id);
}

/** The exchanges worth keeping: what findings point at, and the first ones of the rest; bodies cut. */
function bounded(exchanges: readonly Exchange[], requirements: readonly RequirementResult[]): Exchange[] {
  const cited = new Set(requirements.flatMap(({ evidence }) => evidence));
  let others = 0;
  return exchanges
    .filter(({ id }) => cited.has(id) || ++others <= MAX_EXCHANGES)
    .map((exchange) => {
      const { response } = exchange;
      if (!response || response.body.length <= MAX_BODY) return exchange;
      return {
        ...exchange,
        response: { ...response, body: response.body.slice(0, MAX_BODY), cut: response.body.length },
      };
    });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
