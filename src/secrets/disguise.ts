import { createHmac } from 'node:crypto';

/** Characters that replace each other. Hexadecimal digits stay such, so that what replaces a UUID is one. */
const KINDS = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];

/** So many characters one digest decides about. */
const DIGEST = 32;

/**
 * A text with other letters and digits, which fits most of what a schema says of the text. Equal texts get equal ones.
 * @param secret makes it impossible to find the text by trying
 */
export function disguised(text: string, secret: Buffer): string {
  const seed = createHmac('sha256', secret).update(text).digest();
  let digest = seed;
  let count = 0;
  return text.replace(/[\p{L}\p{N}]/gu, (character) => {
    if (count % DIGEST === 0) digest = createHmac('sha256', seed).update(String(count)).digest();
    const choice = digest[count % DIGEST] ?? 0;
    count += 1;
    const kind = KINDS.find((each) => each.includes(character));
    return kind === undefined ? 'x'.repeat(character.length) : (kind[choice % kind.length] ?? 'x');
  });
}
