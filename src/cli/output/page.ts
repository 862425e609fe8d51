import type { WriteStream } from 'node:tty';
import { type Style, styleOf } from '../../report/text/style.ts';

/** How text fits a stream: coloured and wrapped on a terminal, neither elsewhere. */
export function pageOf(
  stream: Pick<WriteStream, 'isTTY' | 'columns'>,
  env: NodeJS.ProcessEnv,
): { style: Style; width: number } {
  // A terminal that does not know its width reports 0.
  const width = stream.isTTY && stream.columns > 0 ? stream.columns : Number.POSITIVE_INFINITY;
  return { style: styleOf(stream, env), width };
}
