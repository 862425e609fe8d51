import { hash } from 'node:crypto';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import { at, type Json, parseJson, rawNumber } from '../model/json.ts';
import { isLate, type Late, OWN_LENGTH, type Probe, type Stage } from '../model/probe.ts';

/** Entries of the first list that probes read by their ids. */
const MAX_LISTED = 20;

/** Nothing is learnt from requests that use up the limit. */
const isUsingUp = (stage: Stage) => stage === 'exhaust' || stage === 'surplus';

export type LearntValues = ReturnType<typeof learnValues>;

/**
 * The values that probes leave open, as a run learns them from its target.
 * @param given the reference that the user named (`--category-id`)
 * @param random draws int64s: the first marks the texts of this run as its own, each later one is an id
 */
export function learnValues(given: bigint | undefined, random: () => bigint) {
  const run = random();
  const bodies = new Map<string, Json>();
  const ids = new Map<string, string>();
  let listed: Json | undefined;
  let isGuessed = false;

  function reference({ name, as }: Extract<Late, { late: 'reference' }>): unknown {
    const known = given ?? integerAt(listed, `/${name}`);
    isGuessed ||= known === undefined;
    const value = known ?? 1n;
    if (as === 'string') return String(value);
    return as === 'fraction' ? rawNumber(`${value}.5`) : value;
  }

  function fromResponse({ sources, otherwise }: Extract<Late, { late: 'response' }>): string | undefined {
    for (const { probe, pointer } of sources) {
      const value = at(bodies.get(probe), pointer);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
        return String(value);
    }
    return otherwise;
  }

  /** The id of what the run created with one of these probes. */
  function created({ sources }: Extract<Late, { late: 'response' }>): string | undefined {
    return sources.map(({ probe }) => ids.get(probe)).find((id) => id !== undefined);
  }

  return {
    /** A probe created something with this id. */
    keep(probe: string, id: string): void {
      ids.set(probe, id);
    },
    /** @param response as it came; that of the exchange may be redacted */
    learn(exchange: Exchange, response = exchange.response): void {
      const { probe, stage, key } = exchange;
      if (!response || key !== 'valid' || !isSuccess(exchange) || isUsingUp(stage)) return;
      const parsed = parseJson(response.body);
      if (!parsed.ok) return;
      // Probes only ask for the first entries of a list.
      const most = stage === 'first' ? MAX_LISTED : 1;
      const body = Array.isArray(parsed.value) ? parsed.value.slice(0, most) : parsed.value;
      bodies.set(probe, body);
      if (stage === 'first') listed = Array.isArray(body) ? body[0] : undefined;
    },
    /** The value; undefined if no response had it. */
    resolve(late: Late): unknown {
      switch (late.late) {
        case 'random':
          return String(random());
        case 'own':
          return ownValue(late, run);
        case 'response':
          return late.isOwn ? created(late) : fromResponse(late);
        case 'reference':
          return reference(late);
      }
    },
    /** Whether no reference (such as a category) had to be guessed. */
    areReferencesKnown: (): boolean => !isGuessed,
  };
}

function integerAt(entry: Json | undefined, pointer: string): bigint | number | undefined {
  const value = at(entry, pointer);
  return typeof value === 'bigint' || Number.isInteger(value) ? (value as bigint | number) : undefined;
}

function ownValue(late: Extract<Late, { late: 'own' }>, run: bigint): unknown {
  switch (late.as) {
    case 'text':
      return ownText(late.like, run, late.of);
    case 'email':
      return `${ownText(`petspec-${'x'.repeat(OWN_LENGTH)}`, run, late.of)}@example.com`;
    case 'uuid':
      return ownUuid(digestOf(run, late.of).toString('hex'));
    case 'number':
      return ownNumber(run, late.of);
  }
}

/** Version 4, variant 1 (RFC 9562 section 5.4). */
function ownUuid(digits: string): string {
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 15),
    digits.slice(15, 18),
    digits.slice(18, 30),
  ];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

/** No vowels: a service might reject a random text that happens to be a word. */
const LETTERS = 'bcdfghjkmnpqrstvwxz';

/** A text of the same length that ends with letters of this run and probe. */
function ownText(like: string, run: bigint, probe: string): string {
  const characters = [...like];
  const letters = [...digestOf(run, probe).subarray(0, OWN_LENGTH)].map(
    (byte) => LETTERS[byte % LETTERS.length],
  );
  return [...characters.slice(0, -OWN_LENGTH), ...letters.slice(0, characters.length)].join('');
}

function ownNumber(run: bigint, probe: string): number {
  return digestOf(run, probe).readUInt32BE(OWN_LENGTH);
}

function digestOf(run: bigint, probe: string): Buffer {
  return hash('sha256', `${run} ${probe}`, 'buffer');
}

/** Replaces the late values inside a body. */
export function fill(value: unknown, values: Pick<LearntValues, 'resolve'>): unknown {
  if (isLate(value)) return values.resolve(value);
  if (Array.isArray(value)) return value.map((each) => fill(each, values));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, values)]));
  }
  return value;
}

/** The probes whose responses have the values that a probe needs. */
export function sourcesOf(probe: Probe): string[] {
  return Object.values(probe.path).flatMap((value) =>
    isLate(value) && value.late === 'response' && value.otherwise === undefined
      ? value.sources.map((each) => each.probe)
      : [],
  );
}
