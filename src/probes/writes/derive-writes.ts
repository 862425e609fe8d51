import { documents, type Resource, resourcesOf } from '../../contract/resources.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import { isJson } from '../../model/http/media-type.ts';
import type { Steps } from '../../model/large/steps.ts';
import type { Probe, Stage } from '../../model/probe.ts';
import { changedName, WRITES } from '../../requests/write-names.ts';
import { linked } from '../chains.ts';
import type { KeysOfDocument } from '../keys.ts';
import { findReads, successes } from '../reads/find-reads.ts';
import { differsFromUsual, type Variety } from './bodies.ts';
import { otherKeyProbes } from './other-key.ts';
import { withOwnIds, withOwnVersions, withReferences } from './references.ts';
import { statedWrites, unguardedWrites } from './single-writes.ts';
import { ownId, type PathValues, pathOf, pathTo, sent, wrongKeys } from './write-request.ts';
import { wrongBodies, wrongChanges } from './wrong-bodies.ts';

/** The ids of the probes that create the first and the second thing of a resource. */
function creationsOf({ create }: Resource): string[] {
  return [WRITES.first, WRITES.second].map((name) => `${create.id}:${name}`);
}

/**
 * The requests that create things, and change and remove what this run created: create, read, replace, read; then wrong bodies
 * and keys; at the end remove, read again, and remove whatever else was created, resource by resource.
 */
export function* derivingWrites(contract: Contract, keysOf: KeysOfDocument): Steps<Probe[]> {
  const resources = withReferences(resourcesOf(contract), creationsOf).map((resource) =>
    withOwnVersions(withOwnIds(resource, creationsOf), readsOf(resource)),
  );
  const { missing } = findReads(contract);
  const allWrites: Writes[] = [];
  for (const resource of resources) {
    const writes = writesOf(resource, missing, keysOf);
    if (writes) allWrites.push(writes);
    yield;
  }
  // A run creates so many things at most: the plain ones come first.
  const chain = [
    ...allWrites.flatMap(({ creating }) => creating),
    ...allWrites.flatMap(({ texting }) => texting),
  ];
  const later = allWrites.flatMap(({ refused }) => refused);
  // Parts are removed before the things that they belong to, and the newest things first.
  const removing = allWrites
    .toReversed()
    .flatMap(({ removing: removals, othersRemoving, creates, cleanUp }) => [
      ...linked([removals]),
      ...linked([othersRemoving]),
      ...creates.toReversed().flatMap(cleanUp),
    ]);
  const planned = [...linked([chain]), ...later, ...removing, ...statedWrites(contract)];
  return [...planned, ...unguardedWrites(contract, planned, keysOf)];
}

/** The ids of the probes that read the first thing after its creation and changes, the last one first. */
function readsOf({ read, replace }: Resource): string[] {
  const changed = replace.map(({ method }) => changedName(method)).toReversed();
  return read ? [...changed, WRITES.created].map((probe) => `${read.id}:${probe}`) : [];
}

interface Writes {
  creating: Probe[];
  /** A creation with texts that a service may refuse, and the read of what it created. */
  texting: Probe[];
  refused: Probe[];
  removing: Probe[];
  /** Removals with another key, which come after those with the key of the run. */
  othersRemoving: Probe[];
  /** Probes that may create something, and the probes that remove it. */
  creates: readonly Probe[];
  cleanUp: (created: Probe) => Probe[];
}

/**
 * The writes of a resource; undefined if petspec lacks a value.
 * @param missing the reads for which it knows only ids of what this run creates
 */
function writesOf(
  resource: Resource,
  missing: ReadonlyMap<string, string>,
  keysOf: KeysOfDocument,
): Writes | undefined {
  const { create, read, replace, remove } = resource;
  const above = pathTo(resource, creationsOf);
  const first = above && sent(create, WRITES.first, 'create', 'what is created first', 'first', above);
  if (!above || !first) return undefined;
  const second = sent(create, WRITES.second, 'create', 'what is created second', 'second', above);
  // Wrong bodies are made from the second creation's body.
  const creations = [first.id, ...(second ? [second.id] : [])];
  const toFirst = [...above, ownId(resource, ...creations)];
  const toSecond = second && [...above, ownId(resource, second.id)];
  const reads = (name: string, stage: Stage, title: string, path: PathValues) => {
    const probe = read && sent(read, name, stage, title, 'first', path);
    return probe ? [probe] : [];
  };
  const changes = replace.flatMap((operation) => {
    const change = sent(operation, WRITES.changed, 'create', 'what was created is changed', 'other', toFirst);
    const title = `what was changed with ${operation.method}`;
    return change ? [change, ...reads(changedName(operation.method), 'create', title, toFirst)] : [];
  });
  const requests = (
    operations: readonly Operation[],
    name: string,
    title: string,
    variety: Variety,
    path: PathValues,
  ) => operations.flatMap((operation) => sent(operation, name, 'create', title, variety, path) ?? []);
  const parts = requests(
    resource.parts,
    WRITES.changed,
    'a part of what was created is replaced',
    'second',
    toFirst,
  );
  const acted = toSecond
    ? requests(resource.actions, WRITES.action, 'something is done to what was created', 'first', toSecond)
    : [];
  // Reads without a listed id get the id of what the run created.
  const unlisted = resource.below.filter(({ id }) => missing.has(id));
  const below = requests(unlisted, WRITES.below, 'what is below what was created', 'first', toFirst);
  const creating = [
    first,
    ...(second ? [second] : []),
    ...listed(resource, above, WRITES.listed),
    ...reads(WRITES.created, 'create', 'what was created first', toFirst),
    ...(toSecond ? reads(WRITES.createdSecond, 'create', 'what was created second', toSecond) : []),
    ...largest(resource, above),
    ...below,
    ...changes,
    ...parts,
    ...acted,
  ];
  const ofOtherKey = otherKeyProbes(
    resource,
    (operation, name, stage, title) =>
      toSecond &&
      sent(operation, name, stage, title, 'other', operation === resource.list ? above : toSecond),
  );
  const refused = [
    ...linked([ofOtherKey.asking]),
    ...refusedWrites(resource, above, toFirst, creations, keysOf),
    ...(read && missing.has(read.id)
      ? wrongKeys(read, toFirst, keysOf(read, `${read.id}:${WRITES.created}`))
      : []),
    ...unlisted.flatMap((operation) =>
      wrongKeys(operation, toFirst, keysOf(operation, `${operation.id}:${WRITES.below}`)),
    ),
  ];
  const removal =
    remove && sent(remove, WRITES.removal, 'remove', 'what was created is removed', 'first', toFirst);
  const gone = reads(WRITES.removed, 'remove', 'what was removed', toFirst).map(
    (probe): Probe => ({ ...probe, validity: 'open', expectation: OPEN }),
  );
  const removing = removal ? [removal, ...gone, ...absent(resource, toFirst)] : [];
  const texting = mixedTexts(resource, above);
  const creates = [...creating, ...texting, ...refused].filter((probe) => probe.creates);
  return {
    creating,
    texting,
    refused,
    removing,
    othersRemoving: ofOtherKey.removing,
    creates,
    cleanUp: (created) => cleanUp(resource, above, created),
  };
}

/** Creates one more thing, with the largest values that its body may have, and reads it. */
function largest(resource: Resource, above: PathValues): Probe[] {
  const { create, read } = resource;
  const title = 'what is created with the largest values';
  const creation =
    differsFromUsual(create, 'largest') && sent(create, WRITES.largest, 'create', title, 'largest', above);
  if (!creation) return [];
  const path = [...above, ownId(resource, creation.id)];
  const back = read && sent(read, WRITES.createdLargest, 'create', `${title}, read`, 'first', path);
  return back ? [creation, back] : [creation];
}

/**
 * Creates one more thing, with texts of several kinds of characters, and reads it. A service may refuse such texts, so nothing else
 * depends on it.
 */
function mixedTexts(resource: Resource, above: PathValues): Probe[] {
  const { create, read, remove } = resource;
  const { body } = create;
  // It would stay, and nothing would show the texts.
  if (!read && !remove) return [];
  // A text that is the id would be a part of an address.
  const isId = body?.schema.properties?.[resource.parameter] !== undefined;
  if (!body || isId || !isJson(body.mediaType) || !differsFromUsual(create, 'texts')) return [];
  const title = 'what is created with texts of several scripts and signs';
  const creation = sent(create, WRITES.texts, 'create', title, 'texts', above);
  if (!creation) return [];
  const path = [...above, ownId(resource, creation.id)];
  const back = read && sent(read, WRITES.createdTexts, 'create', `${title}, read`, 'first', path);
  return [
    { ...creation, validity: 'open', expectation: OPEN },
    ...listed(resource, above, WRITES.listedTexts),
    ...(back ? [back] : []),
  ];
}

/** A list after the creations, if their responses do not show what they created. */
function listed({ create, list }: Resource, above: PathValues, name: string): Probe[] {
  const isShown = create.responses.some(
    ({ status, schema, headers }) =>
      status.startsWith('2') &&
      (schema !== undefined || headers.some(({ name }) => /^location$/i.test(name))),
  );
  const probe =
    list && !isShown && sent(list, name, 'create', 'the list with what was created', 'first', above);
  return probe ? [probe] : [];
}

/**
 * Changes and removals of what was removed. Any documented status conforms: a removal may be repeated, and some services keep
 * things. An undocumented success is compared with the documented one, so removals come last.
 */
function absent({ replace, remove }: Resource, path: PathValues): Probe[] {
  const asking = [...replace.filter(({ method }) => method === 'PATCH'), ...(remove ? [remove] : [])];
  return asking
    .filter((operation) => documents(operation, '404'))
    .flatMap((operation): Probe[] => {
      const probe = sent(operation, WRITES.absent, 'remove', 'what was removed before', 'first', path);
      const refusals = operation.responses
        .map(({ status }) => status)
        .filter((status) => status.startsWith('4'));
      return probe
        ? [{ ...probe, validity: 'open', expectation: expecting(successes(operation), refusals) }]
        : [];
    });
}

/**
 * Wrong bodies and wrong keys, which the service has to refuse.
 * @param above the path of the collection
 * @param path the path of a thing in it
 * @param controls the ids of the valid creations
 */
function refusedWrites(
  { create, replace, parts, actions, remove }: Resource,
  above: PathValues,
  path: PathValues,
  controls: readonly string[],
  keysOf: KeysOfDocument,
): Probe[] {
  const [control = ''] = controls;
  // A service that does not validate changes would store the wrong value, and show it in every list.
  const checking = replace.filter(({ responses }) =>
    responses.some(({ status }) => status === '400' || status === '422'),
  );
  const changing = [...replace, ...parts, ...actions, ...(remove ? [remove] : [])];
  return [
    ...wrongBodies(create, pathOf(create, above), controls),
    ...checking.flatMap((operation) =>
      wrongChanges(operation, pathOf(operation, path), [`${operation.id}:${WRITES.changed}`]),
    ),
    ...wrongKeys(create, above, keysOf(create, control)),
    ...changing.flatMap((operation) => wrongKeys(operation, path, keysOf(operation, control))),
  ];
}

/** The plainest request that removes what a probe created. */
function cleanUp(resource: Resource, above: PathValues, created: Probe): Probe[] {
  const { remove } = resource;
  const name = `clean-up-${created.id.slice(created.operation.length + 1)}`;
  const path = [...above, ownId(resource, created.id)];
  const removal =
    remove && sent(remove, name, 'remove', `what was created with ${created.title}`, 'first', path);
  return removal ? [{ ...removal, cleansUp: created.id }] : [];
}
