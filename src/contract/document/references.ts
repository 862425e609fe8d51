import { basename } from 'node:path';
import { ContractError } from '../../model/contract.ts';
import { segmentsOf } from '../../model/json/json-pointer.ts';
import { isObject } from '../schema.ts';
import { FILES } from './read-files.ts';

/** What a reference names. */
export interface Referred {
  /** The name of the component or of the file; undefined if the reference leads into the middle of something. */
  name?: string;
  value: unknown;
}

/** A reference may lead to another one, this often. */
const MAX_HOPS = 20;

/**
 * Follows a reference within a document, and those that it leads to.
 * @throws ContractError if it names nothing
 */
export function follow(document: Readonly<Record<string, unknown>>, reference: string): Referred {
  let name: string | undefined;
  let next = reference;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const segments = segmentsAt(next);
    name ??= nameOf(segments);
    const value = segments?.reduce<unknown>(
      (here, segment) =>
        typeof here === 'object' && here !== null && Object.hasOwn(here, segment)
          ? (here as Record<string, unknown>)[segment]
          : undefined,
      document,
    );
    if (value === undefined) break;
    if (!isObject(value) || typeof value.$ref !== 'string')
      return { ...(name === undefined ? {} : { name }), value };
    next = value.$ref;
  }
  throw new ContractError(`the reference ${reference.slice(0, 100)} leads to nothing that petspec can read`);
}

/** The segments of a reference within the document; undefined if it leads elsewhere. */
function segmentsAt(reference: string): string[] | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    return segmentsOf(decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

/** `#/components/schemas/Book` and `Book.yaml` name a component; `#/paths/~1books/get` does not. */
function nameOf(segments: readonly string[] | undefined): string | undefined {
  if (!segments) return undefined;
  const last = segments.at(-1);
  if (segments[0] === 'components' && segments.length === 3) return last;
  if (segments[0] !== FILES) return undefined;
  return segments.length === 2 ? basename(last ?? '').replace(/\.[^.]*$/, '') : last;
}
