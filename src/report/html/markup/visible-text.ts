/** Quotations are cut at this many characters where nothing else is said. */
export const MAX_TEXT = 2_000;

/**
 * What does not show, or changes how the rest shows: controls, format characters (among them those that turn the
 * direction), halves of characters, separators, and every space that only looks like one.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A stretch of text: as it came, or the escape that stands for one hidden character. */
export interface Stretch {
  text: string;
  isEscape: boolean;
}

/** Text taken apart into what can be shown as it is and what has to be shown as an escape. */
export function stretches(text: string): Stretch[] {
  const parts: Stretch[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > end) parts.push({ text: text.slice(end, index), isEscape: false });
    parts.push({ text: escapeOf(character), isEscape: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isEscape: false });
  return parts;
}

/** Text as one line without a hidden character, bounded: what may stand anywhere in a page, also in an attribute. */
export function plain(text: string, max = MAX_TEXT): string {
  const { kept, left } = cut(text, max);
  return `${kept.replace(HIDDEN, escapeOf)}${left === 0 ? '' : ` … (${left.toLocaleString('en')} more characters)`}`;
}

/** The first `max` characters, and how many are left; no pair of surrogates is torn apart. */
export function cut(text: string, max: number): { kept: string; left: number } {
  if (text.length <= max) return { kept: text, left: 0 };
  const isTorn = /[\ud800-\udbff]/.test(text.charAt(max - 1)) && /[\udc00-\udfff]/.test(text.charAt(max));
  const kept = text.slice(0, isTorn ? max - 1 : max);
  return { kept, left: text.length - kept.length };
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return SHORT[character] ?? (code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`);
}
