import { byteDecoder, fromQuotedPrintable, literal, runsOf, unescaped } from './decode.ts';
import { isPossible, isShort } from './hideable.ts';

/** How many layers of different escapes are undone. */
const MAX_LAYERS = 8;

/** How many times over a secret may be in base64, hexadecimal or a list of numbers. */
const MAX_ENCODED = 2;

/**
 * Megabytes of blanks would be copied by each decoder, and hide nothing. Of each row the last one stays, and at most 63 others: a
 * pattern for all of a row takes 20 bytes of memory for each blank.
 */
const LONG_BLANK = /\s{64}(?=\s)/g;

/** Node prints the first fifty bytes of a Buffer: after `Bearer ` so many are left. Either end of a longer secret reveals it. */
const END = 43;

const MAX_COMPARED = 30;

/** Fewer bytes occur by chance: such a secret is only found alone or after its scheme. Even fewer are not looked for. */
const MIN_INSIDE = 5;
const MIN_ALONE = 3;

/** What the characters before or behind an escaped secret may take from it: `%` before `41zQ` makes an `A` of its beginning. */
const MAY_END_ESCAPE = /^[nrux]?[\da-f]{0,20}/;
const MAY_BEGIN_ESCAPE = /(?:\\[ux]?[\da-f]{0,3}|[%=][\da-f]?|&#?x?\d{0,3}|&[a-z]{0,4})$/;

/** Whether a text has one of these secrets in any encoding that {@link file://./decode.ts} undoes, in either case. */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const inText = textDetector(forms);
  const inBytes = byteDetector(forms);
  const fewest = Math.max(MIN_ALONE, Math.min(END, ...forms.map(({ length }) => length)));
  const decode = byteDecoder(fewest);
  // Most of what looks like bytes is not, and has no such row of characters.
  const isAscii = forms.every((each) => /^[ -~]*$/.test(each));
  const readable = isAscii && fewest >= MIN_INSIDE ? runsOf('\\0\\t\\n\\r -~', fewest) : /.+/gs;

  function isIn(text: string, times: number, isQuotedPrintable = false): boolean {
    let layer = text;
    for (let count = 0; count < MAX_LAYERS; count += 1) {
      const lower = normalized(layer);
      if (inText(lower, isQuotedPrintable || count > 0)) return true;
      if (times < MAX_ENCODED && inBytes(lower)) return true;
      const next = unescaped(layer);
      if (next === layer) break;
      layer = next;
    }
    if (times > 0) {
      const lines = decode(layer).flatMap((each) => each.match(readable) ?? []);
      if (lines.length > 0 && isIn(lines.join('\n'), times - 1)) return true;
    }
    if (isQuotedPrintable) return false;
    // Its lines may be broken within an escape, or be in a string with escapes.
    return [...new Set([text, layer])].some((each) => {
      const plain = fromQuotedPrintable(each);
      return plain !== each && isIn(plain, times, true);
    });
  }
  return (text) => text.length >= fewest && isIn(text.replace(LONG_BLANK, ''), MAX_ENCODED);
}

/** A secret as texts may have it once they are decoded: with the bytes of other characters than those of ASCII, or without them. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret).toString('latin1');
  const lossy = [secret.replace(/[^\0-\x7f]/gu, '\ufffd'), bytes.replace(/[^\0-\x7f]/g, '\ufffd')];
  const all = [secret, bytes, ...lossy.filter(hasLetters)];
  return all.flatMap((each) => [normalized(each), normalized(fullyUnescaped(each))]).filter(isPossible);
}

const hasLetters = (text: string) => /[a-z\d].*[a-z\d].*[a-z\d]/is.test(text);

function fullyUnescaped(text: string): string {
  let layer = text;
  for (let count = 0; count < MAX_LAYERS; count += 1) layer = unescaped(layer);
  return layer;
}

/**
 * In lower case, without the zeros of UTF-16, and without backslashes, of which nobody could say whose they are. A plus is a space, as
 * in forms and queries.
 */
function normalized(text: string): string {
  const lower = text.toLowerCase().replaceAll('+', ' ');
  // Nearly no text has any.
  return lower.includes('\\') || lower.includes('\0') ? lower.replace(/[\\\0]+/g, '') : lower;
}

/** Finds secrets in a normalized text, short ones only as whole words. */
function textDetector(forms: readonly string[]): (text: string, isUnescaped: boolean) => boolean {
  const long = forms.filter((each) => !isShort(each));
  const whole = leastOf(long.flatMap(endsOf));
  const short = forms.filter(isShort);
  const words = short.length === 0 ? undefined : new RegExp(short.map(asWord).join('|'));
  const cut = leastOf(
    long.flatMap((each) => {
      const rest = each.replace(MAY_END_ESCAPE, '').replace(MAY_BEGIN_ESCAPE, '');
      return isShort(rest) ? [] : endsOf(rest);
    }),
  );
  return (text, isUnescaped) =>
    whole.some((each) => text.includes(each)) ||
    (words?.test(text) ?? false) ||
    (isUnescaped && cut.some((each) => text.includes(each)));
}

/** Finds short secrets in the lines that {@link byteDecoder} gives. */
function byteDetector(forms: readonly string[]): (text: string) => boolean {
  const inside = forms.filter((each) => isShort(each) && each.length >= MIN_INSIDE);
  const alone = forms.filter(({ length }) => length >= MIN_ALONE && length < MIN_INSIDE).map(literal);
  const lines = alone.length === 0 ? undefined : new RegExp(`^(?:bearer )?(?:${alone.join('|')})$`, 'm');
  return (text) => inside.some((each) => text.includes(each)) || (lines?.test(text) ?? false);
}

function endsOf(secret: string): string[] {
  return secret.length <= END ? [secret] : [secret.slice(0, END), secret.slice(-END)];
}

/** Texts without those that contain another one, unless there are many: comparing all of them takes longer than it saves. */
function leastOf(texts: readonly string[]): string[] {
  const all = [...new Set(texts)];
  if (all.length > MAX_COMPARED) return all;
  return all.filter((text) => !all.some((other) => other !== text && text.includes(other)));
}

/** A pattern that matches a short secret as a whole word, and a number of five digits or more as a whole number. */
export function asWord(secret: string): string {
  const part = /^\d{5,}$/.test(secret) ? 'd' : 'w';
  const before = /^\w/.test(secret) ? `(?<!\\${part})` : '';
  return before + literal(secret) + (/\w$/.test(secret) ? `(?!\\${part})` : '');
}
