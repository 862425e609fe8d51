import { raw, html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { count } from './quantities.ts';

/** Markup in which all text is escaped. */
export type Html = HtmlEscapedString;

/** A value in a template. A string is text, never markup. */
export type TemplateValue = Html | string | number | false | undefined | readonly TemplateValue[];

/**
 * Makes markup from a template. Every string is bounded and escaped, and its hidden characters are shown, so a page can
 * quote its target without further care.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly TemplateValue[]): Html {
  const markup = template(strings, ...parts.map(harmless));
  if (markup instanceof Promise) throw new TypeError('a template has no promises');
  return markup;
}

/** The content of a style or script element of petspec, which is not escaped. */
export function verbatim(code: string): Html {
  if (code.includes('</')) throw new TypeError('the content contains an end tag');
  return raw(code);
}

/** Text of a target for the body of a page. The escape of a hidden character looks different from the same characters as text. */
export function quoted(text: string, max = MAX_TEXT): Html {
  // The fast path, for nearly all of the thousands of texts on a page.
  if (text.length <= max && !hasHidden(text)) return html`${text}`;
  const { kept, left } = cut(text, max);
  const parts = stretches(kept).map((part) =>
    part.isEscape ? html`<span class="escape">${part.text}</span>` : html`${part.text}`,
  );
  const more = left > 0 && html`<span class="left-out"> … ${count(left, 'more character')}</span>`;
  return html`${parts}${more}`;
}

/** Text in which names of options are not broken into two lines. */
export function withOptions(text: string, max = MAX_TEXT): Html {
  const parts = cut(text, max).kept.split(/(--[a-z][a-z-]+)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span class="option">${part}</span>` : quoted(part)))}`;
}

/** A path, which may be broken after each folder. */
export function pathed(path: string, max = MAX_TEXT): Html {
  const parts = cut(path, max).kept.split(/(?<=[/\\])/);
  return html`${parts.map((part, index) => html`${index > 0 && html`<wbr>`}${quoted(part)}`)}`;
}

/** A sentence of petspec. Text between backticks becomes code. */
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

/** The default length at which quoted text is cut, in characters. */
export const MAX_TEXT = 2_000;

/**
 * Characters that are invisible or change how other text looks: controls, format characters (some change the text
 * direction), unpaired surrogates, separators, and unusual spaces.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A part of a text: unchanged, or the escape of a hidden character. */
export interface TextPart {
  text: string;
  isEscape: boolean;
}

/** Whether a text has characters that are shown as escapes. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** Splits a text into parts without hidden characters, and escapes of hidden characters. */
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

/** Text as a bounded line without hidden characters. After escaping, it is safe anywhere in a page. */
export function plain(text: string, max = MAX_TEXT): string {
  const { kept, left } = cut(text, max);
  return `${kept.replace(HIDDEN, escapeOf)}${left === 0 ? '' : ` … (${count(left, 'more character')})`}`;
}

/** The first `max` characters, and how many are left. Never splits a pair of surrogates. */
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
