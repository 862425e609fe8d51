import { createsRecord } from '../../contract/resources.ts';
import { type Exchange, headerValue, isSuccess, type Received } from '../../model/exchange.ts';
import { isEncodable } from '../../model/http/percent-encoding.ts';
import { at, type Json, parseJson, rawNumber } from '../../model/json.ts';
import { isLate, type Late, type Probe, type Stage, usesUpLimit } from '../../model/probe.ts';
import { INT64_MAX } from '../plain-values.ts';
import { type NextNamed, nextNamed, nextPage } from './next-page.ts';
import { ownValue } from './own-value.ts';
import { searchedIn } from './search.ts';

/** Entries that probes read by their ids: of the first list, and of the longest list. */
const MAX_LISTED = 20;
const MAX_LONGEST = 100;

/** The values that probes leave open, as a run learns them from its target. */
export class LearntValues {
  readonly #given: bigint | undefined;
  readonly #random: () => bigint;
  readonly #run: bigint;
  readonly #bodies = new Map<string, Json>();
  readonly #ids = new Map<string, string>();
  /** What responses said about the next page, by probe. */
  readonly #next = new Map<string, NextNamed>();
  /** The validators (ETag, Last-Modified) of responses, by address. */
  readonly #versions = new Map<string, Received['headers']>();
  #listed: Json | undefined;
  #longest = { probe: '', count: 0, most: 1 };
  #isGuessed = false;

  /**
   * @param given the reference that the user stated
   * @param random draws int64s: the first marks the texts of this run, each later one is an id
   */
  constructor(given: bigint | undefined, random: () => bigint) {
    this.#given = given;
    this.#random = random;
    this.#run = random();
  }

  /** A probe created something with this id. */
  keep(probe: string, id: string): void {
    this.#ids.set(probe, id);
  }

  /**
   * Learns from a response. While the limit is used up, only responses to additions matter for later requests.
   * @param response as received; the exchange may have it redacted
   */
  learn(exchange: Exchange, response = exchange.response): void {
    const { probe, stage, key } = exchange;
    if (!response || !isSuccess(exchange)) return;
    if (usesUpLimit(stage) && !createsRecord(exchange)) return;
    // A request that should have been refused may have changed the version, too.
    this.#keepVersion(exchange.url, response);
    if (key !== 'valid') return;
    const parsed = parseJson(response.body);
    if (!parsed.ok) return;
    this.#next.set(probe, nextNamed(exchange.url, response.headers, parsed.value));
    const body = Array.isArray(parsed.value) ? this.#keptOf(probe, stage, parsed.value) : parsed.value;
    this.#bodies.set(probe, body);
    if (stage === 'first') this.#listed = Array.isArray(body) ? body[0] : undefined;
  }

  /** The query of a probe; undefined if it asks for a next page and the page before names none that may be followed. */
  queryFor({ query, nextOf }: Pick<Probe, 'query' | 'nextOf'>): Probe['query'] | undefined {
    if (!nextOf) return query;
    const named = this.#next.get(nextOf.probe);
    const next = named && nextPage(nextOf.by, named);
    if (!next || next === 'elsewhere') return undefined;
    return next.isWhole ? next.pairs : [...query, ...next.pairs];
  }

  #keepVersion(url: string, { headers }: Pick<Received, 'headers'>): void {
    const validators = headers.filter(([name]) => /^(?:etag|last-modified)$/i.test(name));
    // Without a new validator the old one is worth a try: else what the run created would stay.
    if (validators.length > 0) this.#versions.set(addressOf(url), validators);
  }

  /** The entries of a list that are kept. Only of the longest list do probes ask for more than the first ones. */
  #keptOf(probe: string, stage: Stage, entries: readonly Json[]): Json[] {
    const most = stage === 'first' ? MAX_LISTED : 1;
    const { count, probe: before, most: mostBefore } = this.#longest;
    if (entries.length <= count) return entries.slice(0, most);
    const kept = this.#bodies.get(before);
    if (Array.isArray(kept)) this.#bodies.set(before, kept.slice(0, mostBefore));
    this.#longest = { probe, count: entries.length, most };
    return entries.slice(0, MAX_LONGEST);
  }

  /** The value; undefined if no response had it. @param url of the request that needs the value */
  resolve(late: Late, url?: URL): unknown {
    switch (late.late) {
      case 'stated':
        return late.value;
      case 'random':
        return String(this.#unknownId(late));
      case 'own':
        return ownValue(late, this.#run);
      case 'response':
        return late.isOwn ? this.#created(late) : this.#fromResponse(late);
      case 'reference':
        return this.#reference(late);
      case 'validator':
        return (
          headerValue((url && this.#versions.get(addressOf(url.href))) ?? [], late.header) ?? late.otherwise
        );
      case 'created':
        return this.#createdId(late);
    }
  }

  /** An unknown id whose low 32 bits are those of a known one: a service that reads only 32 bits confuses them. */
  #unknownId({ format, like }: Extract<Late, { late: 'random' }>): bigint {
    // Sets the highest bit below the sign, because services count ids from 1.
    if (format === 'int32') return BigInt.asUintN(30, this.#random()) + 2n ** 30n;
    const drawn = BigInt.asUintN(62, this.#random()) + 2n ** 62n;
    const knownId = this.#fromResponse({ late: 'response', sources: like });
    if (typeof knownId !== 'string' || !/^\d+$/.test(knownId)) return drawn;
    return ((drawn >> 32n) << 32n) + BigInt.asUintN(32, BigInt(knownId));
  }

  /** Whether no reference (such as a category) had to be guessed. */
  areReferencesKnown(): boolean {
    return !this.#isGuessed;
  }

  #reference({ name, as }: Extract<Late, { late: 'reference' }>): unknown {
    const reference = this.#given ?? integerAt(this.#listed, `/${name}`);
    this.#isGuessed ||= reference === undefined;
    const value = reference ?? 1n;
    if (as === 'string') return String(value);
    return as === 'fraction' ? rawNumber(`${value}.5`) : value;
  }

  #fromResponse(late: Extract<Late, { late: 'response' }>): unknown {
    const { sources, otherwise, as, isBeyondDouble, isNext } = late;
    for (const { probe, pointer, search } of sources) {
      const body = this.#bodies.get(probe);
      const value = search ? searchedIn(body, search) : at(body, pointer);
      if (isBeyondDouble && (typeof value !== 'bigint' || BigInt(Number(value)) === value)) continue;
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') continue;
      if (isNext) {
        if (isInteger(value) && value < INT64_MAX) return String(BigInt(value) + 1n);
        continue;
      }
      if (as === 'value') return value;
      // All other values go into an address.
      if (isEncodable(String(value))) return String(value);
    }
    return fill(otherwise, this);
  }

  #createdId({ probes, as, otherwise }: Extract<Late, { late: 'created' }>): unknown {
    const id = probes.map((probe) => this.#ids.get(probe)).find((created) => created !== undefined);
    const isFitting = id !== undefined && (as === 'string' || /^-?\d+$/.test(id));
    if (!isFitting) return fill(otherwise, this);
    return as === 'integer' ? BigInt(id) : id;
  }

  /** The id of what the run created with one of these probes. */
  #created({ sources }: Extract<Late, { late: 'response' }>): string | undefined {
    return sources.map(({ probe }) => this.#ids.get(probe)).find((id) => id !== undefined);
  }
}

/** A URL without its query, which may have a key. */
function addressOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

function integerAt(entry: Json | undefined, pointer: string): bigint | number | undefined {
  const value = at(entry, pointer);
  return isInteger(value) ? value : undefined;
}

function isInteger(value: Json | undefined): value is bigint | number {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Replaces the late values inside a body. Members whose value no response had are left out. */
export function fill(value: unknown, values: Pick<LearntValues, 'resolve'>): unknown {
  if (isLate(value)) return values.resolve(value);
  if (Array.isArray(value)) return value.map((entry) => fill(entry, values));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const members = Object.entries(value).map(([name, member]) => [name, fill(member, values)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }
  return value;
}

/** Whether a path with this value leads to the collection, or above it: an empty value, or dots alone. */
export function leadsElsewhere(value: unknown): boolean {
  return value === '' || value === '.' || value === '..';
}

/** Why a probe of the user's interface lacks a value, and what would give it one. */
export function missingValue({ path, headers = [] }: Probe, values: Pick<LearntValues, 'resolve'>): string {
  const late = Object.entries(path).flatMap(([name, value]) =>
    isLate(value) && value.late === 'response' && values.resolve(value) === undefined
      ? [{ name, value }]
      : [],
  );
  const [header] = headers.find(([, value]) => isLate(value) && value.late === 'validator') ?? [];
  if (late.length === 0 && header !== undefined)
    return `no response told the version that ${header} names; state it with --example`;
  if (late.some(({ value }) => value.isOwn)) return 'nothing was created that this request could be for';
  const [[name, value] = []] = Object.entries(path)
    .map(([parameter, sent]) => [parameter, isLate(sent) ? values.resolve(sent) : sent] as const)
    .filter(([, sent]) => leadsElsewhere(sent));
  if (late.length === 0 && name !== undefined)
    return `the value of {${name}} would be '${value}', which leads to another path; state one with --example`;
  const names = late.map(({ name: parameter }) => `{${parameter}}`).join(' and ');
  return `no response showed a value for ${names}; state one with --example`;
}
