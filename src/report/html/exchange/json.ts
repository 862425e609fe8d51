import { parseJson } from '../../../model/json.ts';

/**
 * A JSON text as it was written. Scalars keep their text, so that `1.0`, `1e3` and ids above 2^53 look as they were sent.
 * If the report keeps only the start of a body, the tree ends there.
 */
export type JsonNode =
  | { kind: 'scalar'; text: string }
  | { kind: 'array' | 'object'; members: JsonMember[]; isEnded: boolean };

export interface JsonMember {
  /** The name as written, with its quotes; undefined for elements of arrays. */
  name?: string;
  node: JsonNode;
}

type JsonContainer = Extract<JsonNode, { members: unknown }>;

/** Characters of a body that are read. */
const MAX_LENGTH = 64_000;

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*"?)|([{}[\],:])|([^\s{}[\],:"]+)|$)/gsy;

/** Reads a body. Undefined if it is not JSON; of a truncated body, the start must be the start of a JSON text. */
export function readTree(body: string, wasCut: boolean): JsonNode | undefined {
  const text = body.slice(0, MAX_LENGTH);
  const isPartial = wasCut || text.length < body.length;
  // parseJson checks the grammar. The code below only splits valid JSON.
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
  // A truncated scalar may be anything. The start of an object or an array is still useful.
  return isPartial && root?.kind === 'scalar' ? undefined : root;
}

/** The key of a member as a pointer names it. */
export function keyOf(member: JsonMember, index: number): string {
  if (member.name === undefined) return String(index);
  const parsed = parseJson(member.name);
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : member.name;
}

/** The number of leading segments of a path that exist. */
export function reach(root: JsonNode, segments: readonly string[]): number {
  const missingAt = segments.findIndex((_, index) => !valueAt(root, segments.slice(0, index + 1)));
  return missingAt < 0 ? segments.length : missingAt;
}

export function valueAt(root: JsonNode, segments: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const segment of segments) {
    if (!node || node.kind === 'scalar') return undefined;
    node = node.members.find((member, place) => keyOf(member, place) === segment)?.node;
  }
  return node;
}

export interface Piece {
  text: string;
  role: 'name' | 'string' | 'word' | 'sign';
  isMarked: boolean;
}

export interface JsonLine {
  pieces: Piece[];
  /** Whether anything of the marked value is on this line. */
  isMarked: boolean;
}

/** In characters. An object or array of scalars that fits is on one line, so that a list has a line per record. */
const WIDTH = 92;
const INDENT = '  ';

/** Levels of nesting that are shown. */
const MAX_DEPTH = 40;

/** Formats a JSON text. @param marked the path to the marked value, if any */
export function layOut(root: JsonNode, marked: readonly string[] | undefined): JsonLine[] {
  const lines: JsonLine[] = [];
  write(lines, root, { depth: 0, marked, isInside: false, lead: [], tail: '' });
  return lines;
}

interface JsonPlace {
  depth: number;
  /** The rest of the path to the marked value. Undefined if the path does not lead through here. */
  marked: readonly string[] | undefined;
  isInside: boolean;
  /** The pieces before the value on its line, and the text after it. */
  lead: readonly Piece[];
  tail: string;
}

function write(lines: JsonLine[], node: JsonNode, place: JsonPlace): void {
  const isTarget = place.marked?.length === 0;
  const isInside = place.isInside || isTarget;
  const lead = isTarget ? place.lead.map((piece) => ({ ...piece, isMarked: true })) : place.lead;
  const indent = sign(INDENT.repeat(place.depth));
  const add = (...pieces: Piece[]) =>
    lines.push({ pieces, isMarked: isInside || pieces.some((piece) => piece.isMarked) });
  const inline = inlined(node, place.marked);
  if (inline) return void add(indent, ...lead, ...inline, sign(place.tail));
  if (node.kind === 'scalar') return;
  const [opening, closing] = node.kind === 'array' ? ['[', ']'] : ['{', '}'];
  if (place.depth >= MAX_DEPTH)
    return void add(indent, ...lead, sign(`${opening} … ${closing}${place.tail}`));
  add(indent, ...lead, sign(opening, isTarget));
  for (const [index, member] of node.members.entries()) {
    const isLast = index === node.members.length - 1;
    write(lines, member.node, {
      depth: place.depth + 1,
      marked: restOfPath(member, index, place.marked),
      isInside,
      lead: leadOf(member),
      tail: isLast ? '' : ',',
    });
  }
  if (node.isEnded) add(indent, sign(closing, isTarget), sign(place.tail));
}

/** The value on one line, or undefined if it does not fit. */
function inlined(node: JsonNode, marked: readonly string[] | undefined): Piece[] | undefined {
  const isTarget = marked?.length === 0;
  if (node.kind === 'scalar') return [scalar(node.text, isTarget)];
  if (!node.isEnded || node.members.some((member) => member.node.kind !== 'scalar')) return undefined;
  const length = node.members.reduce(
    (sum, member) => sum + (member.name?.length ?? 0) + lengthOf(member.node) + 4,
    4,
  );
  if (length > WIDTH) return undefined;
  const isObject = node.kind === 'object';
  if (node.members.length === 0) return [sign(isObject ? '{}' : '[]', isTarget)];
  const members = node.members.flatMap((member, index): Piece[] => {
    const rest = restOfPath(member, index, marked);
    const isMarked = isTarget || rest?.length === 0;
    const pieces = [...leadOf(member), ...(inlined(member.node, rest) ?? [])];
    const comma = index === node.members.length - 1 ? [] : [sign(', ', isTarget)];
    return [...pieces.map((piece) => ({ ...piece, isMarked })), ...comma];
  });
  return [sign(isObject ? '{ ' : '[', isTarget), ...members, sign(isObject ? ' }' : ']', isTarget)];
}

function restOfPath(
  member: JsonMember,
  index: number,
  marked: readonly string[] | undefined,
): readonly string[] | undefined {
  return marked && marked.length > 0 && keyOf(member, index) === marked[0] ? marked.slice(1) : undefined;
}

function leadOf({ name }: JsonMember): Piece[] {
  return name === undefined ? [] : [{ text: name, role: 'name', isMarked: false }, sign(': ')];
}

function lengthOf(node: JsonNode): number {
  return node.kind === 'scalar' ? node.text.length : 0;
}

function scalar(text: string, isMarked: boolean): Piece {
  return { text, role: text.startsWith('"') ? 'string' : 'word', isMarked };
}

function sign(text: string, isMarked = false): Piece {
  return { text, role: 'sign', isMarked };
}
