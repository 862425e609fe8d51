import { hash } from 'node:crypto';
import type { Json } from '../model/json.ts';
import { LARGE } from '../reference/scenarios/index.ts';
import { uuidFrom } from '../requests/learnt/own-value.ts';
import { collectionOf, type ThingKind } from './kinds.ts';
import { nextId, type Thing, thingOf } from './values.ts';

/** Things of each kind at the start. */
const AT_FIRST = 3;

/** Things that are kept of one collection; of more, the latest. */
const MOST = 10_000;

/** Faults: what a server forgets, although its answer reports success. */
export interface Forgetting {
  creations?: true;
  changes?: true;
  removals?: true;
  /** Every created thing gets the id of the first. */
  ids?: true;
}

/** How a server makes and forgets its things. */
export interface ThingsOptions {
  /** Ids that are drawn depend on it. */
  seed: number;
  forgets?: Forgetting;
  /** Whether ids of type int64 are beyond 2^53. */
  largeIds?: boolean;
}

/** The things that a server holds, by collection. */
export class Things {
  readonly #seed: number;
  readonly #forgets: Forgetting;
  readonly #collections = new Map<string, Map<string, Thing>>();
  readonly #first: bigint;
  #made = 0;

  constructor({ seed, forgets = {}, largeIds = false }: ThingsOptions) {
    this.#first = largeIds ? LARGE : 0n;
    this.#seed = seed;
    this.#forgets = forgets;
  }

  /** All things of a collection. @param values of the parameters of its path */
  all(kind: ThingKind, values: readonly string[]): Thing[] {
    return [...this.#collection(kind, values).values()];
  }

  /** @param values of the parameters of its path, its own id last */
  find(kind: ThingKind, values: readonly string[]): Thing | undefined {
    return this.#collection(kind, values).get(values.at(-1) ?? '');
  }

  /** @returns the thing with its id, as the client learns it */
  add(kind: ThingKind, values: readonly string[], thing: Thing, chosen?: Json): Thing {
    const collection = this.#collection(kind, values);
    const id = chosen ?? this.#nextId(kind);
    const whole = withId(kind, thing, id);
    if (!this.#forgets.creations) keep(collection, String(id), whole);
    return whole;
  }

  put(kind: ThingKind, values: readonly string[], thing: Thing): void {
    const id = values.at(-1) ?? '';
    const collection = this.#collection(kind, values);
    if (!this.#forgets.changes)
      keep(collection, id, withId(kind, thing, collection.get(id)?.[kind.idField] ?? id));
  }

  remove(kind: ThingKind, values: readonly string[]): void {
    if (!this.#forgets.removals) this.#collection(kind, values).delete(values.at(-1) ?? '');
  }

  clear(kind: ThingKind, values: readonly string[]): void {
    this.#collection(kind, values).clear();
  }

  #collection(kind: ThingKind, values: readonly string[]): Map<string, Thing> {
    const path = collectionOf(kind, values);
    const existing = this.#collections.get(path);
    if (existing) return existing;
    const created = new Map<string, Thing>();
    for (let index = 0; index < AT_FIRST; index += 1) {
      const example = index === 0 ? (kind.exampleId as Json | undefined) : undefined;
      const id = example ?? this.#uniqueId(kind);
      created.set(String(id), withId(kind, thingOf(kind), id));
    }
    this.#collections.set(path, created);
    return created;
  }

  #nextId(kind: ThingKind): Json {
    return this.#forgets.ids
      ? nextId(kind, 0, uuidFrom(hash('sha256', '0')), this.#first)
      : this.#uniqueId(kind);
  }

  #uniqueId(kind: ThingKind): Json {
    this.#made += 1;
    return nextId(kind, this.#made, uuidFrom(hash('sha256', `${this.#seed} ${this.#made}`)), this.#first);
  }
}

/** Keeps a thing, and drops the oldest thing if there are too many. */
function keep(collection: Map<string, Thing>, id: string, thing: Thing): void {
  collection.set(id, thing);
  const [oldest] = collection.keys();
  if (collection.size > MOST && oldest !== undefined) collection.delete(oldest);
}

function withId({ idField, schema }: ThingKind, thing: Thing, id: Json): Thing {
  return schema.properties?.[idField] === undefined && !Object.hasOwn(thing, idField)
    ? thing
    : { ...thing, [idField]: id };
}
