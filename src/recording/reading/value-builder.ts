import type { Token } from 'stream-json/core/parser.js';
import { VALUE_SIZE } from '../recorded.ts';

/** Longer texts are cut: a single body may be larger than any string that Node can hold. */
export const MAX_TEXT = 8 * 1024 * 1024;

/** Larger entries are not kept, in characters. */
const MAX_ENTRY = 16 * 1024 * 1024;

/** Stands for an entry that was too long to be kept. */
export const TOO_LONG = Symbol('too long');

/** Ends a text that was cut. */
export const CUT = '\u{fffe}cut by petspec';

/** Values that are nested deeper are not kept: nothing in a HAR is as deep. */
const MAX_DEPTH = 32;

type Container = Record<string, unknown> | unknown[];

/** Builds one value from its tokens, within the bounds above. */
export class ValueBuilder {
  readonly #stack: { container: Container; key: string }[] = [];
  #text: string[] = [];
  #length = 0;
  /** Names and numbers are never cut: they would be others. */
  #mayBeCut = false;
  /** The size of the value so far, in characters. */
  #size = 0;

  isBuilding(): boolean {
    return this.#stack.length > 0;
  }

  /** Takes the next token. Returns the value that the token completes. */
  add(token: Token): { value: unknown } | undefined {
    switch (token.name) {
      case 'startObject':
        this.#open({});
        return undefined;
      case 'startArray':
        this.#open([]);
        return undefined;
      case 'endObject':
      case 'endArray': {
        const closed = this.#stack.pop();
        if (this.#stack.length > 0) return undefined;
        const value = this.#isTooLong() ? TOO_LONG : closed?.container;
        this.#size = 0;
        return { value };
      }
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        this.#put(token.value);
        return undefined;
    }
    this.#addText(token);
    return undefined;
  }

  #isTooLong(): boolean {
    return this.#size > MAX_ENTRY;
  }

  #addText(token: Token): void {
    switch (token.name) {
      case 'startString':
      case 'startKey':
      case 'startNumber':
        this.#text = [];
        this.#length = 0;
        this.#mayBeCut = token.name === 'startString';
        return;
      case 'stringChunk':
      case 'numberChunk':
        this.#addChunk(token.value);
        return;
      case 'endString':
        this.#put(this.#text.join('') + (this.#length > MAX_TEXT ? CUT : ''));
        return;
      case 'endNumber':
        this.#put(Number(this.#text.join('')));
        return;
      case 'endKey': {
        const top = this.#stack.at(-1);
        if (top) top.key = this.#text.join('');
      }
    }
  }

  #addChunk(chunk: string): void {
    this.#length += chunk.length;
    if (this.#isTooLong() || (this.#mayBeCut && this.#length > MAX_TEXT)) return;
    this.#size += chunk.length;
    this.#text.push(chunk);
  }

  #open(container: Container): void {
    this.#put(container);
    this.#stack.push({ container, key: '' });
  }

  #put(value: unknown): void {
    const top = this.#stack.at(-1);
    if (!top || this.#stack.length > MAX_DEPTH || this.#isTooLong()) return;
    this.#size += VALUE_SIZE;
    if (Array.isArray(top.container)) top.container.push(value);
    else Object.defineProperty(top.container, top.key, { value, enumerable: true, configurable: true });
  }
}
