/** The format of a text by its beginning: one HAR, newline-delimited JSON, or neither. */
export type RecordingFormat = 'har' | 'lines' | 'neither';

/** Longer than any name that shows the format. */
const MAX_SOUGHT = 16;

/** Members of a HAR entry and of a line of a ledger, which no HAR has beside its `log`. */
const OF_LINES: readonly string[] = ['request', 'record'];

/**
 * Finds the format of a text that comes in pieces. Members have no order (RFC 8259 section 4): a HAR may have others before its
 * `log`, and a line may have its own `log`.
 */
export class FormatTeller {
  /** The names of the current member in the two outermost objects. */
  readonly #names: string[] = [];
  #depth = 0;
  #members = 0;
  /** The beginning of the current string. */
  #text: string | undefined;
  #isEscaped = false;
  #isNameNext = false;
  /** A line ended, and the document goes on. */
  #isBroken = false;

  /** Takes the next piece. Undefined while both formats are possible. */
  tell(piece: string): RecordingFormat | undefined {
    for (const character of piece) {
      const format = this.#text === undefined ? this.#outside(character) : this.#inside(character);
      if (format) return format;
    }
    return undefined;
  }

  /** The likeliest format if no more text comes or may be kept. */
  guess(): RecordingFormat {
    return this.#names[0] === 'log' ? 'har' : 'lines';
  }

  /** Takes a character of a string. Strings contain no line feed, so a line feed means that the line was cut. */
  #inside(character: string): RecordingFormat | undefined {
    const text = this.#text ?? '';
    if (character === '\n') return 'lines';
    if (character === '"' && !this.#isEscaped) {
      this.#text = undefined;
      return this.#isNameNext ? this.#enter(text) : undefined;
    }
    this.#isEscaped = character === '\\' && !this.#isEscaped;
    if (text.length < MAX_SOUGHT) this.#text = text + character;
    return undefined;
  }

  /** Enters a member of an object. */
  #enter(name: string): RecordingFormat | undefined {
    this.#isNameNext = false;
    this.#members += 1;
    if (this.#depth <= 2) this.#names[this.#depth - 1] = name;
    if (this.#depth > 1) return undefined;
    if (name === 'log' && this.#members === 1) return 'har';
    return OF_LINES.includes(name) ? 'lines' : undefined;
  }

  /** Takes a character outside of strings. */
  #outside(character: string): RecordingFormat | undefined {
    if (/\s/.test(character)) {
      this.#isBroken ||= character === '\n' && this.#depth > 0;
      return undefined;
    }
    if (this.#depth === 0) return this.#begin(character);
    if (this.#members === 0 && character !== '"') return 'neither';
    // After a truncated line, the next line begins with an object; in a document, a member follows.
    if (this.#isBroken) return character === '{' ? 'lines' : 'har';
    return this.#structure(character);
  }

  #begin(character: string): RecordingFormat | undefined {
    if (character !== '{') return 'neither';
    this.#depth = 1;
    this.#isNameNext = true;
    return undefined;
  }

  #structure(character: string): RecordingFormat | undefined {
    switch (character) {
      case '"':
        this.#text = '';
        return undefined;
      case '{':
      case '[':
        if (character === '[' && this.#areEntries()) return 'har';
        this.#depth += 1;
        this.#isNameNext = character === '{';
        return undefined;
      case '}':
      case ']':
        this.#depth -= 1;
        this.#isNameNext = false;
        return this.#depth === 0 ? 'lines' : undefined;
      case ',':
        this.#isNameNext = true;
        if (this.#depth <= 2) this.#names.length = this.#depth - 1;
    }
    return undefined;
  }

  /** Whether the next value is `log.entries`. */
  #areEntries(): boolean {
    return this.#depth === 2 && this.#names[0] === 'log' && this.#names[1] === 'entries';
  }
}
