import { effectOf, namesIn, type Resource, resourcesOf } from '../../contract/resources.ts';
import { acceptedBy, type Creation, shownIds, Unlocated } from '../../contract/things/creation.ts';
import { isRemoval } from '../../contract/things/things.ts';
import type { Contract, Effect, Operation } from '../../model/contract.ts';
import { type Exchange, isSuccess, type Received } from '../../model/exchange.ts';
import { parseJson } from '../../model/json.ts';
import { addTo } from '../../model/large/grouped.ts';
import { isLate, type Probe } from '../../model/probe.ts';

/** What a run created: a success of a creation, with an id that no answer had shown before. */
export class Created {
  readonly #byCreation = new Map<string, Resource>();
  readonly #resources: readonly Resource[];
  /** The resources whose ids an operation may show. */
  readonly #showing = new Map<string, Resource[]>();
  readonly #effects = new Map<string, Effect>();
  /** Ids that an answer showed, by the operation that creates such things. */
  readonly #shown = new Map<string, Set<string>>();
  /** What this run created, by the probe. */
  readonly #made = new Map<string, Creation>();
  readonly #removed = new Set<string>();
  readonly #unlocated = new Unlocated<string>();

  constructor(contract: Contract) {
    this.#resources = contract.isComplete ? [] : resourcesOf(contract);
    for (const each of this.#resources) {
      this.#byCreation.set(each.create.id, each);
      for (const id of new Set([each.read?.id, each.list?.id]))
        if (id !== undefined) addTo(this.#showing, id, each);
    }
    for (const each of contract.operations) this.#effects.set(each.id, effectOf(each, contract));
  }

  /** By their probes, the ids of what an answer shows to be new; none if nothing was created, or if somebody else may own it. */
  received(exchange: Exchange, response: Received | undefined): ReadonlyMap<string, string> {
    const made = new Map<string, Creation>();
    if (this.#resources.length === 0 || !response) return new Map();
    const { probe, operation, url } = exchange;
    if (isRemoval(exchange)) this.#removed.add(new URL(url).pathname.replace(/\/$/, ''));
    const resource = this.#byCreation.get(operation);
    const creation = resource && acceptedBy(resource, exchange, response);
    if (resource && creation && !this.#shownOf(resource).has(creation.id)) made.set(probe, creation);
    if (resource && !creation && isSuccess(exchange))
      this.#unlocated.add(probe, resource, exchange.requestBody);
    const parsed = parseJson(response.body);
    const body = parsed.ok ? parsed.value : undefined;
    for (const each of this.#showing.get(operation) ?? []) {
      const isNew = (id: string) => !this.#shownOf(each).has(id);
      if (operation === each.list?.id)
        for (const [of, found] of this.#unlocated.in(each, url, body, isNew)) made.set(of, found);
      for (const shown of shownIds(each, operation, body)) this.#shownOf(each).add(shown);
    }
    if (resource && creation) this.#shownOf(resource).add(creation.id);
    for (const [of, each] of made) this.#made.set(of, each);
    return new Map([...made].map(([of, { id }]) => [of, id]));
  }

  #shownOf({ create }: Resource): Set<string> {
    const known = this.#shown.get(create.id) ?? new Set<string>();
    this.#shown.set(create.id, known);
    return known;
  }

  /** Whether something that this probe created is still there. */
  isLeft(probe: string): boolean {
    const made = this.#made.get(probe);
    return made !== undefined && !this.#removed.has(made.path);
  }

  /**
   * Whether a probe may be sent by a run that writes: it reads, creates something in what this run created or the user
   * named, or changes something that this run created. What does anything else is named by the user, or the target is disposable.
   */
  isSafe({ path, operation }: Probe, { isAllowed, isUnguarded, parameters, ...rest }: Operation): boolean {
    const effect = this.#effects.get(operation);
    if (effect === 'read' || isUnguarded) return true;
    if (
      isAllowed &&
      parameters.every((each) => each.in !== 'path' || each.isStated || isOwn(path[each.name]))
    )
      return true;
    const names = namesIn(rest.path);
    const areOwn = names.every((name) => isOwn(path[name]) || this.#isStated(parameters, name, path[name]));
    if (effect === 'create') return areOwn;
    const last = names.at(-1);
    return (effect === 'replace' || effect === 'remove') && areOwn && last !== undefined && isOwn(path[last]);
  }

  #isStated(parameters: Operation['parameters'], name: string, value: Probe['path'][string] | undefined) {
    return typeof value === 'string' && parameters.some((each) => each.name === name && each.isStated);
  }
}

/** A value that is known only if this run created what it names. */
function isOwn(value: Probe['path'][string] | undefined): boolean {
  return isLate(value) && value.late === 'response' && value.isOwn === true;
}
