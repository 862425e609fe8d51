import { otherKeyId, semanticRequirements } from '../../contract/implied-requirements.ts';
import { derivedRequirements } from '../../contract/requirements.ts';
import { reachableWithKey, resourcesOf } from '../../contract/resources.ts';
import { followedRequirements, listRequirements } from '../../contract/things/lists.ts';
import type { Contract, Operation, Requirement } from '../../model/contract.ts';
import { credentialsIn, credentialsOf } from '../../model/http/credential.ts';
import { type Probe, sourcesOf } from '../../model/probe.ts';
import type { NarrowingKind } from '../../model/report/report.ts';
import { isReadOperation } from '../../probes/reads/find-reads.ts';
import { isOfOtherKey } from '../../probes/writes/other-key.ts';
import { addressIn } from '../../requests/request.ts';
import { hasKey, variableOfKey, variableOfSecondKey } from '../../secrets/keys/keys-of-request.ts';
import type { RunOptions } from '../options.ts';

/** An option that leaves requirements out, and the probes that it excludes. */
export interface Narrowing {
  kind: Exclude<NarrowingKind, 'no-traffic'>;
  /** As the user typed it. */
  option: string;
  excluded: (probe: Probe) => boolean;
  /** Whether no probe can test a requirement because of the option. */
  leavesOut?: (requirement: Requirement) => boolean;
}

/** The servers of the interface that the user did not name: their operations are left out. */
export function unnamedServers({ operations }: Contract, options: RunOptions): Narrowing[] {
  const addresses = { ...options, baseUrl: options.baseUrl ?? '' };
  const names = new Set(operations.map(({ address }) => address).filter((address) => address !== 'baseUrl'));
  const addressOf = new Map(operations.map(({ id, address }) => [id, address]));
  return [...names]
    .filter((name) => addressIn(addresses, name) === undefined)
    .map((name) => ({
      kind: 'option',
      option: name === 'apiUrl' ? 'no --api-url' : `no --server ${name}`,
      excluded: ({ operation }) => addressOf.get(operation) === name,
    }));
}

/** The keys that the user did not state, of those that operations need together: these operations are left out. */
export function missingKeys({ operations }: Contract, { keys = {} }: RunOptions): Narrowing[] {
  const secured = operations.filter((operation) => operation.secured);
  const names = new Set(credentialsOf({ operations: secured }).flatMap(({ key }) => key ?? []));
  return [...names]
    .filter((name) => !hasKey(keys, name))
    .map((name) => {
      const asking = secured.filter((operation) => credentialsIn(operation).some(({ key }) => key === name));
      const leftOut = new Set(asking.map(({ id }) => id));
      return {
        kind: 'option',
        option: `no ${variableOfKey(name)}`,
        excluded: ({ operation }) => leftOut.has(operation),
      };
    });
}

/** An arbitrary service may send mails or move money, so petspec sends it nothing that may change something. */
export function readsAlone(
  { operations }: Contract,
  { readOnly }: RunOptions,
  excluded: Narrowing['excluded'],
): Narrowing {
  const reads = operations.filter(isReadOperation);
  const readRequirements = new Set(
    [...derivedRequirements(reads), ...listRequirements(reads), ...followedRequirements(reads)].map(
      ({ id }) => id,
    ),
  );
  const writeRequirements = new Set([
    ...semanticRequirements({ operations }).map(({ id }) => id),
    'open.left-over',
  ]);
  return {
    kind: 'option',
    option: readOnly ? '--read-only' : 'no --write',
    excluded,
    leavesOut: ({ source, id }) =>
      writeRequirements.has(id) || (source === 'openapi' && !readRequirements.has(id)),
  };
}

/** Requirements that only a second key shows. */
export function withoutSecondKey(contract: Contract, options: RunOptions): Narrowing[] {
  const reachable = resourcesOf(contract).flatMap(reachableWithKey);
  const names = new Set(reachable.flatMap((operation) => missingSecondKeys(operation, options)));
  return [...names].map((name) => {
    const asking = reachable.filter((operation) => missingSecondKeys(operation, options).includes(name));
    const leftOut = new Set(asking.map(({ id }) => id));
    const otherKeyIds = new Set(asking.map(otherKeyId));
    return {
      kind: 'option',
      option: `no ${name}`,
      excluded: (probe) => isOfOtherKey(probe) && leftOut.has(probe.operation),
      leavesOut: ({ id }) => otherKeyIds.has(id),
    };
  });
}

/** The options and variables for the missing keys of another user that an operation needs. */
function missingSecondKeys(operation: Operation, { secondKey, secondKeys }: RunOptions): string[] {
  return credentialsIn(operation).flatMap(({ key }) => {
    if (key === undefined) return secondKey === undefined ? ['--second-key'] : [];
    return hasKey(secondKeys, key) ? [] : [variableOfSecondKey(key)];
  });
}

/**
 * The operations that a run that writes leaves out: those that change something which petspec cannot create, or whose effect it
 * cannot know. Examples allow them. Empty if petspec can send all of them.
 */
export function withoutExamples({ operations }: Contract, probes: readonly Probe[]): Narrowing[] {
  const planned = new Set(probes.map(({ operation }) => operation));
  const unplanned = operations.filter(
    (operation) => !isReadOperation(operation) && !planned.has(operation.id),
  );
  const covered = operations.filter((operation) => !unplanned.includes(operation));
  const coveredIds = new Set([
    ...derivedRequirements(covered).map(({ id }) => id),
    ...semanticRequirements({ operations: covered }).map(({ id }) => id),
  ]);
  const leftOut = new Set(
    [...derivedRequirements(unplanned), ...semanticRequirements({ operations })]
      .map(({ id }) => id)
      .filter((id) => !coveredIds.has(id)),
  );
  if (leftOut.size === 0) return [];
  const leavesOut: Narrowing['leavesOut'] = ({ id }) => leftOut.has(id);
  return [{ kind: 'option', option: 'no --example', excluded: () => false, leavesOut }];
}

/** Whether a probe is left out itself, or only reads what left-out probes would create. */
export function withReaders(
  isLeftOut: (probe: Probe) => boolean,
  probes: readonly Probe[],
): (probe: Probe) => boolean {
  const leftOut = new Set(probes.filter(isLeftOut).map(({ id }) => id));
  return (probe) => {
    const sources = sourcesOf(probe);
    return isLeftOut(probe) || (sources.length > 0 && sources.every((id) => leftOut.has(id)));
  };
}
