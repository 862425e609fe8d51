import { basename } from 'node:path';
import { ContractError } from '../../model/contract.ts';
import { segmentsOf } from '../../model/json.ts';
import { isObject } from '../schema.ts';
import { FILES, UNREAD } from './files/file-references.ts';

/** The target of a reference. */
export interface Referred {
  /** The name of the component or the file; undefined for a target inside one. */
  name?: string | undefined;
  value: unknown;
}

/** The longest chain of references. */
const MAX_HOPS = 20;

/**
 * Follows a reference within a document, and the references that it leads to.
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

/** The path of a reference within the document; undefined if it leads elsewhere. */
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

/** The paths of the components with an `$anchor`, by its name. A repeated name names nothing. */
function anchorsOf(document: Readonly<Record<string, unknown>>): ReadonlyMap<string, string[]> {
  const cached = anchors.get(document);
  if (cached) return cached;
  const { schemas } = isObject(document.components) ? document.components : {};
  const byName = new Map<string, string[]>();
  const twice = new Set<string>();
  for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {})) {
    const anchor = isObject(schema) ? schema.$anchor : undefined;
    if (typeof anchor !== 'string') continue;
    if (byName.has(anchor)) twice.add(anchor);
    byName.set(anchor, ['components', 'schemas', name]);
  }
  for (const anchor of twice) byName.delete(anchor);
  anchors.set(document, byName);
  return byName;
}

/** `#/components/schemas/Book` and `Book.yaml` name a component; `#/paths/~1books/get` does not. */
function nameOf(segments: readonly string[] | undefined): string | undefined {
  if (!segments) return undefined;
  const last = segments.at(-1);
  if (segments[0] === 'components' && segments.length === 3) return last;
  if (segments[0] !== FILES) return undefined;
  return segments.length === 2 ? basename(last ?? '').replace(/\.[^.]*$/, '') : last;
}
