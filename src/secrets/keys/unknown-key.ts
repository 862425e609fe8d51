import { createHash } from 'node:crypto';

/** Characters that replace each other. */
const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const KINDS = [DIGITS, LOWER, LOWER.toUpperCase()];
const HEX_KINDS = [DIGITS, 'abcdef', 'ABCDEF'];

/** With fewer letters and digits, somebody might have the same key. */
const MIN_LETTERS = 20;

/**
 * A key that no service knows, of the shape of the real one: nothing but its letters and digits differs, so that the target cannot
 * tell it from any other wrong key. It is the same for each run with the same seed.
 */
export function unknownKeyFor(key: string, seed: number | 'none'): string {
  // A key may begin with its scheme.
  const [scheme = ''] = /^[\w-]+ /.exec(key) ?? [];
  return scheme + drawnLike(key.slice(scheme.length), seed);
}

function drawnLike(key: string, seed: number | 'none'): string {
  const missing = MIN_LETTERS - key.replace(/[^a-z\d]/gi, '').length;
  const shape = key + 'a0'.repeat(MIN_LETTERS).slice(0, Math.max(0, missing));
  const kinds = /^[\da-f-]+$/i.test(key) ? HEX_KINDS : KINDS;
  let draw = 0;
  return shape.replace(/[a-z\d]/gi, (character) => {
    draw += 1;
    // Drawn from the seed alone, so it reveals nothing of the key.
    const drawn = createHash('sha256').update(`${seed} ${draw}`).digest().readUInt32BE();
    const kind = kinds.find((characters) => characters.includes(character)) ?? DIGITS;
    return kind[drawn % kind.length] ?? character;
  });
}
