import { basename, dirname, relative, resolve } from 'node:path';
import { ContractError } from '../../model/contract.ts';
import { percentDecoded } from '../../model/http/percent-encoding.ts';
import { pointerOf, segmentsOf } from '../../model/json.ts';
import { parseYaml } from '../parse-yaml.ts';
import { isObject } from '../schema.ts';

/** The target of a reference. */
interface Referred {
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

/** The member that holds the other files of a document, so that all references are within one document. */
export const FILES = 'x-petspec-files';

/** The member with the reasons why references cannot be followed, by reference. */
export const UNREAD = 'x-petspec-unread';

/** A reference names no file that petspec reads. The message says why, and what to do. */
export class NoSuchFile extends ContractError {
  override name = 'NoSuchFile';
}

/**
 * Reads the files that a file refers to, and those that they refer to. Missing files are left out: the operation that refers to
 * one is reported by name.
 * @param onUnread called with the file that has the reference, and why the target is not read
 * @throws ContractError for a file that cannot be read or parsed
 */
export function readReferred(
  file: string,
  value: unknown,
  read: (name: string) => unknown,
  onUnread: (name: string, reference: string, why: string) => void = () => {},
): void {
  const seen = new Set([file]);
  const next: [name: string, value: unknown][] = [[file, value]];
  for (const [name, content] of next) {
    for (const node of referencesIn(content)) {
      const wanted = placeOf(node.$ref, name).file;
      if (isAddress(node.$ref)) onUnread(name, node.$ref, NOT_FETCHED);
      if (seen.has(wanted) || isAddress(node.$ref)) continue;
      seen.add(wanted);
      try {
        next.push([wanted, read(wanted)]);
      } catch (error) {
        if (!(error instanceof NoSuchFile)) throw error;
        onUnread(name, node.$ref, error.message);
      }
    }
  }
}

/** The files that the text of a file refers to; none for a text that is no document. */
export function filesReferredIn(name: string, text: string): string[] {
  const value = parsedOrNothing(name, text);
  return referencesIn(value)
    .filter(({ $ref }) => !isAddress($ref))
    .map(({ $ref }) => placeOf($ref, name).file)
    .filter((file) => file !== name);
}

function parsedOrNothing(name: string, text: string): unknown {
  try {
    // JSON is YAML, but YAML takes ten times as long.
    return /^\s*\{/.test(text) ? JSON.parse(text) : parseYaml(name, text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    // The reader of the document reports what is wrong with it.
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}

/** Makes references to the document's own address (`$self` of OpenAPI 3.2) lead to places in it. */
export function withoutSelf(document: Readonly<Record<string, unknown>>): void {
  const { $self: self } = document;
  if (typeof self !== 'string') return;
  for (const node of referencesIn(document))
    if (node.$ref.startsWith(`${self}#`)) node.$ref = node.$ref.slice(self.length);
}

const NOT_FETCHED = 'petspec fetches nothing; save it beside the document, and refer to that file';

/** Makes the references of a file lead to places in the one document. References to unread files stay. */
export function redirect(value: unknown, name: string, root: string, otherFiles: ReadonlySet<string>): void {
  for (const node of referencesIn(value)) {
    const { file, fragment } = placeOf(node.$ref, name);
    if (file === root) node.$ref = `#${fragment}`;
    else if (otherFiles.has(file))
      node.$ref = `#${encodeURI(pointerOf([FILES, relative(dirname(root), file)]))}${fragment}`;
  }
}

/** Whether a reference has a scheme or a host, so that it names no file. */
function isAddress(reference: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(reference);
}

/** The target of a reference in a file. */
function placeOf(reference: string, name: string): { file: string; fragment: string } {
  const [target = '', fragment = ''] = reference.split('#');
  return { file: target === '' ? name : resolve(dirname(name), percentDecoded(target)), fragment };
}

/** All nodes with a reference, at any depth. */
function referencesIn(value: unknown): { $ref: string }[] {
  const references: { $ref: string }[] = [];
  const seen = new Set<unknown>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (isObject(node) && typeof node.$ref === 'string') references.push(node as { $ref: string });
    for (const child of Object.values(node)) visit(child);
  };
  visit(value);
  return references;
}
