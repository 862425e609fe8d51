import { byteDecoder, fromQuotedPrintable, literal, runsOf, unescaped } from './decode.ts';
import { isPossible, isShort } from './hideable.ts';

/** How many layers of different escapes are undone. */
const MAX_LAYERS = 8;

/** How many times over a secret may be encoded as base64, hexadecimal or a list of numbers. */
const MAX_ENCODED = 2;

/**
 * Shortens long runs of blanks, which hide nothing: each decoder would copy megabytes of them. Up to 64 blanks of a run stay,
 * because a pattern for whole runs takes 20 bytes of memory per blank.
 */
const LONG_BLANK = /\s{64}(?=\s)/g;

/** This many characters at either end reveal a longer secret: Node prints fifty bytes of a Buffer, and `Bearer ` takes seven. */
const END = 43;

const MAX_COMPARED = 30;

/** Fewer bytes occur by chance: such a secret is only found alone or after its scheme, and below MIN_ALONE not at all. */
const MIN_INSIDE = 5;
const MIN_ALONE = 3;

/** The ends of a secret that may be taken for a part of an escape: `%` before `41zQ` turns its beginning into an `A`. */
const MAY_END_ESCAPE = /^[nrux]?[\da-f]{0,20}/;
const MAY_BEGIN_ESCAPE = /(?:\\[ux]?[\da-f]{0,3}|[%=][\da-f]?|&#?x?\d{0,3}|&[a-z]{0,4})$/;

/** Detects these secrets in a text, in any case and in any encoding that {@link file://./decode.ts} undoes. */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const inText = textDetector(forms);
  const inBytes = byteDetector(forms);
  const fewest = Math.max(MIN_ALONE, Math.min(END, ...forms.map(({ length }) => length)));
  const decode = byteDecoder(fewest);
  // Most of what looks like encoded bytes is not, and decodes to no run of readable characters.
  const isAscii = forms.every((form) => /^[ -~]*$/.test(form));
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
      const lines = decode(layer).flatMap((line) => line.match(readable) ?? []);
      if (lines.length > 0 && isIn(lines.join('\n'), times - 1)) return true;
    }
    if (isQuotedPrintable) return false;
    // Quoted-printable may break a line inside an escape, or be in a string with escapes.
    return [...new Set([text, layer])].some((source) => {
      const plain = fromQuotedPrintable(source);
      return plain !== source && isIn(plain, times, true);
    });
  }
  return (text) => text.length >= fewest && isIn(text.replace(LONG_BLANK, ''), MAX_ENCODED);
}

/** The forms that a secret may have in a decoded text: non-ASCII characters as they are, as bytes, or lost. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret).toString('latin1');
  const lossy = [secret.replace(/[^\0-\x7f]/gu, '\ufffd'), bytes.replace(/[^\0-\x7f]/g, '\ufffd')];
  const variants = [secret, bytes, ...lossy.filter(hasLetters)];
  return variants.flatMap((form) => [normalized(form), normalized(fullyUnescaped(form))]).filter(isPossible);
}

const hasLetters = (text: string) => /[a-z\d].*[a-z\d].*[a-z\d]/is.test(text);

function fullyUnescaped(text: string): string {
  let layer = text;
  for (let count = 0; count < MAX_LAYERS; count += 1) layer = unescaped(layer);
  return layer;
}

/**
 * In lower case, without the zeros of UTF-16, and without backslashes, which may belong to the secret or to an escape. A plus is
 * a space, as in forms and queries.
 */
function normalized(text: string): string {
  const lower = text.toLowerCase().replaceAll('+', ' ');
  // Checked first, because nearly no text has any.
  return lower.includes('\\') || lower.includes('\0') ? lower.replace(/[\\\0]+/g, '') : lower;
}

/** Finds secrets in a normalized text, short ones only as whole words. */
function textDetector(forms: readonly string[]): (text: string, isUnescaped: boolean) => boolean {
  const long = forms.filter((form) => !isShort(form));
  const whole = leastOf(long.flatMap(endsOf));
  const short = forms.filter(isShort);
  const words = short.length === 0 ? undefined : new RegExp(short.map(asWord).join('|'));
  const cut = leastOf(
    long.flatMap((form) => {
      const rest = form.replace(MAY_END_ESCAPE, '').replace(MAY_BEGIN_ESCAPE, '');
      return isShort(rest) ? [] : endsOf(rest);
    }),
  );
  return (text, isUnescaped) =>
    whole.some((part) => text.includes(part)) ||
    (words?.test(text) ?? false) ||
    (isUnescaped && cut.some((part) => text.includes(part)));
}

/** Finds short secrets in the lines that {@link byteDecoder} gives. */
function byteDetector(forms: readonly string[]): (text: string) => boolean {
  const inside = forms.filter((form) => isShort(form) && form.length >= MIN_INSIDE);
  const alone = forms.filter(({ length }) => length >= MIN_ALONE && length < MIN_INSIDE).map(literal);
  const lines = alone.length === 0 ? undefined : new RegExp(`^(?:bearer )?(?:${alone.join('|')})$`, 'm');
  return (text) => inside.some((form) => text.includes(form)) || (lines?.test(text) ?? false);
}

function endsOf(secret: string): string[] {
  return secret.length <= END ? [secret] : [secret.slice(0, END), secret.slice(-END)];
}

/** Drops texts that contain another of them. Of many texts all stay: comparing them takes longer than it saves. */
function leastOf(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)];
  if (unique.length > MAX_COMPARED) return unique;
  return unique.filter((text) => !unique.some((part) => part !== text && text.includes(part)));
}

/** A pattern that matches a short secret as a whole word, and a number of five digits or more as a whole number. */
export function asWord(secret: string): string {
  const part = /^\d{5,}$/.test(secret) ? 'd' : 'w';
  const before = /^\w/.test(secret) ? `(?<!\\${part})` : '';
  return before + literal(secret) + (/\w$/.test(secret) ? `(?!\\${part})` : '');
}
