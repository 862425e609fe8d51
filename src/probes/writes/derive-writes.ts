import { documents, type Resource, resourcesOf } from '../../contract/resources.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import type { Steps } from '../../model/large/steps.ts';
import type { Probe, Stage } from '../../model/probe.ts';
import { changedName, WRITES } from '../../requests/write-names.ts';
import { linked } from '../chains.ts';
import { wrongKeysOf } from '../key-rejections.ts';
import { findReads, successes } from '../reads/find-reads.ts';
import { isBounded } from './bodies.ts';
import { otherKeyProbes } from './other-key.ts';
import { withOwnIds, withOwnVersions, withReferences } from './references.ts';
import { statedWrites, unguardedWrites } from './single-writes.ts';
import { ownId, type PathValues, pathOf, pathTo, sent } from './write-request.ts';
import { wrongBodies } from './wrong-bodies.ts';

/** The probes that create one of the things of a resource. */
function creationsOf({ create }: Resource): string[] {
  return [WRITES.first, WRITES.second].map((each) => `${create.id}:${each}`);
}

/**
 * The requests that create, change and remove, each of something that this run created: create, read, replace, read; then
 * wrong bodies and keys; at the end remove, read again, and remove whatever else was created, kind by kind.
 */
export function* derivingWrites(contract: Contract): Steps<Probe[]> {
  const resources = withReferences(resourcesOf(contract), creationsOf).map((each) =>
    withOwnVersions(withOwnIds(each, creationsOf), readsOf(each)),
  );
  const { missing } = findReads(contract);
  const made: Writes[] = [];
  for (const resource of resources) {
    const writes = writesOf(resource, missing);
    if (writes) made.push(writes);
    yield;
  }
  const chain = made.flatMap(({ creating }) => creating);
  const later = made.flatMap(({ refused }) => refused);
  // Parts go before what they are part of, all of them, and what was created last goes first.
  const removing = made
    .toReversed()
    .flatMap(({ removing: own, othersRemoving, creates, cleanUp }) => [
      ...linked([own]),
      ...linked([othersRemoving]),
      ...creates.toReversed().flatMap(cleanUp),
    ]);
  const own = [...linked([chain]), ...later, ...removing, ...statedWrites(contract)];
  return [...own, ...unguardedWrites(contract, own)];
}

/** The probes that read what is changed, the last one first. */
function readsOf({ read, replace }: Resource): string[] {
  const changed = replace.map(({ method }) => changedName(method)).toReversed();
  return read ? [...changed, WRITES.created].map((each) => `${read.id}:${each}`) : [];
}

interface Writes {
  creating: Probe[];
  refused: Probe[];
  removing: Probe[];
  /** A removal with another key, after those with the key of the run. */
  othersRemoving: Probe[];
  /** What may create something, and what removes that again. */
  creates: readonly Probe[];
  cleanUp: (created: Probe) => Probe[];
}

/**
 * Undefined if petspec lacks a value.
 * @param missing the reads for which it knows no id but that of what this run creates
 */
function writesOf(resource: Resource, missing: ReadonlyMap<string, string>): Writes | undefined {
  const { create, read, replace, remove } = resource;
  const above = pathTo(resource, creationsOf);
  const first = above && sent(create, WRITES.first, 'create', 'what is created first', 'first', above);
  if (!above || !first) return undefined;
  const second = sent(create, WRITES.second, 'create', 'what is created second', 'second', above);
  // Wrong bodies have the fields of the second one.
  const creations = [first.id, ...(second ? [second.id] : [])];
  const one = [...above, ownId(resource, ...creations)];
  const other = second && [...above, ownId(resource, second.id)];
  const reads = (name: string, stage: Stage, title: string, path: PathValues) => {
    const own = read && sent(read, name, stage, title, 'first', path);
    return own ? [own] : [];
  };
  const changes = replace.flatMap((operation) => {
    const change = sent(operation, WRITES.changed, 'create', 'what was created is changed', 'other', one);
    const title = `what was changed with ${operation.method}`;
    return change ? [change, ...reads(changedName(operation.method), 'create', title, one)] : [];
  });
  const parts = resource.parts.flatMap(
    (each) =>
      sent(each, WRITES.changed, 'create', 'a part of what was created is replaced', 'second', one) ?? [],
  );
  const acted = resource.actions.flatMap(
    (each) =>
      (other &&
        sent(each, WRITES.action, 'create', 'something is done to what was created', 'first', other)) ||
      [],
  );
  // Where no list shows a value, what the run created has one.
  const below = belowOf(resource, missing).flatMap(
    (each) => sent(each, WRITES.below, 'create', 'what is below what was created', 'first', one) ?? [],
  );
  const creating = [
    first,
    ...(second ? [second] : []),
    ...listed(resource, above),
    ...reads(WRITES.created, 'create', 'what was created first', one),
    ...(other ? reads(WRITES.createdSecond, 'create', 'what was created second', other) : []),
    ...largest(resource, above),
    ...below,
    ...changes,
    ...parts,
    ...acted,
  ];
  const others = otherKeyProbes(
    resource,
    (operation, name, stage, title) =>
      other && sent(operation, name, stage, title, 'other', operation === resource.list ? above : other),
  );
  const refused = [
    ...linked([others.asking]),
    ...refusedWrites(resource, above, one, creations),
    ...(read && missing.has(read.id) ? wrongKeys(read, one, `${read.id}:${WRITES.created}`) : []),
  ];
  const removal =
    remove && sent(remove, WRITES.removal, 'remove', 'what was created is removed', 'first', one);
  const gone = reads(WRITES.removed, 'remove', 'what was removed', one).map(
    (each): Probe => ({ ...each, validity: 'open', expectation: OPEN }),
  );
  const removing = removal ? [removal, ...gone, ...absent(resource, one)] : [];
  const creates = [...creating, ...refused].filter((each) => each.creates);
  return {
    creating,
    refused,
    removing,
    othersRemoving: others.removing,
    creates,
    cleanUp: (created) => cleanUp(resource, above, created),
  };
}

/** The reads of what is below a thing, of which nothing else tells a value. */
function belowOf({ below }: Resource, missing: ReadonlyMap<string, string>): readonly Operation[] {
  return below.filter(({ id }) => missing.has(id));
}

/** One more thing, with the largest values that its body may have, and what reads it back. */
function largest(resource: Resource, above: PathValues): Probe[] {
  const { create, read } = resource;
  const title = 'what is created with the largest values';
  const creation = isBounded(create) && sent(create, WRITES.largest, 'create', title, 'largest', above);
  if (!creation) return [];
  const one = [...above, ownId(resource, creation.id)];
  const back = read && sent(read, WRITES.createdLargest, 'create', `${title}, read`, 'first', one);
  return back ? [creation, back] : [creation];
}

/** The list after the creations, where these do not say what they created. */
function listed({ create, list }: Resource, above: PathValues): Probe[] {
  const isShown = create.responses.some(
    ({ status, schema, headers }) =>
      status.startsWith('2') &&
      (schema !== undefined || headers.some(({ name }) => /^location$/i.test(name))),
  );
  const own =
    list && !isShown && sent(list, WRITES.listed, 'create', 'the list with what was created', 'first', above);
  return own ? [own] : [];
}

/**
 * Changes and removals of what was removed. Any status of the document conforms: a removal may be repeated, and some services keep
 * things. An undocumented success is held against the documented one, so that comes last.
 */
function absent({ replace, remove }: Resource, one: PathValues): Probe[] {
  const asking = [...replace.filter(({ method }) => method === 'PATCH'), ...(remove ? [remove] : [])];
  return asking
    .filter((each) => documents(each, '404'))
    .flatMap((each): Probe[] => {
      const own = sent(each, WRITES.absent, 'remove', 'what was removed before', 'first', one);
      const refusals = each.responses.map(({ status }) => status).filter((status) => status.startsWith('4'));
      return own ? [{ ...own, validity: 'open', expectation: expecting(successes(each), refusals) }] : [];
    });
}

/**
 * Wrong bodies and wrong keys, which the service has to refuse.
 * @param above the path to the things of the resource
 * @param one the path to one of them
 * @param controls the creations that the service accepted
 */
function refusedWrites(
  { create, replace, parts, actions, remove }: Resource,
  above: PathValues,
  one: PathValues,
  controls: readonly string[],
): Probe[] {
  const [control = ''] = controls;
  // A service that checks nothing there would keep what is wrong, and show it in every list.
  const checking = replace.filter(({ responses }) =>
    responses.some(({ status }) => status === '400' || status === '422'),
  );
  const changing = [...replace, ...parts, ...actions, ...(remove ? [remove] : [])];
  return [
    ...wrongBodies(create, pathOf(create, above), controls),
    ...checking.flatMap((each) => wrongBodies(each, pathOf(each, one), [`${each.id}:${WRITES.changed}`], 2)),
    ...wrongKeys(create, above, control),
    ...changing.flatMap((each) => wrongKeys(each, one, control)),
  ];
}

/** Removes what a probe created, with the plainest request that does. */
function cleanUp(resource: Resource, above: PathValues, created: Probe): Probe[] {
  const { remove } = resource;
  const name = `clean-up-${created.id.slice(created.operation.length + 1)}`;
  const path = [...above, ownId(resource, created.id)];
  const own = remove && sent(remove, name, 'remove', `what was created with ${created.title}`, 'first', path);
  return own ? [{ ...own, cleansUp: created.id }] : [];
}

/** Requests with a wrong key that are otherwise right. */
function wrongKeys(operation: Operation, path: PathValues, control: string): Probe[] {
  return wrongKeysOf(operation, control).flatMap(({ name, ...fields }) => {
    const own = sent(operation, name, 'keys', fields.title, 'second', path);
    return own ? [{ ...own, ...fields }] : [];
  });
}
