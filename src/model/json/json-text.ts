/** Prefix of a string that replaces a number. */
const MARK = 'number of petspec: ';

/** An integer with so few digits that a double holds it. */
const PLAIN = /^-?\d{1,15}$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const [QUOTE, BACKSLASH, COLON, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x3a, 0x2d, 0x30, 0x39];

/** A JSON text in which strings replace the numbers that JSON.parse might round. */
interface MarkedText {
  text: string;
  /** How many numbers were replaced. */
  count: number;
}

/** Replaces the numbers that JSON.parse might round by strings. A text that is not JSON does not become JSON. */
export function withMarkedNumbers(text: string): MarkedText {
  const run = /-?\d[\d.eE+-]*/y;
  let marked = '';
  let done = 0;
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    if (code !== MINUS && !(code >= ZERO && code <= NINE)) continue;
    run.lastIndex = index;
    const [digits = ''] = run.exec(text) ?? [];
    const end = index + Math.max(digits.length, 1);
    if (!PLAIN.test(digits) && NUMBER.test(digits) && !isName(text, end)) {
      marked += `${text.slice(done, index)}"${MARK}${digits}"`;
      done = end;
      count += 1;
    }
    index = end - 1;
  }
  return { text: marked + text.slice(done), count };
}

/** Whether a colon follows: a property name that is a number must not become valid JSON. */
export function isName(text: string, end: number): boolean {
  let index = end;
  while (/[ \t\r\n]/.test(text.charAt(index))) index += 1;
  return text.charCodeAt(index) === COLON;
}

/**
 * Puts the numbers back into the value of a marked text. Undefined if the text has other strings with the same prefix.
 * @param count how many numbers were replaced
 */
export function withNumbers(value: unknown, count: number, read: (digits: string) => unknown): unknown {
  let marks = 0;
  const restored = (part: unknown): unknown => {
    if (typeof part === 'string') {
      if (!part.startsWith(MARK)) return part;
      marks += 1;
      return read(part.slice(MARK.length));
    }
    if (typeof part === 'object' && part !== null) {
      const members = part as Record<string, unknown>;
      for (const name of Object.keys(members)) members[name] = restored(members[name]);
    }
    return part;
  };
  const result = restored(value);
  return marks === count ? result : undefined;
}

/** The index of the quote that ends a string, or of the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** How many values a JSON text has, at most. The content of strings does not count. */
export function countValues(text: string): number {
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === ',' || character === '[' || character === '{') values += 1;
  }
  return values;
}
