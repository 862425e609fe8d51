import { rawByte } from '../../src/model/json/raw-bytes.ts';

/** Variables of a shell. */
export type Variables = Record<string, string>;

/** One request as a printed command makes it. */
export interface Printed {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: string;
  /** Whether curl fails where the status is no success. */
  fails: boolean;
}

/** Options of curl that are printed without a value, and those with one that says nothing about the request. */
const FLAGS =
  /^(?:-i|-sS|-sSf|-sSi|--head|--insecure|--globoff|--compressed|--raw|--ignore-content-length|--parallel|--parallel-immediate)$/;
const VALUED = /^(?:-w|--max-time)$/;

/**
 * The curl commands of a line, each `--next` a request of its own. Reads what petspec prints, and nothing else.
 * @throws Error where a line holds something that is never printed
 */
export function commandsIn(line: string, variables: Variables): Printed[] {
  const found: Printed[] = [];
  for (let place = line.indexOf('curl '); place >= 0; ) {
    const { words, end } = wordsFrom(line, place + 'curl '.length, variables);
    found.push(...requestsOf(words));
    place = line.indexOf('curl ', end);
  }
  return found;
}

function requestsOf(words: readonly string[]): Printed[] {
  const next = words.indexOf('--next');
  if (next >= 0) return [...requestsOf(words.slice(0, next)), ...requestsOf(words.slice(next + 1))];
  const request: Printed = { method: 'GET', url: '', headers: [], fails: words.includes('-sSf') };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (FLAGS.test(word)) {
      if (word === '--head') request.method = 'HEAD';
    } else if (VALUED.test(word)) rest.shift();
    else if (word === '-X') request.method = rest.shift() ?? '';
    else if (word === '--data-raw') request.body = rest.shift() ?? '';
    else if (word === '-H') {
      const [, name = '', mark, value = ''] = /^([^:;]+)([:;]) ?(.*)$/s.exec(rest.shift() ?? '') ?? [];
      // Without a value, curl sends a header only after a semicolon.
      if (value !== '' || mark === ';') request.headers.push([name, value]);
    } else if (request.url === '' && /^https?:/.test(word)) request.url = word;
    else throw new Error(`a word that is never printed: ${word}`);
  }
  if (request.url === '') throw new Error('a command without a URL');
  return [request];
}

/** Words up to what ends a command outside quotes. */
function wordsFrom(line: string, start: number, variables: Variables): { words: string[]; end: number } {
  const words: string[] = [];
  let word: string | undefined;
  let place = start;
  while (place < line.length) {
    const rest = line.slice(place);
    const bytes = /^\$'((?:[^'\\]|\\x[\da-f]{2})*)'/.exec(rest);
    const quote = /^'([^']*)'|^\\(')|^([^\s'"|&;()\\$<>]+)/.exec(rest);
    if (bytes) {
      word = (word ?? '') + unescaped(bytes[1] ?? '');
      place += bytes[0].length;
    } else if (quote) {
      word = (word ?? '') + (quote[1] ?? quote[2] ?? quote[3] ?? '');
      place += quote[0].length;
    } else if (rest.startsWith('"')) {
      const { text, length } = doubleQuoted(rest, variables);
      word = (word ?? '') + text;
      place += length;
    } else if (/^ /.test(rest)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      place += 1;
    } else break;
  }
  if (word !== undefined) words.push(word);
  // What redirects the errors of a command is no word of it.
  return { words: words.at(-1) === '2' ? words.slice(0, -1) : words, end: place };
}

/** A text some bytes of which are written in hexadecimal. */
function unescaped(text: string): string {
  const parts = text.split(/((?:\\x[\da-f]{2})+)/);
  return parts
    .map((part, index) => (index % 2 === 1 ? textOf(Buffer.from(part.replaceAll('\\x', ''), 'hex')) : part))
    .join('');
}

/** A text that is sent as these bytes, whether or not they are UTF-8. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes)
    ? text
    : Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : rawByte(byte))).join('');
}

const EXPANSIONS: readonly [RegExp, (value: string) => string][] = [
  [/^\$\(printf %s "\$(\w+)" \| tr A-Za-z a-zA-Z\)/, otherCase],
  [/^\$\(\((RANDOM) % 9000 \+ 1000\)\)/, (value) => String((Number(value) % 9_000) + 1_000)],
  [/^\$\{(\w+)%\?\}/, (value) => value.slice(0, -1)],
  [/^\$\{(\w+)\}/, (value) => value],
  [/^\$(\w+)/, (value) => value],
];

function doubleQuoted(text: string, variables: Variables): { text: string; length: number } {
  let out = '';
  let place = 1;
  while (text[place] !== '"') {
    const rest = text.slice(place);
    if (rest === '') throw new Error('a quote that is never closed');
    const expansion = EXPANSIONS.flatMap(([pattern, change]) => {
      const match = pattern.exec(rest);
      return match ? [{ length: match[0].length, name: match[1] ?? '', change }] : [];
    })[0];
    if (expansion) {
      const value = expansion.name === 'RANDOM' ? random() : variables[expansion.name];
      if (value === undefined) throw new Error(`$${expansion.name} has no value`);
      out += expansion.change(value);
      place += expansion.length;
    } else {
      if (/^[`\\$]/.test(rest)) throw new Error(`never printed inside double quotes: ${rest.slice(0, 20)}`);
      out += rest[0];
      place += 1;
    }
  }
  return { text: out, length: place + 1 };
}

/** As bash has it: a number below 2^15. */
export function random(): string {
  return String(Math.floor(Math.random() * 32_768));
}

function otherCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
