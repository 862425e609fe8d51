import type { Animal } from '../animal.ts';
import { PET_STATUSES } from '../animal.ts';
import type { Change } from '../changes/change.ts';
import type { CallWhere } from '../changes/where.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Json, JsonObject } from '../http/json.ts';
import { isObject } from '../http/json.ts';

/** The answer of a service that nobody taught to fail otherwise. */
export function crash(): Answer {
  return errorAnswer(500, 'internal_error', 'something went wrong');
}

/** A page as a proxy or a framework shows it, with a status of its own. */
export function page(status: number): Answer {
  const body = `<!doctype html><title>${status}</title><h1>${status}</h1>`;
  return { status, headers: [['Content-Type', 'text/html']], body };
}

/** The lists that are asked for with this parameter, and, where it is given, with this value of it. */
export function listing(name: string, value?: string): CallWhere {
  return {
    operation: 'listPets',
    when: ({ query }) => (value === undefined ? query.has(name) : query.get(name) === value),
  };
}

/** The lists whose limit, as a number, passes; NaN where it is none. */
export function limiting(test: (limit: number) => boolean): CallWhere {
  return {
    operation: 'listPets',
    when: ({ query }) => query.has('limit') && test(Number(query.get('limit'))),
  };
}

/** The lists of a status that there is not. */
export const OF_UNKNOWN_STATUS: CallWhere = {
  operation: 'listPets',
  when: ({ query }) => query.has('status') && !PET_STATUSES.some((status) => status === query.get('status')),
};

/** The creations whose body passes. */
export function creating(test: (body: JsonObject) => boolean): CallWhere {
  return { operation: 'createPet', when: ({ body }) => isObject(body) && test(body) };
}

/** The creations of an animal whose name passes. */
export function naming(test: (name: string) => boolean): CallWhere {
  return creating(({ name }) => typeof name === 'string' && test(name));
}

/** Another animal than the one that was sent: answered and kept. */
export function creatingOther(change: (animal: Animal, call: Call) => Animal): Change {
  return { store: { create: change } };
}

/** The animal is answered as it was sent, but kept otherwise. */
export function keepingOther(change: (animal: Animal, call: Call) => Animal): Change {
  return { store: { keep: change } };
}

/** Through a double and back, as every integer goes in a language that has no other number. */
export function throughDouble(value: bigint): bigint {
  return BigInt(Number(value));
}

/** An answer's number through a double; anything else stays. */
export function rounded(value: Json | undefined): Json {
  return typeof value === 'bigint' ? throughDouble(value) : (value ?? null);
}

/** Text that was written as UTF-8 and read as latin-1. */
export function mojibake(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Text in a column that holds latin-1 alone. */
export function latinOnly(text: string): string {
  return text.replaceAll(/[\u0100-\u{10ffff}]/gu, '?');
}
