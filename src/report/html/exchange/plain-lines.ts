import { parseJson } from '../../../model/json.ts';
import type { Line, Piece } from './json-lines.ts';

/** How much of a body that is not JSON is shown, in characters. */
const MAX_LENGTH = 8_000;

/** How much of a line is shown before the mark, in characters. */
const MAX_BEFORE = 200;

/** The lines of a text. @param offset the start of the marked word, if any */
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

/** Where the JSON parser stopped, by its message. Undefined if it did not stop or does not say where. */
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
