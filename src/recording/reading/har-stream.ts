import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { ValueBuilder } from './value-builder.ts';

/** Open containers: the parser keeps each of them, so a small file could take any amount of memory. */
const MAX_OPEN = 10_000;

/** The text of a recording is not JSON. */
export class NotJson extends Error {
  override name = 'NotJson';
}

/** The text of a recording is nested more deeply than petspec reads. */
export class TooDeep extends Error {
  override name = 'TooDeep';
}

type Tokens = (text: string) => { values?: Token[] } | Token | symbol;

/** Reads the entries of a HAR from its text, piece by piece. */
export interface HarReader {
  /**
   * The entries that this piece completes; TOO_LONG replaces an entry that is too long.
   * @throws NotJson if the text is not JSON
   * @throws TooDeep if it is nested more deeply than petspec reads
   */
  read(text: string): unknown[];
  /** Whether the text so far is a whole document. */
  isWhole(): boolean;
  /** Whether it has a list of entries, however empty. */
  hasEntries(): boolean;
}

/** Keeps only the current entry in memory, whatever else the file holds. */
export function harReader(): HarReader {
  // Packed values would keep names, texts and numbers of any length.
  const tokens = jsonParser({ packValues: false }) as unknown as Tokens;
  const surroundings = new EntrySurroundings();
  const entry = new ValueBuilder();
  let open = 0;
  return {
    read(text) {
      const done: unknown[] = [];
      for (const token of tokensOf(tokens, text)) {
        open += STEPS[token.name] ?? 0;
        if (open > MAX_OPEN) throw new TooDeep();
        if (!entry.isBuilding() && !surroundings.enterEntry(token)) continue;
        const built = entry.add(token);
        if (built) done.push(built.value);
      }
      return done;
    },
    isWhole: () => surroundings.areClosed() && !entry.isBuilding(),
    hasEntries: () => surroundings.hasEntries,
  };
}

/** The change of the number of open containers by a token. */
const STEPS: Readonly<Record<string, number>> = {
  startObject: 1,
  startArray: 1,
  endObject: -1,
  endArray: -1,
};

function tokensOf(tokens: Tokens, text: string): readonly Token[] {
  try {
    const parsed = tokens(text);
    return typeof parsed === 'object' ? listOf(parsed) : [];
  } catch (error) {
    throw new NotJson(error instanceof Error ? error.message : String(error));
  }
}

function listOf(parsed: { values?: Token[] } | Token): readonly Token[] {
  return 'values' in parsed && parsed.values ? parsed.values : [parsed as Token];
}

/** Longer than any name on the way to the entries. */
const MAX_SOUGHT = 16;

/** Follows the tokens outside of the entries. */
class EntrySurroundings {
  /** The names and numbers of the open containers. */
  readonly #path: (string | number)[] = [];
  #key = '';
  #isInKey = false;
  #hasBegun = false;
  hasEntries = false;

  /** Whether the document has begun and ended. */
  areClosed(): boolean {
    return this.#hasBegun && this.#path.length === 0;
  }

  /** Takes a token outside of entries. Returns whether an entry begins with it. */
  enterEntry(token: Token): boolean {
    switch (token.name) {
      case 'startKey':
        this.#key = '';
        this.#isInKey = true;
        return false;
      case 'stringChunk':
        if (this.#isInKey && this.#key.length < MAX_SOUGHT) this.#key += token.value;
        return false;
      case 'endKey':
        this.#isInKey = false;
        return false;
      case 'startObject':
      case 'startArray':
        this.#hasBegun = true;
        this.#step();
        if (token.name === 'startObject' && this.#isInEntries(3)) return true;
        this.hasEntries ||= token.name === 'startArray' && this.#isInEntries(2);
        this.#path.push(token.name === 'startArray' ? -1 : '');
        return false;
      case 'endObject':
      case 'endArray':
        this.#path.pop();
        return false;
      case 'startString':
      case 'startNumber':
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        this.#step();
    }
    return false;
  }

  /** Moves to the next value of the innermost container. */
  #step(): void {
    const last = this.#path.length - 1;
    const place = this.#path[last];
    if (typeof place === 'number') this.#path[last] = place + 1;
    else if (last >= 0) this.#path[last] = this.#key;
  }

  /** @param depth 2 for the list of the entries, 3 for one of them */
  #isInEntries(depth: 2 | 3): boolean {
    return this.#path.length === depth && this.#path[0] === 'log' && this.#path[1] === 'entries';
  }
}
