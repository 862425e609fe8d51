import type { CallWhere, Change } from '../changes/change.ts';
import { withField } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { BigIntJson, BigIntJsonObject } from '../http/json.ts';
import { isObject } from '../http/json.ts';
import type { Animal } from '../store.ts';
import { PET_STATUSES } from '../store.ts';
import type { Fault } from './fault.ts';

/** The answer of a service after an uncaught error. */
export function crash(): Answer {
  return errorAnswer(500, 'internal_error', 'something went wrong');
}

/** An HTML page, as a proxy or a framework returns it. */
export function page(status: number): Answer {
  const body = `<!doctype html><title>${status}</title><h1>${status}</h1>`;
  return { status, headers: [['Content-Type', 'text/html']], body };
}

/** List requests with this query parameter, or only those with this value of it. */
export function listing(name: string, value?: string): CallWhere {
  return {
    operation: 'listPets',
    when: ({ query }) => (value === undefined ? query.has(name) : query.get(name) === value),
  };
}

/** List requests whose limit passes the test. A limit that is not a number is NaN. */
export function limiting(test: (limit: number) => boolean): CallWhere {
  return {
    operation: 'listPets',
    when: ({ query }) => query.has('limit') && test(Number(query.get('limit'))),
  };
}

/** List requests with an unknown status. */
export const OF_UNKNOWN_STATUS: CallWhere = {
  operation: 'listPets',
  when: ({ query }) => query.has('status') && !PET_STATUSES.some((status) => status === query.get('status')),
};

/** Additions whose body passes the test. */
export function creating(test: (body: BigIntJsonObject) => boolean): CallWhere {
  return { operation: 'createPet', when: ({ body }) => isObject(body) && test(body) };
}

/** Additions of an animal whose name passes the test. */
export function naming(test: (name: string) => boolean): CallWhere {
  return creating(({ name }) => typeof name === 'string' && test(name));
}

/** Changes the animal that is returned and stored. */
export function creatingOther(change: (animal: Animal, call: Call) => Animal): Change {
  return { store: { create: change } };
}

/** Changes the animal that is stored, but not the one that is returned. */
export function keepingOther(change: (animal: Animal, call: Call) => Animal): Change {
  return { store: { keep: change } };
}

/** Converted to a double and back, as in a language without other numbers. */
export function throughDouble(value: bigint): bigint {
  return BigInt(Number(value));
}

/** Converts a number through a double; other values stay. */
export function rounded(value: BigIntJson | undefined): BigIntJson {
  return typeof value === 'bigint' ? throughDouble(value) : (value ?? null);
}

/** Text that was written as UTF-8 and read as latin-1. */
export function mojibake(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Text from a column that holds only latin-1. */
export function latinOnly(text: string): string {
  return text.replaceAll(/[\u0100-\u{10ffff}]/gu, '?');
}

type Rename = (name: string) => string;

/** A name that POST /pets returns changed, and that is stored as returned. */
export function echoed(id: string, summary: string, change: Rename): Fault {
  const hook = creatingOther((animal) => ({ ...animal, name: change(animal.name) }));
  return { id, summary, violates: ['createPet.echo'], ...hook };
}

/** A name that POST /pets returns unchanged, and that is stored changed. */
export function stored(id: string, summary: string, change: Rename): Fault {
  const hook = keepingOther((animal) => ({ ...animal, name: change(animal.name) }));
  return { id, summary, violates: ['getPet.stored'], ...hook };
}

/** A name that only lists show changed. */
export function listed(id: string, summary: string, change: Rename): Fault {
  const hook = withField({ operation: 'listPets', status: 200 }, 'name', (name) => change(String(name)));
  return { id, summary, violates: ['listPets.stored'], ...hook };
}
