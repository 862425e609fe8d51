import { effectOf, namesIn, type Resource, resourcesOf } from '../../contract/resources.ts';
import type { Contract, Effect, Operation } from '../../model/contract.ts';
import type { Exchange, Received } from '../../model/exchange.ts';
import { parseJson } from '../../model/json.ts';
import { addTo } from '../../model/large/grouped.ts';
import { isLate, type Probe } from '../../model/probe.ts';
import { type Creation, createdBy, shownIds } from '../../probes/writes/creation.ts';
import { isRemoval } from '../../probes/writes/removal.ts';

/** What a run created: answered 201, with an id that no answer had shown before. */
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

  constructor(contract: Contract) {
    this.#resources = contract.isComplete ? [] : resourcesOf(contract);
    for (const each of this.#resources) {
      this.#byCreation.set(each.create.id, each);
      for (const id of new Set([each.read?.id, each.list?.id]))
        if (id !== undefined) addTo(this.#showing, id, each);
    }
    for (const each of contract.operations) this.#effects.set(each.id, effectOf(each, contract));
  }

  /** The id that an answer shows to be new; undefined if it created nothing, or if somebody else may own it. */
  received(exchange: Exchange, response: Received | undefined): string | undefined {
    if (this.#resources.length === 0 || !response) return undefined;
    const { probe, operation, url } = exchange;
    if (isRemoval(exchange)) this.#removed.add(new URL(url).pathname.replace(/\/$/, ''));
    const resource = this.#byCreation.get(operation);
    const creation = resource && createdBy(resource, exchange, response);
    const isNew = resource && creation && !this.#shownOf(resource).has(creation.id);
    const parsed = parseJson(response.body);
    for (const each of this.#showing.get(operation) ?? [])
      for (const shown of shownIds(each, operation, parsed.ok ? parsed.value : undefined))
        this.#shownOf(each).add(shown);
    if (!resource || !creation) return undefined;
    this.#shownOf(resource).add(creation.id);
    if (!isNew) return undefined;
    this.#made.set(probe, creation);
    return creation.id;
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
   * named, or changes something that this run created. What does anything else is named by the user.
   */
  isSafe({ path, operation }: Probe, { isAllowed, parameters, ...rest }: Operation): boolean {
    const effect = this.#effects.get(operation);
    if (effect === 'read') return true;
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
