import type { Exchange, Received } from '../../../model/exchange.ts';
import type { Finding } from '../../../model/finding.ts';
import { parseJson, segmentsOf } from '../../../model/json.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';
import { type JsonLine, type JsonNode, layOut, type Piece, reach, readTree, valueAt } from './json.ts';

/** The part of a request or a response that a finding is about. */
export type FindingPlace =
  | { kind: 'body'; pointer: string }
  /** Where the body stops being JSON. */
  | { kind: 'syntax' }
  | { kind: 'headers'; names: readonly string[] }
  | { kind: 'status' }
  /** Method and address of a request. */
  | { kind: 'request-line' }
  | { kind: 'none' };

/** The marked places of a request and of its response. */
export interface Marks {
  request: FindingPlace;
  response: FindingPlace;
}

export const UNMARKED: Marks = { request: { kind: 'none' }, response: { kind: 'none' } };

type Pointing = Pick<Finding, 'kind' | 'pointer' | 'headers'>;

/**
 * The places that a finding is about, in the first exchange that shows it.
 * @param isOfClient whether the finding is about a client: then the request is at fault, whatever the response
 */
export function marksOf(finding: Pointing, exchange: Exchange | undefined, isOfClient: boolean): Marks {
  return isOfClient
    ? { ...UNMARKED, request: placeInRequest(finding, exchange?.requestBody ?? '') }
    : { ...UNMARKED, response: placeOf(finding, exchange?.response) };
}

/** The marked place of a request: the place that the finding names, else the usual place for its kind of deviation. */
function placeInRequest({ kind, pointer, headers = [] }: Pointing, body: string): FindingPlace {
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (headers.length > 0) return { kind: 'headers', names: headers };
  switch (kind) {
    case undefined:
      return { kind: 'none' };
    case 'json':
    // A shape without a pointer: the request has no body.
    case 'shape':
      return body === '' ? { kind: 'body', pointer: '' } : { kind: 'syntax' };
    default:
      return { kind: 'request-line' };
  }
}

/** The marked place of a response: the place that the finding names, else the usual place for its kind of deviation. */
export function placeOf(
  { kind, pointer, headers = [] }: Pointing,
  response: Received | undefined,
): FindingPlace {
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (!response) return { kind: 'none' };
  if (headers.length > 0) return { kind: 'headers', names: headers };
  switch (kind) {
    case 'json':
    // A shape without a pointer: the body is empty or not JSON.
    case 'shape':
      return response.body === '' ? { kind: 'body', pointer: '' } : { kind: 'syntax' };
    case 'status':
    // A sequence without a pointer and headers is about which requests the limit refuses.
    case 'sequence':
      return { kind: 'status' };
    default:
      return { kind: 'none' };
  }
}

const MAX_LINES = 32;
const MAX_PIECE = 400;
const NEAR = 12;

type Body = Pick<Received, 'body' | 'cut'>;

/** A formatted body in which a place is marked. */
export function renderBody(body: Body, place: FindingPlace): Html {
  if (body.body === '')
    return html`<p class="none">${place.kind === 'body' ? html`<mark>no body</mark>` : 'no body'}</p>`;
  const { lines, missing } = laidOut(body, place);
  return html`${missing !== undefined && absence(missing, body.cut !== undefined)}
    <pre class="code">${renderExcerpt(excerpt(lines, MAX_LINES))}</pre>
    ${keptOf(body)}`;
}

/** The value at the pointer within its parent, such as a record of a list. */
export function renderNearby({ body, cut }: Body, pointer: string): Html | undefined {
  const tree = readTree(body, cut !== undefined);
  if (!tree) return undefined;
  const segments = segmentsOf(pointer);
  const present = segments.slice(0, reach(tree, segments));
  const isMissing = present.length < segments.length;
  if (isMissing && cut !== undefined) return undefined;
  const whole = isMissing ? present : present.slice(0, -1);
  const part = valueAt(tree, whole);
  if (!part || isLong(part)) return undefined;
  const lines = layOut(part, isMissing ? undefined : present.slice(whole.length));
  return html`<pre class="code">${renderExcerpt(excerpt(lines, NEAR))}</pre>`;
}

/** The lines of a body, and the pointer of the finding if the body has no value there. */
function laidOut({ body, cut }: Body, place: FindingPlace): { lines: JsonLine[]; missing?: string } {
  const tree = readTree(body, cut !== undefined);
  if (!tree) return { lines: plainLines(body, place.kind === 'syntax' ? syntaxErrorAt(body) : undefined) };
  if (place.kind !== 'body') return { lines: layOut(tree, undefined) };
  const segments = segmentsOf(place.pointer);
  const present = segments.slice(0, reach(tree, segments));
  if (present.length === segments.length) return { lines: layOut(tree, present) };
  // Marking a whole long list would not show what is missing.
  const isVague = cut !== undefined || (present.length === 0 && isLong(tree));
  const marked = isVague ? undefined : present;
  return { lines: layOut(tree, marked), missing: place.pointer };
}

function isLong(tree: JsonNode): boolean {
  return tree.kind !== 'scalar' && tree.members.length > MAX_LINES;
}

function absence(pointer: string, wasCut: boolean): Html {
  const place = html`<code>${quoted(pointer, MAX_PIECE)}</code>`;
  return wasCut
    ? html`<p class="remark">${place} is in the part of this body that the report does not keep:</p>`
    : html`<p class="remark">There is nothing at ${place}:</p>`;
}

function keptOf({ body, cut }: Body): Html | undefined {
  if (cut === undefined) return undefined;
  return html`<p class="remark">The report keeps ${body.length.toLocaleString('en')} of ${count(cut, 'character')}.</p>`;
}

function renderExcerpt(parts: Excerpt): Html {
  return html`${parts.map((part) => (typeof part === 'number' ? skip(part) : renderLine(part)))}`;
}

function skip(lines: number): Html | undefined {
  return lines > 0 ? html`<span class="line skipped">⋮ ${count(lines, 'line')} left out\n</span>` : undefined;
}

/** A line of a body. Adjacent marked pieces share one mark. */
function renderLine({ pieces, isMarked }: JsonLine): Html {
  const groups: { isMarked: boolean; pieces: Html[] }[] = [];
  for (const piece of pieces) {
    const text = quoted(piece.text, MAX_PIECE);
    const markup = piece.role === 'sign' ? text : html`<span class="${piece.role}">${text}</span>`;
    const last = groups.at(-1);
    if (last?.isMarked === piece.isMarked) last.pieces.push(markup);
    else groups.push({ isMarked: piece.isMarked, pieces: [markup] });
  }
  const inner = groups.map((group) => (group.isMarked ? html`<mark>${group.pieces}</mark>` : group.pieces));
  return html`<span class="${isMarked ? 'line deviates' : 'line'}">${inner}\n</span>`;
}

/** Lines, with numbers in place of the lines that are left out. */
type Excerpt = readonly (JsonLine | number)[];

/**
 * At most `max` lines of a text: its start, and the lines around the first marked line, so that the deviation is always
 * visible.
 */
export function excerpt(lines: readonly JsonLine[], max: number): Excerpt {
  if (lines.length <= max) return lines;
  const mark = lines.findIndex(({ isMarked }) => isMarked);
  if (mark < max - 1) return [...lines.slice(0, max), lines.length - max];
  const head = Math.min(3, Math.floor(max / 3));
  const from = mark - Math.floor((max - head) / 3);
  const to = Math.min(lines.length, from + max - head);
  return [...lines.slice(0, head), from - head, ...lines.slice(from, to), lines.length - to];
}

/** Characters that are shown of a body that is not JSON. */
const MAX_LENGTH = 8_000;

/** Characters that are shown before the mark in a line. */
const MAX_BEFORE = 200;

/** The lines of a text. @param offset the start of the marked word, if any */
export function plainLines(text: string, offset: number | undefined): JsonLine[] {
  let start = 0;
  return text
    .slice(0, MAX_LENGTH)
    .split('\n')
    .map((line) => {
      const at = offset === undefined ? -1 : offset - start;
      start += line.length + 1;
      const isMarked = at >= 0 && at <= line.length;
      return isMarked ? { pieces: split(line, at), isMarked } : { pieces: [word(line)], isMarked };
    });
}

/** The position of the syntax error in a body, by the message of the parser; undefined if it names none. */
export function syntaxErrorAt(body: string): number | undefined {
  const parsed = parseJson(body);
  const position = parsed.ok ? undefined : /at position (\d+)$/.exec(parsed.error)?.[1];
  return position === undefined ? undefined : Number(position);
}

function split(line: string, at: number): Piece[] {
  const before = line.slice(0, at);
  const marked = /^(?:[\w$]{1,40}|.)/su.exec(line.slice(at))?.[0];
  return [
    word(before.length > MAX_BEFORE ? `…${before.slice(-MAX_BEFORE)}` : before),
    { ...word(marked ?? '(the line ends here)'), isMarked: true },
    word(line.slice(at + (marked?.length ?? 0))),
  ];
}

function word(text: string): Piece {
  return { text, role: 'sign', isMarked: false };
}
