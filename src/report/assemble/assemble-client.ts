import { type ClientFindings, judgeClient } from '../../client/judge-client.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange, Stopped } from '../../model/exchange.ts';
import type { Coverage } from '../../model/report/coverage.ts';
import { type Report, SCHEMA_VERSION, type SectionCount } from '../../model/report/report.ts';
import type { Scenario } from '../../reference/scenarios/index.ts';
import { Bugs } from '../../traffic/bugs.ts';
import type { ClientTraffic } from '../../traffic/client-check.ts';
import { countCoverage } from '../../traffic/coverage/coverage.ts';
import { bounded, boundedFinding } from '../facts/bounds.ts';
import { countJudged, judgeRun } from '../facts/verdict.ts';
import { leftOut, suiteOf, summarize, timesOf } from './assemble.ts';

/** A run of petspec client as data. */
export interface ClientRecord {
  /** As the user typed it. */
  command: string;
  /** What the user can do if the client sends nothing, such as `give it the addresses and the key`. */
  advice: string;
  scenarios: readonly Scenario[];
  only: readonly string[];
  strict: boolean;
  /** Whether the user ended the run. */
  isInterrupted: boolean;
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** Exchanges that a report keeps in addition to the evidence of findings. */
const MAX_EXCHANGES = 500;

/**
 * Builds the report of a run of petspec client.
 * @param bugs collects bugs of petspec that prevented judging
 * @throws UsageError if `only` selects nothing
 */
export function assembleClient(
  contract: Contract,
  record: ClientRecord,
  traffic: ClientTraffic,
  bugs = new Bugs(),
): Report {
  for (const { unjudged } of traffic.scenarios) if (unjudged) bugs.note(unjudged.bug, unjudged.count);
  const judgment = judgeClient(traffic, record.only, bugs);
  const { narrowed } = judgment;
  const requirements = resultsOf(judgment);
  const exchanges = clientExchanges(traffic);
  const stopped = stoppedOf(record, exchanges);
  const cited = new Set(requirements.flatMap(({ evidence }) => evidence));
  return {
    schemaVersion: SCHEMA_VERSION,
    suite: suiteOf({ ...contract, requirements: judgment.requirements }),
    target: { baseUrl: record.command, apiUrl: null, plan: null },
    client: clientOf(record, traffic),
    ...judgeRun(requirements, { narrowed, strict: record.strict, stopped }),
    judged: countJudged(requirements),
    strict: record.strict,
    stopped,
    narrowed: [...narrowed],
    ...timesOf(record),
    requests: {
      total: exchanges.length,
      withKey: exchanges.filter(({ key }) => key === 'valid').length,
      byPurpose: { other: exchanges.length },
      created: [],
    },
    summary: summarize(requirements),
    requirements,
    sections: sectionsOf(requirements, exchanges),
    coverage: coverageOf(contract, traffic),
    exchanges: exchanges.filter(({ id }) => id <= MAX_EXCHANGES || cited.has(id)).map(bounded),
  };
}

/** Every exchange of a client's run, in the order of the scenarios. */
export function clientExchanges({ scenarios }: ClientTraffic): Exchange[] {
  return scenarios.flatMap(({ requests }) => requests.map(({ exchange }) => exchange));
}

function coverageOf(contract: Contract, { scenarios }: ClientTraffic): Coverage {
  const coverage = countCoverage(contract);
  for (const { requests } of scenarios)
    for (const { exchange, classified } of requests) coverage.add(exchange, classified);
  return coverage.result();
}

function resultsOf({ requirements, findings }: ClientFindings): Report['requirements'] {
  return requirements.map((requirement) => ({
    ...requirement,
    ...boundedFinding(findings[requirement.id] ?? leftOut('--only')),
  }));
}

function clientOf(
  { command, scenarios }: ClientRecord,
  traffic: ClientTraffic,
): NonNullable<Report['client']> {
  const summaries = new Map(scenarios.map(({ id, summary }) => [id, summary]));
  return {
    command,
    scenarios: traffic.scenarios.map(({ scenario, requests, unjudged, end }) => ({
      id: scenario,
      summary: summaries.get(scenario) ?? '',
      requests: requests.length,
      unjudged: unjudged?.count,
      end: end.words,
    })),
  };
}

function stoppedOf(record: ClientRecord, exchanges: readonly Exchange[]): Stopped | undefined {
  if (record.isInterrupted) return { kind: 'interrupted', message: 'interrupted' };
  if (exchanges.length > 0) return undefined;
  const message = `the client sent no request to the reference; ${record.advice}`;
  return { kind: 'unreachable', message };
}

/** The sections of the interface, each with the number of requests that test one of its requirements. */
function sectionsOf(requirements: Report['requirements'], exchanges: readonly Exchange[]): SectionCount[] {
  const names = [...new Set(requirements.map(({ section }) => section))];
  const operationsIn = (section: string) =>
    new Set(
      requirements.filter((requirement) => requirement.section === section).map(({ operation }) => operation),
    );
  return names.map((name) => {
    const operations = operationsIn(name);
    const isOfAll = operations.has(undefined);
    return {
      name,
      requests: exchanges.filter(({ operation }) => isOfAll || operations.has(operation)).length,
    };
  });
}
