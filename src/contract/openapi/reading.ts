import type { Schema } from '../../model/contract.ts';
import { isObject } from '../schema.ts';

/** An object of a document. */
export type Node = Record<string, unknown>;

/** How a document is read. */
export interface DocumentReading {
  /** @throws ContractError for a reference that names nothing */
  follow(reference: string): { name?: string | undefined; value: unknown };
  /** @param onGap called with what petspec cannot derive from the schema */
  schema(source: unknown, direction: 'request' | 'response', onGap: (words: string) => void): Schema;
  /** Set if the document says which responses may come, not when. */
  mayRefuse?: boolean | undefined;
}

/** The operation that is being read. */
export interface OperationContext {
  reading: DocumentReading;
  id: string;
  section: string;
  onGap: (words: string) => void;
}

/** An extension of petspec; in other documents it may be somebody else's and mean something else. */
export function extension({ mayRefuse }: DocumentReading, source: Node, name: `x-${string}`): unknown {
  return mayRefuse ? undefined : source[name];
}

/** A part of a document, and the name of the component if it is a reference to one. */
export function resolve(
  reading: DocumentReading,
  source: unknown,
): { name?: string | undefined; value: Node } {
  const value = node(source);
  if (typeof value.$ref !== 'string') return { value };
  const { name, value: named } = reading.follow(value.$ref);
  return { name, value: node(named) };
}

/** The value if it is an object, else an empty one: a value of the wrong type counts as missing. */
export function node(value: unknown): Node {
  return isObject(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is true or false. */
export function boolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The value of the first example, which may be a reference. */
export function firstExample(reading: DocumentReading, examples: unknown): unknown {
  const [first] = Object.values(node(examples));
  return first === undefined ? undefined : resolve(reading, first).value.value;
}

/** More examples of one value show nothing more. */
const MAX_EXAMPLES = 10;

/** The values of a few examples, which may be references. */
export function examplesIn(reading: DocumentReading, examples: unknown): unknown[] {
  return Object.values(node(examples))
    .slice(0, MAX_EXAMPLES)
    .map((example) => resolve(reading, example).value.value)
    .filter((value) => value !== undefined && value !== null);
}

/**
 * A value that should be a text, such as a version, which YAML may read as a number. An object is only named: its `toString`
 * may be no function, and it may contain itself.
 */
export function written(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : String(value);
}
