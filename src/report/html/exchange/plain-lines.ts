import { parseJson } from '../../../model/json.ts';
import type { Line, Piece } from './json-lines.ts';

/** A body that is no JSON is shown line by line, up to so many characters. */
const MAX_LENGTH = 8_000;

/** Of a line in which something is marked, so much of what stands before it. */
const MAX_BEFORE = 200;

/** A text as its lines. @param offset where the marked word begins, if any */
export function plainLines(text: string, offset: number | undefined): Line[] {
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

/** Where a JSON parser stopped, as its message says; undefined where it did not, or does not say. */
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
