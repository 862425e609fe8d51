/** Escapes that mean something else without the flag `u`. */
const UNICODE = /\\[pP]\{|\\u\{/;

/**
 * A text as a regular expression of JavaScript; undefined if JavaScript cannot read it, or it was written for another language.
 * Many authors escape more than the flag `u` allows, as in `^cus\\-\\d+$`.
 */
export function regularExpression(pattern: string): RegExp | undefined {
  if (foreignIn(pattern)) return undefined;
  const flags = UNICODE.test(pattern) ? ['u'] : ['u', ''];
  for (const flag of flags) {
    try {
      return new RegExp(pattern, flag);
    } catch {
      // It may be valid without the flag.
    }
  }
  return undefined;
}

/** Why a pattern is not judged, in words; undefined if it is judged. */
export function patternMistake(pattern: string): string | undefined {
  if (regularExpression(pattern)) return undefined;
  const shown = pattern.slice(0, 60);
  const foreign = foreignIn(pattern);
  if (!foreign) return `the pattern ${shown} is no regular expression of JavaScript, so it is not judged`;
  const { part, here, elsewhere, instead } = foreign;
  return `the pattern ${shown} is not judged: in JavaScript, which JSON Schema uses, ${part} ${here}; elsewhere it ${elsewhere}; ${instead}`;
}

/** More mistakes than anybody fixes at once: finding the lines of all of them may take long. */
const MAX_PLACES = 100;

/** Finds the file and line of a pattern in the text of a file; empty if it is not found. */
export function linesOf(name: string, text: string): (pattern: string) => string {
  const places = new Map<string, string>();
  return (pattern) => {
    const place = places.get(pattern) ?? (places.size < MAX_PLACES ? placeIn(name, text, pattern) : '');
    places.set(pattern, place);
    return place;
  };
}

/** The keyword `pattern` before a value, or the keyword `patternProperties` some lines before a name. */
const BEFORE = /pattern["']?\s*:\s*["']?$|patternProperties["']?\s*:.*$/s;
const MAX_BEFORE = 1_000;

function placeIn(name: string, text: string, pattern: string): string {
  for (const written of new Set([
    pattern,
    JSON.stringify(pattern).slice(1, -1),
    pattern.replaceAll("'", "''"),
  ]))
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1))
      if (BEFORE.test(text.slice(Math.max(0, at - MAX_BEFORE), at)))
        return `${name}:${text.slice(0, at).split('\n').length}: `;
  return '';
}

/** A part of a pattern that other languages have and JavaScript does not. */
interface ForeignPart {
  part: string;
  /** Its meaning in JavaScript, and elsewhere. */
  here: string;
  elsewhere: string;
  instead: string;
}

type EscapeMeaning = readonly [elsewhere: string, instead: string];

/** Escapes that JavaScript reads as the letter, outside of character classes. */
const OUTSIDE: Readonly<Record<string, EscapeMeaning>> = {
  A: ['is the beginning of the text', 'write ^'],
  Z: ['is the end of the text', 'write $'],
  z: ['is the end of the text', 'write $'],
  G: ['is the end of the match before', 'leave it out'],
  Q: ['begins a text without special characters', 'write a backslash before each of them'],
  R: ['is a line end', 'write (?:\\r\\n|[\\n\\r])'],
  X: ['is a character with its marks', 'write .'],
  K: ['leaves out what was matched before', 'write (?<=...)'],
};

/** The same, also in character classes. */
const ANYWHERE: Readonly<Record<string, EscapeMeaning>> = {
  h: ['is a blank or a tab', 'write [ \\t]'],
  H: ['is anything but a blank or a tab', 'write [^ \\t]'],
  N: ['is anything but a line end', 'write .'],
  a: ['is the bell', 'write \\x07'],
  e: ['is the escape character', 'write \\x1b'],
  i: ['is a character that may begin a name in XML', 'write [A-Za-z_:]'],
  p: ['is a property of characters', 'write its name in braces, such as \\p{L}'],
  P: ['is a property of characters', 'write its name in braces, such as \\P{L}'],
  x: ['is the character with that number', 'write \\u{...}'],
};

/** JavaScript has some of these escapes if the right characters follow. */
const KNOWN = /^\\(?:[pP]\{|x[\da-fA-F]{2})/;

const IGNORES_CASE: EscapeMeaning = ['ignores the case of letters', 'write both cases, such as [aA]'];

/** Syntax errors in JavaScript, which does not say what is wrong. */
const SYNTAX: readonly (readonly [form: RegExp, meaning: EscapeMeaning])[] = [
  [/^\(\?[a-z]*i[a-z]*[:)]/, IGNORES_CASE],
  [/^\(\?[a-zA-Z-]+\)/, ['sets flags', 'write the pattern without them']],
  [/^\(\?P<\w+>/, ['names a group', 'write (?<name>...)']],
  [/^\(\?P=\w+\)/, ['repeats a group', 'write \\k<name>']],
  [/^\(\?>/, ['matches a group once', 'write (?:...)']],
  [/^\(\?#[^)]*\)/, ['is a comment', 'leave it out']],
  [/^(?:[*+?]|\{\d+(?:,\d*)?\})\+/, ['repeats without going back', 'leave the last + out']],
];

/** A pattern between delimiters: nothing can match before the beginning of a text, or after its end. */
const DELIMITED = /^(?:([/#~])\^.*\1|([/#~]).*(?<!\\)\$\2)[a-zA-Z]*$/s;

const POSIX =
  /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/;
/** Before a class inside another one. */
const OPERATOR = /^(?:&&|-)(?=\[(?:[^\]\\]|\\.)+\]\])/;
const CHARACTERS = 'is each of these characters';

/** Longer than any part except names and comments. */
const LONGEST_PART = 100;

/** The first part of a pattern that only other languages have; undefined without one. */
function foreignIn(pattern: string): ForeignPart | undefined {
  const delimiter = DELIMITED.exec(pattern)?.slice(1).join('');
  if (delimiter)
    return {
      part: delimiter,
      here: 'is that character',
      elsewhere: 'is the delimiter of a pattern',
      instead: 'leave out the delimiters and what follows them',
    };
  const isMistake = !isUnicodePattern(pattern);
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const foreign = foreignAt(pattern.slice(at, at + LONGEST_PART), isInClass, isMistake);
    if (foreign) return foreign;
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') isInClass = true;
    else if (pattern[at] === ']') isInClass = false;
  }
  return undefined;
}

/** @param isMistake whether the whole pattern is invalid in JavaScript with the flag `u` */
function foreignAt(rest: string, isInClass: boolean, isMistake: boolean): ForeignPart | undefined {
  const [posix] = POSIX.exec(rest) ?? [];
  if (posix !== undefined)
    return {
      part: posix,
      here: CHARACTERS,
      elsewhere: 'is a class of characters',
      instead: 'write the characters, such as a-z',
    };
  if (!isMistake) return undefined;
  if (rest.startsWith('\\')) return escapeAt(rest, isInClass);
  const [operator] = (isInClass && OPERATOR.exec(rest)) || [];
  if (operator !== undefined)
    return {
      part: `${operator}[`,
      here: CHARACTERS,
      elsewhere: 'leaves characters out of a class',
      instead: 'write the characters that are left',
    };
  for (const [form, [elsewhere, instead]] of isInClass ? [] : SYNTAX) {
    const [part] = form.exec(rest) ?? [];
    if (part !== undefined) return { part, here: 'is a mistake', elsewhere, instead };
  }
  return undefined;
}

function escapeAt(rest: string, isInClass: boolean): ForeignPart | undefined {
  const letter = rest[1] ?? '';
  const escapes = isInClass ? ANYWHERE : { ...OUTSIDE, ...ANYWHERE };
  const meaning = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  if (!meaning || KNOWN.test(rest)) return undefined;
  const [elsewhere, instead] = meaning;
  return { part: `\\${letter}`, here: `is the letter ${letter}`, elsewhere, instead };
}

function isUnicodePattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'));
  } catch {
    return false;
  }
}
