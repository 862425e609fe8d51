import { raw, html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { count } from './quantities.ts';
import { cut, hasHidden, MAX_TEXT, plain, stretches } from './visible-text.ts';

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
