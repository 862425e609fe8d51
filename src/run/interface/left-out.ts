import { derivedRequirements } from '../../contract/requirements.ts';
import { reachableWithKey, resourcesOf } from '../../contract/resources.ts';
import { otherKeyId, semanticRequirements } from '../../contract/semantics.ts';
import { followedRequirements } from '../../contract/things/followed-pages.ts';
import { listRequirements } from '../../contract/things/lists.ts';
import type { Contract, Operation, Requirement } from '../../model/contract.ts';
import { credentialsIn, credentialsOf } from '../../model/http/credential.ts';
import { type Probe, sourcesOf } from '../../model/probe.ts';
import type { NarrowingKind } from '../../model/report/report.ts';
import { isReadOperation } from '../../probes/reads/find-reads.ts';
import { isOfOtherKey } from '../../probes/writes/other-key.ts';
import { addressIn } from '../../requests/request.ts';
import { hasKey, variableOfKey, variableOfSecondKey } from '../../secrets/keys-of-request.ts';
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

/** The servers of the interface that the user did not name: what is served there is left out. */
export function unnamedServers({ operations }: Contract, options: RunOptions): Narrowing[] {
  const addresses = { ...options, baseUrl: options.baseUrl ?? '' };
  const names = new Set(operations.map(({ address }) => address).filter((each) => each !== 'baseUrl'));
  const addressOf = new Map(operations.map(({ id, address }) => [id, address]));
  return [...names]
    .filter((name) => addressIn(addresses, name) === undefined)
    .map((name) => ({
      kind: 'option',
      option: name === 'apiUrl' ? 'no --api-url' : `no --server ${name}`,
      excluded: ({ operation }) => addressOf.get(operation) === name,
    }));
}

/** Of several keys that an operation needs together, those that the user did not state: the operation is left out. */
export function missingKeys({ operations }: Contract, { keys = {} }: RunOptions): Narrowing[] {
  const secured = operations.filter((each) => each.secured);
  const names = new Set(credentialsOf({ operations: secured }).flatMap(({ key }) => key ?? []));
  return [...names]
    .filter((name) => !hasKey(keys, name))
    .map((name) => {
      const asking = secured.filter((each) => credentialsIn(each).some(({ key }) => key === name));
      const left = new Set(asking.map(({ id }) => id));
      return {
        kind: 'option',
        option: `no ${variableOfKey(name)}`,
        excluded: ({ operation }) => left.has(operation),
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
  const ofReads = new Set(
    [...derivedRequirements(reads), ...listRequirements(reads), ...followedRequirements(reads)].map(
      ({ id }) => id,
    ),
  );
  const ofWrites = new Set([...semanticRequirements({ operations }).map(({ id }) => id), 'open.left-over']);
  return {
    kind: 'option',
    option: readOnly ? '--read-only' : 'no --write',
    excluded,
    leavesOut: ({ source, id }) => ofWrites.has(id) || (source === 'openapi' && !ofReads.has(id)),
  };
}

/** What only another key shows. */
export function withoutSecondKey(contract: Contract, options: RunOptions): Narrowing[] {
  const reachable = resourcesOf(contract).flatMap(reachableWithKey);
  const names = new Set(reachable.flatMap((each) => missingSecondKeys(each, options)));
  return [...names].map((name) => {
    const asking = reachable.filter((each) => missingSecondKeys(each, options).includes(name));
    const left = new Set(asking.map(({ id }) => id));
    const ofOthers = new Set(asking.map(otherKeyId));
    return {
      kind: 'option',
      option: `no ${name}`,
      excluded: (probe) => isOfOtherKey(probe) && left.has(probe.operation),
      leavesOut: ({ id }) => ofOthers.has(id),
    };
  });
}

/** Where the user would state the keys of another user that an operation needs. */
function missingSecondKeys(operation: Operation, { secondKey, secondKeys }: RunOptions): string[] {
  return credentialsIn(operation).flatMap(({ key }) => {
    if (key === undefined) return secondKey === undefined ? ['--second-key'] : [];
    return hasKey(secondKeys, key) ? [] : [variableOfSecondKey(key)];
  });
}

/**
 * What a run that writes leaves out: operations that change something which petspec cannot create, or that do something it
 * cannot know. Examples allow them. Nothing, if petspec can send all of them.
 */
export function withoutExamples({ operations }: Contract, all: readonly Probe[]): Narrowing[] {
  const planned = new Set(all.map(({ operation }) => operation));
  const unplanned = operations.filter((each) => !isReadOperation(each) && !planned.has(each.id));
  const others = operations.filter((each) => !unplanned.includes(each));
  const ofOthers = new Set([
    ...derivedRequirements(others).map(({ id }) => id),
    ...semanticRequirements({ operations: others }).map(({ id }) => id),
  ]);
  const left = new Set(
    [...derivedRequirements(unplanned), ...semanticRequirements({ operations })]
      .map(({ id }) => id)
      .filter((id) => !ofOthers.has(id)),
  );
  if (left.size === 0) return [];
  const leavesOut: Narrowing['leavesOut'] = ({ id }) => left.has(id);
  return [{ kind: 'option', option: 'no --example', excluded: () => false, leavesOut }];
}

/** Whether a probe is left out itself, or only reads what the probes that are left out would create. */
export function withReaders(
  isLeftOut: (probe: Probe) => boolean,
  all: readonly Probe[],
): (probe: Probe) => boolean {
  const leftOut = new Set(all.filter(isLeftOut).map(({ id }) => id));
  return (probe) => {
    const sources = sourcesOf(probe);
    return isLeftOut(probe) || (sources.length > 0 && sources.every((id) => leftOut.has(id)));
  };
}
