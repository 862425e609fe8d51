import { parseJson } from '../../../model/json.ts';

/**
 * A JSON text as it was written. Scalars keep their text, so that `1.0`, `1e3` and ids above 2^53 look as they were sent.
 * A report may keep only the start of a body: then the tree ends where that start ends.
 */
export type JsonNode =
  | { kind: 'scalar'; text: string }
  | { kind: 'array' | 'object'; members: JsonMember[]; isEnded: boolean };

export interface JsonMember {
  /** The name as written, with its quotes; elements of arrays have none. */
  name?: string;
  node: JsonNode;
}

type JsonContainer = Extract<JsonNode, { members: unknown }>;

/** How much of a body is read, in characters. */
const MAX_LENGTH = 64_000;

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*"?)|([{}[\],:])|([^\s{}[\],:"]+)|$)/gsy;

/** Reads a body. Undefined if it is not JSON; of a body that was cut, only the start has to be. */
export function readTree(body: string, wasCut: boolean): JsonNode | undefined {
  const text = body.slice(0, MAX_LENGTH);
  const isPartial = wasCut || text.length < body.length;
  // parseJson checks the grammar. The code below only finds places in what is valid.
  if (!isPartial && !parseJson(text).ok) return undefined;
  const open: JsonContainer[] = [];
  let root: JsonNode | undefined;
  let name: string | undefined;
  for (const [, string, sign, word] of text.matchAll(TOKEN)) {
    const scalar = string ?? word;
    const parent = open.at(-1);
    if (scalar === undefined) {
      if (sign === '}' || sign === ']') {
        if (!parent) return undefined;
        parent.isEnded = true;
        open.pop();
      }
      if (sign !== '{' && sign !== '[') continue;
    } else if (parent?.kind === 'object' && name === undefined) {
      name = scalar;
      continue;
    }
    const node: JsonNode =
      scalar === undefined
        ? { kind: sign === '[' ? 'array' : 'object', members: [], isEnded: false }
        : { kind: 'scalar', text: scalar };
    if (parent) parent.members.push(name === undefined ? { node } : { name, node });
    else if (root) return undefined;
    else root = node;
    name = undefined;
    if (node.kind !== 'scalar') open.push(node);
  }
  // A scalar that was cut may be anything. The start of an object or array is still one.
  return isPartial && root?.kind === 'scalar' ? undefined : root;
}

/** The key of a member as a pointer names it. */
export function keyOf(member: JsonMember, index: number): string {
  if (member.name === undefined) return String(index);
  const parsed = parseJson(member.name);
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : member.name;
}

/** How many segments of a path exist. */
export function reach(root: JsonNode, segments: readonly string[]): number {
  const known = segments.findIndex((_, index) => !valueAt(root, segments.slice(0, index + 1)));
  return known < 0 ? segments.length : known;
}

/** The value at a path. */
export function valueAt(root: JsonNode, segments: readonly string[]): JsonNode | undefined {
  let here: JsonNode | undefined = root;
  for (const segment of segments) {
    if (!here || here.kind === 'scalar') return undefined;
    here = here.members.find((member, place) => keyOf(member, place) === segment)?.node;
  }
  return here;
}
