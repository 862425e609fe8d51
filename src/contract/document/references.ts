import { basename } from 'node:path';
import { ContractError } from '../../model/contract.ts';
import { segmentsOf } from '../../model/json.ts';
import { isObject } from '../schema.ts';
import { FILES, UNREAD } from './files/file-references.ts';

/** What a reference names. */
export interface Referred {
  /** The name of the component or of the file; undefined if the reference leads into the middle of something. */
  name?: string | undefined;
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
    const segments = segmentsAt(document, next);
    name ??= nameOf(segments);
    const value = segments?.reduce<unknown>(
      (here, segment) =>
        typeof here === 'object' && here !== null && Object.hasOwn(here, segment)
          ? (here as Record<string, unknown>)[segment]
          : undefined,
      document,
    );
    if (value === undefined) break;
    if (!isObject(value) || typeof value.$ref !== 'string') return { name, value };
    next = value.$ref;
  }
  const unread = isObject(document[UNREAD]) ? document[UNREAD] : {};
  const why = Object.hasOwn(unread, next) ? `: ${unread[next]}` : '';
  throw new ContractError(
    `the reference ${reference.slice(0, 100)} leads to nothing that petspec can read${why}`,
  );
}

/** The segments of a reference within the document; undefined if it leads elsewhere. */
function segmentsAt(document: Readonly<Record<string, unknown>>, reference: string): string[] | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    const fragment = decodeURIComponent(reference.slice(1));
    if (fragment === '' || fragment.startsWith('/')) return segmentsOf(fragment);
    return anchorsOf(document).get(fragment);
  } catch {
    return undefined;
  }
}

const anchors = new WeakMap<object, ReadonlyMap<string, string[]>>();

/** Where the components with an `$anchor` are, by its name. One that is stated twice names nothing. */
function anchorsOf(document: Readonly<Record<string, unknown>>): ReadonlyMap<string, string[]> {
  const known = anchors.get(document);
  if (known) return known;
  const { schemas } = isObject(document.components) ? document.components : {};
  const found = new Map<string, string[]>();
  const twice = new Set<string>();
  for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {})) {
    const anchor = isObject(schema) ? schema.$anchor : undefined;
    if (typeof anchor !== 'string') continue;
    if (found.has(anchor)) twice.add(anchor);
    found.set(anchor, ['components', 'schemas', name]);
  }
  for (const each of twice) found.delete(each);
  anchors.set(document, found);
  return found;
}

/** `#/components/schemas/Book` and `Book.yaml` name a component; `#/paths/~1books/get` does not. */
function nameOf(segments: readonly string[] | undefined): string | undefined {
  if (!segments) return undefined;
  const last = segments.at(-1);
  if (segments[0] === 'components' && segments.length === 3) return last;
  if (segments[0] !== FILES) return undefined;
  return segments.length === 2 ? basename(last ?? '').replace(/\.[^.]*$/, '') : last;
}
