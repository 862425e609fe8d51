/** Controls, format characters (among them those that turn the direction), line separators, halves of characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text of a target as one line that is safe on a terminal and in the log of a CI service: no escape sequence, no line
 * break, nothing that a runner takes for a command of its own.
 */
export function visible(text: string): string {
  return text
    .replace(HIDDEN, (character) => {
      if (character === '\n') return '\\n';
      if (character === '\r') return '\\r';
      if (character === '\t') return '\\t';
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    })
    .replaceAll('##[', '# #[')
    .replace(/^(\s*):(?=:)/, '$1: ');
}
