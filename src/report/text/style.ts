import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import type { Verdict } from '../../model/report/report.ts';
import { clip, notACommand } from '../../model/visible.ts';

/** Styles text: with colors on a terminal, unchanged elsewhere. */
export type Style = (format: 'red' | 'green' | 'yellow' | 'bold' | 'dim', text: string) => string;

export interface TextLayout {
  style: Style;
  /** In columns. Infinity: lines are not wrapped. */
  width: number;
}

export const VERDICT_COLORS = {
  conformant: 'green',
  'non-conformant': 'red',
  incomplete: 'yellow',
} as const satisfies Readonly<Record<Verdict, string>>;

export const plain: Style = (_format, text) => text;

/**
 * Colors if the stream is a terminal and NO_COLOR is not set (https://no-color.org: empty counts as not set). FORCE_COLOR
 * decides before both (https://force-color.org): `0` and `false` turn colors off, anything else on.
 */
export function styleOf(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const { FORCE_COLOR: forced = '', NO_COLOR, TERM } = env;
  const isColored =
    forced === '' ? stream.isTTY === true && !NO_COLOR && TERM !== 'dumb' : !/^(0|false)$/i.test(forced);
  if (!isColored) return plain;
  // Without `validateStream: false`, styleText would check the environment itself.
  return (format, text) => styleText(format, text, { validateStream: false });
}

/** The layout of text on a stream: colored and wrapped only on a terminal. */
export function pageOf(stream: Pick<WriteStream, 'isTTY' | 'columns'>, env: NodeJS.ProcessEnv): TextLayout {
  // A terminal of unknown width reports 0.
  const width = stream.isTTY && stream.columns > 0 ? stream.columns : Number.POSITIVE_INFINITY;
  return { style: styleOf(stream, env), width };
}

/** The longest paragraph, in characters: more is unreadable on a terminal, and wrapping long words is slow. */
const MAX_PARAGRAPH = 4_000;

/** The smallest width, in columns, at which wrapped text is readable. */
const MIN_WIDTH = 30;

/**
 * A paragraph with a hanging indent, wrapped to a width in columns (Infinity: not wrapped). Words longer than a line are
 * split.
 * @param first the start of the first line, at most as wide as the indent; may be styled
 * @param indent the indent of the other lines, in columns
 */
export function paragraph(first: string, text: string, indent: number, width: number): string {
  const room = Math.max(width - indent, MIN_WIDTH);
  const kept = clip(text, MAX_PARAGRAPH);
  const lines = room === Number.POSITIVE_INFINITY ? [kept] : wrapAnsi(kept, room, { hard: true }).split('\n');
  return lines
    .map((line, index) => notACommand(`${index === 0 ? first : ' '.repeat(indent)}${line}`))
    .join('\n');
}
