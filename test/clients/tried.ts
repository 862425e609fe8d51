import { judgeClient } from '../../src/client/judge-client.ts';
import { type Client, runClient } from '../../src/client/run-client.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Finding } from '../../src/model/finding.ts';
import { scenarios, WAITS } from '../../src/reference/scenarios/index.ts';
import { isNightly } from '../nightly/sampled.ts';

/** By day, no scenario has its real wait of 35 seconds. */
const LONG = isNightly ? WAITS.long : 3_000;
/** Waits are bounds from below, so conformant clients may be tried with short ones. */
const waits = { faulty: { ...WAITS, long: LONG }, conformant: { short: 1_000, long: LONG } };

/** Scenarios without a wait: they show every mistake but those of waiting. */
const QUICK = ['plain', 'large-ids', 'other-form', 'redirect'];
export const isQuick = (id: string) => QUICK.includes(id);

export const contract = loadContract();

export type Findings = Readonly<Record<string, Finding>>;

/** What is found of a client in the scenarios that are chosen, all at once. */
export async function findingsOf(
  kind: keyof typeof waits,
  client: Client,
  chosen: (scenario: string) => boolean = () => true,
): Promise<Findings> {
  const own = scenarios.filter(({ id }) => chosen(id));
  const options = { scenarios: own, timeout: 120_000, waits: waits[kind], concurrency: own.length };
  return judgeClient(await runClient(contract, client, options)).findings;
}

/** The ids of the requirements that a client violates, advisories included. */
export function violatedIn(findings: Findings): string[] {
  return Object.entries(findings)
    .filter(([, { status }]) => status === 'violated' || status === 'advisory')
    .map(([requirement]) => requirement)
    .sort();
}
