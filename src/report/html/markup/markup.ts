import { raw, html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { count } from './quantities.ts';

/** Markup in which all text is escaped. */
export type Html = HtmlEscapedString;

/** A value in a template. A string is text, never markup. */
export type TemplateValue = Html | string | number | false | undefined | readonly TemplateValue[];

/**
 * Makes markup from a template. Every string in it is made visible, bounded and escaped, so a page can quote its target
 * without further care.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly TemplateValue[]): Html {
  const made = template(strings, ...parts.map(harmless));
  if (made instanceof Promise) throw new TypeError('a template has no promises');
  return made;
}

/** Our own content of a style or script element, which is not escaped. */
export function verbatim(code: string): Html {
  if (code.includes('</')) throw new TypeError('the content contains an end tag');
  return raw(code);
}

/** Text of a target for the body of a page. Escapes of hidden characters look different from the same text. */
export function quoted(text: string, max = MAX_TEXT): Html {
  // This holds for nearly all of the thousands of texts of a page.
  if (text.length <= max && !hasHidden(text)) return html`${text}`;
  const { kept, left } = cut(text, max);
  const parts = stretches(kept).map((each) =>
    each.isEscape ? html`<span class="escape">${each.text}</span>` : html`${each.text}`,
  );
  const more = left > 0 && html`<span class="left-out"> … ${count(left, 'more character')}</span>`;
  return html`${parts}${more}`;
}

/** Text in which the name of an option is not broken between two lines. */
export function withOptions(text: string, max = MAX_TEXT): Html {
  const parts = cut(text, max).kept.split(/(--[a-z][a-z-]+)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span class="option">${part}</span>` : quoted(part)))}`;
}

/** A path, which may be broken after each of its folders. */
export function pathed(path: string, max = MAX_TEXT): Html {
  const parts = cut(path, max).kept.split(/(?<=[/\\])/);
  return html`${parts.map((part, index) => html`${index > 0 && html`<wbr>`}${quoted(part)}`)}`;
}

/** A sentence of ours. Text between backticks becomes code. */
export function worded(statement: string): Html {
  const { kept, left } = cut(statement, MAX_TEXT);
  const parts = kept
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${quoted(part)}</code>` : quoted(part)));
  return left > 0 ? html`${parts} …` : html`${parts}`;
}

function harmless(part: TemplateValue): unknown {
  if (Array.isArray(part)) return part.map(harmless);
  // Markup is a String object, so only text is a primitive string.
  return typeof part === 'string' ? plain(part) : part;
}

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
