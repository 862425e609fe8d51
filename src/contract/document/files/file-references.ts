import { dirname, relative, resolve } from 'node:path';
import { ContractError } from '../../../model/contract.ts';
import { percentDecoded } from '../../../model/http/percent-encoding.ts';
import { pointerOf } from '../../../model/json.ts';
import { parseYaml } from '../../parse-yaml.ts';
import { isObject } from '../../schema.ts';

/** Where the other files of a document are put, so that all references are within one document. */
export const FILES = 'x-petspec-files';

/** Where a document keeps why references cannot be followed, by the reference. */
export const UNREAD = 'x-petspec-unread';

/** A reference names no file that petspec reads. The message says why, and what to do. */
export class NoSuchFile extends ContractError {
  override name = 'NoSuchFile';
}

/**
 * Reads the files that a file refers to, and those that they refer to. What is not there is left out: the operation that
 * refers to it is told by name.
 * @param onUnread told the file that refers to something that is not read, and why that is not read
 * @throws ContractError for a file that cannot be read or parsed
 */
export function readReferred(
  file: string,
  value: unknown,
  read: (name: string) => unknown,
  onUnread: (name: string, reference: string, why: string) => void = () => {},
): void {
  const found = new Set([file]);
  const next: [name: string, value: unknown][] = [[file, value]];
  for (const [name, own] of next) {
    for (const node of referencesIn(own)) {
      const wanted = placeOf(node.$ref, name).file;
      if (isAddress(node.$ref)) onUnread(name, node.$ref, NOT_FETCHED);
      if (found.has(wanted) || isAddress(node.$ref)) continue;
      found.add(wanted);
      try {
        next.push([wanted, read(wanted)]);
      } catch (error) {
        if (!(error instanceof NoSuchFile)) throw error;
        onUnread(name, node.$ref, error.message);
      }
    }
  }
}

/** The files that the text of a file refers to. A text that is no document refers to none. */
export function filesReferredIn(name: string, text: string): string[] {
  const value = parsedOrNothing(name, text);
  return referencesIn(value)
    .filter(({ $ref }) => !isAddress($ref))
    .map(({ $ref }) => placeOf($ref, name).file)
    .filter((each) => each !== name);
}

function parsedOrNothing(name: string, text: string): unknown {
  try {
    // JSON is YAML, but YAML takes ten times as long.
    return /^\s*\{/.test(text) ? JSON.parse(text) : parseYaml(name, text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    // Who reads the document says what is wrong with it.
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}

/** Makes references to the address that a document gives itself (`$self` of OpenAPI 3.2) lead to places in it. */
export function withoutSelf(document: Readonly<Record<string, unknown>>): void {
  const { $self: self } = document;
  if (typeof self !== 'string') return;
  for (const node of referencesIn(document))
    if (node.$ref.startsWith(`${self}#`)) node.$ref = node.$ref.slice(self.length);
}

const NOT_FETCHED = 'petspec fetches nothing; save it beside the document, and refer to that file';

/** Makes the references of a file lead to places in the one document. What petspec did not read stays as it is. */
export function redirect(value: unknown, name: string, root: string, others: ReadonlySet<string>): void {
  for (const node of referencesIn(value)) {
    const { file, fragment } = placeOf(node.$ref, name);
    if (file === root) node.$ref = `#${fragment}`;
    else if (others.has(file))
      node.$ref = `#${encodeURI(pointerOf([FILES, relative(dirname(root), file)]))}${fragment}`;
  }
}

/** Whether a reference has a scheme or a host, so that it does not name a file. */
function isAddress(reference: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(reference);
}

/** Where a reference of a file leads. */
function placeOf(reference: string, name: string): { file: string; fragment: string } {
  const [target = '', fragment = ''] = reference.split('#');
  return { file: target === '' ? name : resolve(dirname(name), percentDecoded(target)), fragment };
}

/** All that refers to something, at any depth. */
function referencesIn(value: unknown): { $ref: string }[] {
  const all: { $ref: string }[] = [];
  const seen = new Set<unknown>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (isObject(node) && typeof node.$ref === 'string') all.push(node as { $ref: string });
    for (const each of Object.values(node)) visit(each);
  };
  visit(value);
  return all;
}
