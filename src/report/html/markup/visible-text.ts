import { count } from './quantities.ts';

/** The default length, in characters, at which quoted text is cut. */
export const MAX_TEXT = 2_000;

/**
 * Characters that are invisible or change how other text looks: controls, format characters (some of them change the
 * text direction), unpaired surrogates, separators, and unusual spaces.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A part of a text: as it came, or the escape of one hidden character. */
export interface TextPart {
  text: string;
  isEscape: boolean;
}

/** Whether a text has characters that are shown as escapes. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** Splits a text into parts that can be shown as they are, and escapes of hidden characters. */
export function stretches(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > end) parts.push({ text: text.slice(end, index), isEscape: false });
    parts.push({ text: escapeOf(character), isEscape: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isEscape: false });
  return parts;
}

/** Text as one bounded line without hidden characters: safe anywhere in a page, also in an attribute. */
export function plain(text: string, max = MAX_TEXT): string {
  const { kept, left } = cut(text, max);
  return `${kept.replace(HIDDEN, escapeOf)}${left === 0 ? '' : ` … (${count(left, 'more character')})`}`;
}

/** The first `max` characters, and how many are left. It never splits a pair of surrogates. */
export function cut(text: string, max: number): { kept: string; left: number } {
  if (text.length <= max) return { kept: text, left: 0 };
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(max - 1)) && /[\udc00-\udfff]/.test(text.charAt(max));
  const kept = text.slice(0, splitsPair ? max - 1 : max);
  return { kept, left: text.length - kept.length };
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return SHORT[character] ?? (code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`);
}
