import type { Check, Evidence } from '../../src/judge/evidence/check.ts';
import { judgeAll } from '../../src/judge/findings.ts';
import { judgeExchanges } from '../../src/judge/judge-exchanges.ts';
import type { Exchange, HeaderLine } from '../../src/model/exchange.ts';
import { type Finding, violated } from '../../src/model/finding.ts';
import { type Json, stringifyJson } from '../../src/model/json.ts';
import type { Probe } from '../../src/model/probe.ts';
import { allChecks } from '../../suites/index.ts';
import { contract, exchangeOf, JSON_HEADERS, probeNamed, probes } from './exchanges.ts';

/** One request of a run, by its probe, and what came back. */
export interface Sent {
  probe: string;
  /** How the probe differs, for what only a recording of others' requests has. */
  as?: Partial<Probe>;
  /** What the body has as JSON. */
  body: Json;
  /** By default that of a success: 201 for an addition, 200 for anything else. */
  status?: number;
  headers?: readonly HeaderLine[];
  /** The body of the request. */
  sent?: Json;
  change?: Partial<Exchange>;
}

function probeFor({ probe, as }: Sent): Probe {
  return as ? { ...probeNamed(probe), id: `${probe} ${JSON.stringify(as)}`, ...as } : probeNamed(probe);
}

/** The exchange of a request. Each one ends before the next begins. */
function exchangeFor(request: Sent, index: number): Exchange {
  const { body, status, headers = [], sent, change } = request;
  const probe = probeFor(request);
  const response = {
    status: status ?? (probe.operation === 'createPet' ? 201 : 200),
    headers: [...JSON_HEADERS, ...headers],
    body: stringifyJson(body),
  };
  return exchangeOf(probe, {
    ...{ id: index + 1, sentAt: 10 * index, receivedAt: 10 * index + 5, response },
    ...(sent === undefined ? {} : { requestBody: stringifyJson(sent) }),
    ...change,
  });
}

/** What a run of the bundled interface shows that sent these requests, in this order. */
export function evidenceOf(sent: readonly Sent[], change: Partial<Evidence> = {}): Evidence {
  const circumstances = {
    contract,
    probes: [...probes, ...sent.filter(({ as }) => as).map(probeFor)],
    today: Date.UTC(2026, 10, 23),
    referencesKnown: true,
  };
  return {
    ...circumstances,
    judged: judgeExchanges(sent.map(exchangeFor), circumstances),
    unsent: [],
    baseUrl: 'http://127.0.0.1/v1',
    sharedKey: false,
    ...change,
  };
}

/** The bundled check of a requirement. */
export function checkOf(requirement: string): Check {
  const check = allChecks(contract).find((each) => each.requirement === requirement);
  if (!check) throw new Error(`no check of ${requirement}`);
  return check;
}

/** What the bundled check of a requirement finds in these requests. */
export function findingOf(
  requirement: string,
  sent: readonly Sent[],
  change: Partial<Evidence> = {},
): Finding {
  return checkOf(requirement).judge(evidenceOf(sent, change));
}

/** What all bundled checks find in these requests. */
export function findingsOf(sent: readonly Sent[]): Readonly<Record<string, Finding>> {
  return judgeAll(allChecks(contract), evidenceOf(sent));
}

/** What is found about a requirement that no request tests, if another one is violated. */
export function findingBeside(requirement: string, violatedOne: string): Finding | undefined {
  const deviation = { kind: 'meaning', reason: 'r', expected: 'e', received: 'r' } as const;
  const other: Check = { ...checkOf(violatedOne), needs: [], judge: () => violated(deviation, []) };
  return judgeAll([checkOf(requirement), other], evidenceOf([]))[requirement];
}

/** The probes of a run that the bundled check of a requirement looks at, by their ids. */
export function probesFor(requirement: string): string[] {
  return probes.filter(checkOf(requirement).probes).map(({ id }) => id);
}

/** What others sent, as a recording of their traffic has it. */
export const OF_OTHERS: Partial<Exchange> = { recorded: 'traffic' };
