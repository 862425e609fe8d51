import { effectOf, namesIn, type Resource, resourcesOf } from '../../contract/resources.ts';
import { acceptedBy, type Creation, shownIds, Unlocated } from '../../contract/things/creation.ts';
import { isRemoval, mayHaveCreated } from '../../contract/things/things.ts';
import type { Contract, Effect, Operation } from '../../model/contract.ts';
import { type Exchange, isSuccess, type Reason, type Received } from '../../model/exchange.ts';
import { parseJson } from '../../model/json.ts';
import { addTo } from '../../model/large/lookups.ts';
import { isLate, type Probe } from '../../model/probe.ts';
import { counted } from '../../model/report/report.ts';

/** What a run created: successful creations, with ids that no response had shown before. */
export class Created {
  readonly #byCreation = new Map<string, Resource>();
  readonly #resources: readonly Resource[];
  /** The resources whose ids an operation may show. */
  readonly #showing = new Map<string, Resource[]>();
  readonly #effects = new Map<string, Effect>();
  /** Ids that responses showed, by the operation that creates such resources. */
  readonly #shown = new Map<string, Set<string>>();
  /** What this run created, by probe. */
  readonly #creations = new Map<string, Creation>();
  readonly #removed = new Set<string>();
  readonly #unlocated = new Unlocated<string>();

  constructor(contract: Contract) {
    this.#resources = contract.isComplete ? [] : resourcesOf(contract);
    for (const resource of this.#resources) {
      this.#byCreation.set(resource.create.id, resource);
      for (const id of new Set([resource.read?.id, resource.list?.id]))
        if (id !== undefined) addTo(this.#showing, id, resource);
    }
    for (const stated of contract.operations) this.#effects.set(stated.id, effectOf(stated, contract));
  }

  /** Takes a response. Returns the ids of what was created, by probe; none of what somebody else may have created. */
  received(exchange: Exchange, response: Received | undefined): ReadonlyMap<string, string> {
    const created = new Map<string, Creation>();
    if (this.#resources.length === 0 || !response) return new Map();
    const { probe, operation, url } = exchange;
    if (isRemoval(exchange)) this.#removed.add(new URL(url).pathname.replace(/\/$/, ''));
    const resource = this.#byCreation.get(operation);
    const creation = resource && acceptedBy(resource, exchange, response);
    if (resource && creation && !this.#shownOf(resource).has(creation.id)) created.set(probe, creation);
    if (resource && !creation && isSuccess(exchange))
      this.#unlocated.add(probe, resource, exchange.requestBody);
    const parsed = parseJson(response.body);
    const body = parsed.ok ? parsed.value : undefined;
    for (const shown of this.#showing.get(operation) ?? []) {
      const ids = this.#shownOf(shown);
      const isNew = (id: string) => !ids.has(id);
      if (operation === shown.list?.id)
        for (const [creator, located] of this.#unlocated.in(shown, url, body, isNew))
          created.set(creator, located);
      for (const id of shownIds(shown, operation, body)) ids.add(id);
    }
    if (resource && creation) this.#shownOf(resource).add(creation.id);
    for (const [creator, item] of created) this.#creations.set(creator, item);
    return new Map([...created].map(([creator, { id }]) => [creator, id]));
  }

  #shownOf({ create }: Resource): Set<string> {
    const ids = this.#shown.get(create.id) ?? new Set<string>();
    this.#shown.set(create.id, ids);
    return ids;
  }

  /** Whether something that this probe created is still there. */
  isLeft(probe: string): boolean {
    const creation = this.#creations.get(probe);
    return creation !== undefined && !this.#removed.has(creation.path);
  }

  /**
   * Whether a probe may be sent by a run that writes: it reads, creates something in what this run created or the user named, or
   * changes something that this run created. Any other probe needs an operation that the user allowed, or a disposable target.
   */
  isSafe({ path, operation }: Probe, { isAllowed, isUnguarded, parameters, ...rest }: Operation): boolean {
    const effect = this.#effects.get(operation);
    if (effect === 'read' || isUnguarded) return true;
    if (
      isAllowed &&
      parameters.every(({ in: place, name, isStated }) => place !== 'path' || isStated || isOwn(path[name]))
    )
      return true;
    const names = namesIn(rest.path);
    const areOwn = names.every((name) => isOwn(path[name]) || this.#isStated(parameters, name, path[name]));
    if (effect === 'create') return areOwn;
    const last = names.at(-1);
    return (effect === 'replace' || effect === 'remove') && areOwn && last !== undefined && isOwn(path[last]);
  }

  #isStated(parameters: Operation['parameters'], name: string, value: Probe['path'][string] | undefined) {
    return typeof value === 'string' && parameters.some((stated) => stated.name === name && stated.isStated);
  }
}

/** Whether a value identifies something that this run created. */
function isOwn(value: Probe['path'][string] | undefined): boolean {
  return isLate(value) && value.late === 'response' && value.isOwn === true;
}

/** A run creates at most this many records, because nothing can be deleted. */
export const MAX_CREATED = 16;

/** Limits the records that a run creates: counts those that it created or may have created. */
export class CreationBudget {
  readonly #noun: string;
  #created = 0;
  #inFlight = 0;
  /** The first probe that may have created a record although it did not succeed. */
  #firstUncertain: string | undefined;

  /** @param noun what is created, in the singular */
  constructor(noun: string) {
    this.#noun = noun;
  }

  /** How many more records may be created. */
  get left(): number {
    return MAX_CREATED - this.#created - this.#inFlight;
  }

  /** Why no more records are created; undefined while more may be. */
  get reason(): Reason | undefined {
    if (this.left > 0) return undefined;
    return {
      kind: 'too-many-created',
      reason: `${counted(MAX_CREATED, this.#noun)} were added, or may have been; petspec adds no more`,
      ...(this.#firstUncertain === undefined ? {} : { cause: this.#firstUncertain }),
    };
  }

  sending(): void {
    this.#inFlight += 1;
  }

  sent(): void {
    this.#inFlight -= 1;
  }

  received(exchange: Exchange): void {
    if (!mayHaveCreated(exchange)) return;
    this.#created += 1;
    if (!isSuccess(exchange)) this.#firstUncertain ??= exchange.probe;
  }
}
