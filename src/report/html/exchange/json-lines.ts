import { type JsonMember, type JsonNode, keyOf } from './json-tree.ts';

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

/** An object or array of scalars goes on one line if it fits, so that a list of records has one line per record. */
const WIDTH = 92;
const INDENT = '  ';

/** What is nested deeper is left out. */
const MAX_DEPTH = 40;

/** Formats a JSON text. `marked`: the path to the value that is marked, if any. */
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
  /** What comes before and after the value on its line. */
  lead: readonly Piece[];
  tail: string;
}

function write(lines: JsonLine[], node: JsonNode, place: JsonPlace): void {
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
  if (!node.isEnded || node.members.some((each) => each.node.kind !== 'scalar')) return undefined;
  const length = node.members.reduce(
    (sum, each) => sum + (each.name?.length ?? 0) + lengthOf(each.node) + 4,
    4,
  );
  if (length > WIDTH) return undefined;
  const isObject = node.kind === 'object';
  if (node.members.length === 0) return [sign(isObject ? '{}' : '[]', isTarget)];
  const members = node.members.flatMap((member, index): Piece[] => {
    const rest = restOfPath(member, index, marked);
    const isMarked = isTarget || rest?.length === 0;
    const own = [...leadOf(member), ...(inlined(member.node, rest) ?? [])];
    const comma = index === node.members.length - 1 ? [] : [sign(', ', isTarget)];
    return [...own.map((piece) => ({ ...piece, isMarked })), ...comma];
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
