/** What the beginning of a text shows: one HAR, newline-delimited JSON, or neither. */
export type RecordingFormat = 'har' | 'lines' | 'neither';

/** No name that tells the format is as long. */
const MAX_SOUGHT = 16;

/** Members of a HAR entry and of a line of a ledger, which no HAR has beside its `log`. */
const OF_LINES: readonly string[] = ['request', 'record'];

/**
 * Tells the format of a text that comes in pieces. Members have no order (RFC 8259 section 4): a HAR may have others before its
 * `log`, and a line may have a `log` of its own.
 */
export class FormatTeller {
  /** The names that lead to what follows, of the outermost two objects. */
  readonly #names: string[] = [];
  #depth = 0;
  #members = 0;
  /** What was read so far of a string. */
  #text: string | undefined;
  #isEscaped = false;
  #isNameNext = false;
  /** A line ended, and the document goes on. */
  #isBroken = false;

  /** Takes the next piece. Undefined: it may still be either. */
  tell(piece: string): RecordingFormat | undefined {
    for (const character of piece) {
      const format = this.#text === undefined ? this.#outside(character) : this.#inside(character);
      if (format) return format;
    }
    return undefined;
  }

  /** What it most likely is, if nothing more comes or may be kept. */
  guess(): RecordingFormat {
    return this.#names[0] === 'log' ? 'har' : 'lines';
  }

  /** Takes a character of a string. A line feed is never in one: the line was cut. */
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

  /** Enters the member of an object. */
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
    // After a line that was cut, the next one begins with an object; in a document, a member follows.
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

  /** Whether what follows is the value of `log.entries`. */
  #areEntries(): boolean {
    return this.#depth === 2 && this.#names[0] === 'log' && this.#names[1] === 'entries';
  }
}
