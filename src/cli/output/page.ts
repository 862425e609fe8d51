import type { WriteStream } from 'node:tty';
import { type Style, styleOf } from '../../report/text/style.ts';

/** The style and width of text on a stream: colored and wrapped only on a terminal. */
export function pageOf(
  stream: Pick<WriteStream, 'isTTY' | 'columns'>,
  env: NodeJS.ProcessEnv,
): { style: Style; width: number } {
  // A terminal of unknown width reports 0.
  const width = stream.isTTY && stream.columns > 0 ? stream.columns : Number.POSITIVE_INFINITY;
  return { style: styleOf(stream, env), width };
}
