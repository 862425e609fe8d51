import { statSync } from 'node:fs';
import { withExamples } from '../contract/document/examples.ts';
import { loadContract, readInterface } from '../contract/load.ts';
import { derivedRequirements } from '../contract/requirements.ts';
import { checksOf, makingChecks } from '../judge/checks-of.ts';
import type { Check } from '../judge/evidence/check.ts';
import {
  type Contract,
  ContractError,
  type Operation,
  type Requirement,
  UnknownSet,
} from '../model/contract.ts';
import { expecting } from '../model/http/expectation.ts';
import { inTurns } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { didYouMean, UsageError } from '../model/usage-error.ts';
import { probe } from '../probes/probe.ts';
import { findReads, successes } from '../probes/reads/find-reads.ts';
import { readInterfaces } from './interface/several-documents.ts';
import { bundledSuites, suitesBeside } from './interface/suites-of.ts';
import { probesOf, seedOf } from './plan/probes.ts';
import { stated, usageError } from './settings/stated-name.ts';

/** What a run judges by: the contract of the interface, and every check of it. */
export interface Interface {
  contract: Contract;
  checks: readonly Check[];
}

/**
 * The contract of the bundled interface with all requirements, or with those of an older version of petspec.
 * @throws UsageError if the version is unknown
 */
export function contractOf({ set }: { set?: string | undefined }): Contract {
  try {
    return loadContract(undefined, set);
  } catch (error) {
    if (error instanceof UnknownSet) throw usageError`${stated('set')} ${error.message}`;
    throw error;
  }
}

/** @throws UsageError if the file does not hold examples for this interface */
function withExampleFile(contract: Contract, file: string): Contract {
  try {
    return withExamples(contract, file);
  } catch (error) {
    if (error instanceof ContractError) throw usageError`${stated('example')}: ${error.message}`;
    throw error;
  }
}

/** Marks the operations of a disposable target: its other servers are not disposable. */
function unguarded(contract: Contract): Contract {
  const operations = contract.operations.map((operation) =>
    operation.address === 'baseUrl' ? { ...operation, isUnguarded: true as const } : operation,
  );
  return { ...contract, operations };
}

/** The options that name the interface of a run. */
export interface NamedInterface {
  /** Several paths are documents of one origin. */
  interface?: string | readonly string[] | undefined;
  set?: string | undefined;
  /** A file with values for requests. */
  example?: string | undefined;
  /** The target is disposable, and this is its host. */
  sandbox?: string | undefined;
  /** The day as which the dates of the document are read, `YYYY-MM-DD`. */
  asOf?: string | undefined;
}

/**
 * The interface that the options name, or else the bundled interface: its OpenAPI document with requirements.yaml, and its suites.
 * @throws UsageError if a file cannot be read, or is not of the expected kind
 */
export async function interfaceOf(named: NamedInterface): Promise<Interface> {
  const judging = await todaysInterface(named);
  const { asOf } = named;
  return asOf === undefined ? judging : { ...judging, contract: { ...judging.contract, asOf } };
}

async function todaysInterface({
  interface: named,
  set,
  example,
  sandbox,
}: NamedInterface): Promise<Interface> {
  const [path, ...further] = named === undefined ? [] : [named].flat();
  if (path === undefined) {
    if (example !== undefined)
      throw usageError`${stated('example')}: the bundled interface needs no examples; name yours with ${stated('interface')}`;
    const contract = contractOf({ set });
    return { contract, checks: checksOf(contract, await bundledSuites()) };
  }
  if (set !== undefined)
    throw usageError`${stated('set')} names requirements of the bundled interface; leave out ${stated('set')} or ${stated('interface')}`;
  try {
    const read = await (further.length === 0 ? readInterface(path) : readInterfaces([path, ...further]));
    const stated = example === undefined ? read : withExampleFile(read, example);
    const contract = sandbox === undefined ? stated : unguarded(stated);
    const isFolder = further.length === 0 && statSync(path).isDirectory();
    const suites = isFolder ? await suitesBeside(path) : [];
    const missing = contract.isComplete ? undefined : findReads(contract).missing;
    const checks = await inTurns(makingChecks(contract, suites, missing));
    refuseUnreachable(contract, checks);
    return { contract, checks };
  } catch (error) {
    if (error instanceof ContractError) throw usageError`${stated('interface')}: ${error.message}`;
    throw error;
  }
}

/**
 * Refuses an interface with a sentence that no run could judge, or with a check of no sentence: both are mistakes of whoever
 * wrote it, and a run would never be complete.
 * @throws ContractError with one line
 */
function refuseUnreachable(contract: Contract, checks: readonly Check[]): void {
  const { requirements, stated } = contract;
  const ids = new Set(requirements.map(({ id }) => id));
  const unlisted = checks.find(({ requirement }) => !ids.has(requirement));
  if (unlisted)
    throw new ContractError(
      `suites/: a check judges ${unlisted.requirement}, which requirements.yaml does not list${didYouMean(unlisted.requirement, [...ids])}`,
    );
  const byId = new Map(checks.map((check) => [check.requirement, check]));
  const unchecked = requirements.find(
    ({ id, source, level }) => source === 'listed' && level !== 'open' && !byId.has(id),
  );
  if (unchecked)
    throw new ContractError(
      `requirements.yaml: nothing judges ${unchecked.id}; add a check of it to suites/, or make its level open`,
    );
  if (stated.length === 0) return;
  const statedIds = new Set(stated);
  const isTested = reachableBy(contract, checks);
  const untested = requirements
    .filter(
      (requirement) => statedIds.has(requirement.id) && !isTested(requirement, byId.get(requirement.id)),
    )
    .find(({ level }) => level === 'must');
  if (untested)
    throw new ContractError(
      `requirements.yaml: no request that petspec sends tests ${untested.id}; ${REMEDY[untested.source]}`,
    );
}

const REMEDY: Readonly<Record<Requirement['source'], string>> = {
  listed: 'let its check look at other probes, or add one to it, or make its level should',
  openapi: 'add a check of it to suites/, or make its level should',
};

/**
 * Whether a request of some run can test a requirement. If petspec cannot call an operation, because a value is missing or because
 * its effect is unknown, examples can allow a request.
 */
function reachableBy(
  contract: Contract,
  checks: readonly Check[],
): (requirement: Requirement, check: Check | undefined) => boolean {
  const probes = probesOf(contract, checks, seedOf(contract));
  const asked = new Set(probes.map(({ operation }) => operation));
  const uncalled = contract.operations.filter(({ id }) => !asked.has(id));
  const allowed = uncalled.map(exampleProbe);
  const implied = new Set(derivedRequirements(uncalled).map(({ id }) => id));
  // Each of the user's checks is tried with every probe, so that a check that throws is found now.
  return ({ id }, check) =>
    [...probes, ...allowed].filter((candidate) => check?.probes(candidate)).length > 0 || implied.has(id);
}

/** The request of an operation whose values the user states. */
function exampleProbe(operation: Operation): Probe {
  return probe(operation, 'example', 'other', {
    title: 'as in the examples',
    expectation: expecting(successes(operation)),
  });
}

/** The contract with a set of requirements; undefined if this petspec does not have the set. */
export function knownSet(set: string): Contract | undefined {
  try {
    const contract = contractOf({ set });
    return contract.set === set ? contract : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
