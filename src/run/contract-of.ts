import { statSync } from 'node:fs';
import { withExamples } from '../contract/document/examples.ts';
import { loadContract, readInterface } from '../contract/load.ts';
import { checksOf, makingChecks } from '../judge/checks-of.ts';
import type { Check } from '../judge/evidence/check.ts';
import { type Contract, ContractError, UnknownSet } from '../model/contract.ts';
import { inTurns } from '../model/large/steps.ts';
import { findReads } from '../probes/reads/find-reads.ts';
import { refuseUnreachable } from './interface/reachable.ts';
import { readInterfaces } from './interface/several-documents.ts';
import { bundledSuites, suitesBeside } from './interface/suites-of.ts';
import { stated, usageError } from './settings/stated-name.ts';

/** By what a run judges: what the interface says, and every check of it. */
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

/** @throws UsageError if the file is not one of examples for this interface */
function withExampleFile(contract: Contract, file: string): Contract {
  try {
    return withExamples(contract, file);
  } catch (error) {
    if (error instanceof ContractError) throw usageError`${stated('example')}: ${error.message}`;
    throw error;
  }
}

/** Other servers are not the target, and not disposable. */
function unguarded(contract: Contract): Contract {
  const operations = contract.operations.map((each) =>
    each.address === 'baseUrl' ? { ...each, isUnguarded: true as const } : each,
  );
  return { ...contract, operations };
}

/** What names the interface of a run. */
export interface NamedInterface {
  /** Several are documents of one origin. */
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
 * The interface that the options name, or else the bundled one: its OpenAPI document with requirements.yaml, and its suites.
 * @throws UsageError if a file cannot be read, or is not what it should be
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
  const [path, ...others] = named === undefined ? [] : [named].flat();
  if (path === undefined) {
    if (example !== undefined)
      throw usageError`${stated('example')}: the bundled interface needs no examples; name yours with ${stated('interface')}`;
    const contract = contractOf({ set });
    return { contract, checks: checksOf(contract, await bundledSuites()) };
  }
  if (set !== undefined)
    throw usageError`${stated('set')} names requirements of the bundled interface; leave out ${stated('set')} or ${stated('interface')}`;
  try {
    const read = await (others.length === 0 ? readInterface(path) : readInterfaces([path, ...others]));
    const stated = example === undefined ? read : withExampleFile(read, example);
    const contract = sandbox === undefined ? stated : unguarded(stated);
    const isFolder = others.length === 0 && statSync(path).isDirectory();
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
