import { type JsonMember, type JsonNode, keyOf } from './json-tree.ts';

export interface Piece {
  text: string;
  role: 'name' | 'string' | 'word' | 'sign';
  isMarked: boolean;
}

export interface Line {
  pieces: Piece[];
  /** Whether anything of the marked value is on this line. */
  isMarked: boolean;
}

/** An object or array of scalars that fits is shown on one line: a list of animals is read a line an animal. */
const WIDTH = 92;
const INDENT = '  ';

/** Whatever is nested deeper is left out. */
const MAX_DEPTH = 40;

/** Lays out a JSON text. `marked`: the segments that lead to the value which is set off, if any. */
export function layOut(root: JsonNode, marked: readonly string[] | undefined): Line[] {
  const lines: Line[] = [];
  write(lines, root, { depth: 0, marked, isInside: false, lead: [], tail: '' });
  return lines;
}

interface Place {
  depth: number;
  /** What is left of the way to the marked value; undefined: this is not on the way. */
  marked: readonly string[] | undefined;
  isInside: boolean;
  /** What stands before the value on its line, and behind it. */
  lead: readonly Piece[];
  tail: string;
}

function write(lines: Line[], node: JsonNode, place: Place): void {
  const isTarget = place.marked?.length === 0;
  const isInside = place.isInside || isTarget;
  const lead = isTarget ? place.lead.map((piece) => ({ ...piece, isMarked: true })) : place.lead;
  const indent = sign(INDENT.repeat(place.depth));
  const add = (...pieces: Piece[]) =>
    lines.push({ pieces, isMarked: isInside || pieces.some((each) => each.isMarked) });
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
      marked: wayTo(member, index, place.marked),
      isInside,
      lead: leadOf(member),
      tail: isLast ? '' : ',',
    });
  }
  if (node.isEnded) add(indent, sign(closing, isTarget), sign(place.tail));
}

/** The value on one line, where it fits there. */
function inlined(node: JsonNode, marked: readonly string[] | undefined): Piece[] | undefined {
  const isTarget = marked?.length === 0;
  if (node.kind === 'scalar') return [scalar(node.text, isTarget)];
  if (!node.isEnded || node.members.some((each) => each.node.kind !== 'scalar')) return undefined;
  const length = node.members.reduce(
    (sum, each) => sum + (each.name?.length ?? 0) + lengthOf(each.node) + 4,
    4,
  );
  if (length > WIDTH) return undefined;
  const isObject = node.kind === 'object';
  if (node.members.length === 0) return [sign(isObject ? '{}' : '[]', isTarget)];
  const members = node.members.flatMap((member, index): Piece[] => {
    const way = wayTo(member, index, marked);
    const isMarked = isTarget || way?.length === 0;
    const own = [...leadOf(member), ...(inlined(member.node, way) ?? [])];
    const comma = index === node.members.length - 1 ? [] : [sign(', ', isTarget)];
    return [...own.map((piece) => ({ ...piece, isMarked })), ...comma];
  });
  return [sign(isObject ? '{ ' : '[', isTarget), ...members, sign(isObject ? ' }' : ']', isTarget)];
}

function wayTo(
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
