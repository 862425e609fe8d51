import type { CallWhere, Change } from '../changes/change.ts';
import { answering, onCreate, onKeep, withField } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import type { BigIntJson } from '../http/json.ts';
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

/** A request that ends in an uncaught error: 500. */
export function crashing(where: CallWhere): Change {
  return answering(where, crash);
}

/** A request that is rejected with 400, although it is valid or should get something else. */
export function rejecting(where: CallWhere, message: string): Change {
  return answering(where, () => errorAnswer(400, 'invalid_request', message));
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
  const hook = onCreate((animal) => ({ ...animal, name: change(animal.name) }));
  return { id, summary, violates: ['createPet.echo'], ...hook };
}

/** A name that POST /pets returns unchanged, and that is stored changed. */
export function stored(id: string, summary: string, change: Rename): Fault {
  const hook = onKeep((animal) => ({ ...animal, name: change(animal.name) }));
  return { id, summary, violates: ['getPet.stored'], ...hook };
}

/** A name that only lists show changed. */
export function listed(id: string, summary: string, change: Rename): Fault {
  const hook = withField({ operation: 'listPets', status: 200 }, 'name', (name) => change(String(name)));
  return { id, summary, violates: ['listPets.stored'], ...hook };
}
