import { raw, html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { cut, MAX_TEXT, plain, stretches } from './visible-text.ts';

/** Markup: all that is text in it was escaped. */
export type Html = HtmlEscapedString;

/** What may stand in a template. Whatever is a string is text. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/**
 * Markup from a template. Every string that goes in is made visible, bounded and escaped on its way: nothing has to be
 * remembered where a page quotes its target, and only what came out of here is markup.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const made = template(strings, ...parts.map(harmless));
  if (made instanceof Promise) throw new TypeError('a page is made of what is there already');
  return made;
}

/** The contents of a style or script element of ours, which are not escaped. */
export function verbatim(code: string): Html {
  if (code.includes('</')) throw new TypeError('an end tag would end the element');
  return raw(code);
}

/** Text of a target for the body of a page: hidden characters are set off from what only looks like their escapes. */
export function quoted(text: string, max = MAX_TEXT): Html {
  const { kept, left } = cut(text, max);
  const parts = stretches(kept).map((each) =>
    each.isEscape ? html`<span class="escape">${each.text}</span>` : html`${each.text}`,
  );
  const more =
    left > 0 && html`<span class="left-out"> … ${left.toLocaleString('en')} more characters</span>`;
  return html`${parts}${more}`;
}

/** A statement of a requirement: what it sets between backticks are names. */
export function worded(statement: string): Html {
  const { kept, left } = cut(statement, MAX_TEXT);
  const parts = kept
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${quoted(part)}</code>` : quoted(part)));
  return left > 0 ? html`${parts} …` : html`${parts}`;
}

function harmless(part: Part): unknown {
  if (Array.isArray(part)) return part.map(harmless);
  // Markup is a String object, not a primitive string.
  return typeof part === 'string' ? plain(part) : part;
}
