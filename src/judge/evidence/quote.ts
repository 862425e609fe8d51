/** Findings quote at most this many characters. */
const MAX_QUOTE = 200;

/** A bounded quotation of text from a target. */
export function quote(text: string): string {
  const characters = [...text.slice(0, MAX_QUOTE * 2)];
  return characters.length <= MAX_QUOTE && text.length <= MAX_QUOTE * 2
    ? text
    : `${characters.slice(0, MAX_QUOTE).join('')}…`;
}
