import { createHash } from 'node:crypto';
import type { Exchange } from '../model/exchange.ts';
import { at, type Json, parseJson, rawNumber } from '../model/json.ts';
import { isLate, type Late, OWN_LENGTH, type Probe } from '../model/probe.ts';

/** What a run has seen of its target, for the values that probes leave open. */
export interface Facts {
  see(exchange: Exchange): void;
  /** The value; undefined where nothing that was seen has it. */
  resolve(late: Late): unknown;
  /** Whether no reference (such as a category) had to be guessed. */
  learnt(): boolean;
}

/**
 * @param given the value of references that the user named (`--category-id`)
 * @param random a random int64: for an id, and, drawn first, for what tells the texts of this run from any other's
 */
export function collectFacts(given: bigint | undefined, random: () => bigint): Facts {
  const run = random();
  const bodies = new Map<string, Json>();
  let listed: Json | undefined;
  let isGuessed = false;

  function reference(name: string): bigint | number | undefined {
    const value = at(Array.isArray(listed) ? listed[0] : undefined, `/${name}`);
    return typeof value === 'bigint' || Number.isInteger(value) ? (value as bigint | number) : undefined;
  }

  return {
    see(exchange) {
      const { response, probe, stage, key } = exchange;
      if (
        !response ||
        key !== 'valid' ||
        response.status < 200 ||
        response.status > 299 ||
        stage === 'exhaust'
      )
        return;
      const parsed = parseJson(response.body);
      if (!parsed.ok) return;
      // Of a list its first entry is all that is asked for.
      const known = Array.isArray(parsed.value) ? parsed.value.slice(0, 1) : parsed.value;
      bodies.set(probe, known);
      if (stage === 'first') listed = known;
    },
    resolve(late) {
      switch (late.late) {
        case 'random':
          return String(random());
        case 'own':
          return late.as === 'text' ? ownText(late.like, run, late.of) : ownNumber(run, late.of);
        case 'response': {
          for (const { probe, pointer } of late.sources) {
            const value = at(bodies.get(probe), pointer);
            if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
              return String(value);
          }
          return late.otherwise;
        }
        case 'reference': {
          const known = given ?? reference(late.name);
          isGuessed ||= known === undefined;
          const value = known ?? 1n;
          if (late.as === 'string') return String(value);
          return late.as === 'fraction' ? rawNumber(`${value}.5`) : value;
        }
      }
    },
    learnt: () => !isGuessed,
  };
}

/** Without vowels, so that chance spells no word that a service might refuse. */
const LETTERS = 'bcdfghjkmnpqrstvwxz';

/** A text of the same length, which ends with letters that belong to a run and a probe. */
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
  return createHash('sha256').update(`${run} ${probe}`).digest();
}

/** Replaces the late values inside a body. */
export function fill(value: unknown, facts: Facts): unknown {
  if (isLate(value)) return facts.resolve(value);
  if (Array.isArray(value)) return value.map((each) => fill(each, facts));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, facts)]));
  }
  return value;
}

/** The probes whose answers a probe takes a value from and cannot do without. */
export function sourcesOf(probe: Probe): string[] {
  return Object.values(probe.path).flatMap((value) =>
    isLate(value) && value.late === 'response' && value.otherwise === undefined
      ? value.sources.map((each) => each.probe)
      : [],
  );
}
