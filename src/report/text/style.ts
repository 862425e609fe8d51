import { styleText } from 'node:util';

/** How text is set off: colours on a terminal, nothing elsewhere. */
export type Style = (format: 'red' | 'green' | 'yellow' | 'bold' | 'dim', text: string) => string;

/** Text as it is. */
export const plain: Style = (_format, text) => text;

/**
 * Colours where the stream is a terminal and NO_COLOR (https://no-color.org: set and not empty) does not forbid them.
 */
export function styleOf(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  if (stream.isTTY !== true || env.NO_COLOR || env.TERM === 'dumb') return plain;
  // Whether to colour is decided here: styleText would ask the environment once more.
  return (format, text) => styleText(format, text, { validateStream: false });
}
