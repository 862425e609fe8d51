/** Any escape, or a soft line break. */
export const ANY_ESCAPE = /[\\%&\ufffd]|=[\da-f\r\n]/i;

/**
 * Whether a text may contain one of these secrets with an escaped character or a soft line break in it. Most escapes in
 * a text are of other characters, and the patterns that find a secret with escapes are large.
 */
export function escapesIn(secrets: readonly string[]): (text: string) => boolean {
  const characters = new Set(secrets.flatMap((each) => [...each]));
  const own = escapesOf([...characters, ...(characters.has(' ') ? ['+'] : [])]);
  return (text) => ANY_ESCAPE.test(text) && (own?.test(text) ?? true);
}

/** A pattern for the escapes of these characters in `formsOf`; undefined if one is a backslash or not in ASCII. */
function escapesOf(characters: readonly string[]): RegExp | undefined {
  if (characters.some((each) => !/^[ -[\]-~]$/.test(each))) return undefined;
  const codes = characters.map((each) => each.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16)).join('|');
  const patterns = [
    `(?:u00|x|=|%(?:25){0,9}|u${OPEN}0{0,9})(?:${hex})`,
    `${HASH}(?:0{0,9}(?:${codes.join('|')})|x0{0,9}(?:${hex}))`,
    ...characters.flatMap((each) => (ENTITIES[each] === undefined ? [] : [`${ENTITIES[each]}${SEMICOLON}`])),
    ...characters.filter((each) => MAY_FOLLOW_BACKSLASH.test(each)).map((each) => `\\\\${literal(each)}`),
    SOFT_BREAK_MARK,
  ];
  return new RegExp(patterns.join('|'), 'i');
}

/** A character of ASCII, plain or percent-encoded, also several times over. */
const orPercent = (character: string) =>
  `(?:${literal(character)}|%(?:25){0,9}${character.charCodeAt(0).toString(16)})`;

/** What escapes consist of: a URL may have them percent-encoded. */
export const [BACKSLASH, HASH, SEMICOLON, OPEN, CLOSE] = ['\\', '#', ';', '{', '}'].map(orPercent) as [
  string,
  string,
  string,
  string,
  string,
];

/** What begins an entity of HTML that was escaped up to so many times, as in `&amp;amp;`. */
const AMPERSANDS = `(?:amp${SEMICOLON}){0,9}`;

/** HTML entities of the characters that are markup. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** A soft line break of quoted-printable (RFC 2045 section 6.7), plain or escaped as in JSON. */
const SOFT_BREAK_MARK = '=(?:[\\r\\n]|\\\\{1,9}[rn])';
const SOFT_BREAK = `(?:${SOFT_BREAK_MARK}(?:[\\r\\n]|\\\\{1,9}[rn]){0,8})?`;
const PLAIN_SOFT_BREAK = '(?:=[\\r\\n]{1,9})?';

/** Characters that may have backslashes before them without being escaped. */
const MAY_FOLLOW_BACKSLASH = /["'/]/;

/**
 * A case-insensitive pattern for a text in which each character may be plain, or escaped as in JSON, JavaScript, HTML, a
 * URL or quoted-printable, also several times over (JSON inside JSON). Every repetition in it is bounded, because a target
 * may have made the text that is searched. For the same reason there is only one way to match a text: with two ways for
 * each character, the attempts double with each of them.
 */
export function escapedPattern(text: string): string {
  const parts = partsOf(text);
  return parts.map((_, index) => `(?:${escapedPart(parts, index).join('|')})`).join(softBreakOf(text));
}

/** What a secret consists of: characters, and rows of backslashes, each of which may begin an escape. */
export function partsOf(text: string): string[] {
  return text.match(/\\+|[^\\]/gsu) ?? [];
}

/** Soft line breaks that may be between the parts of a text, and that cannot be taken for characters of the text. */
export function softBreakOf(text: string): string {
  if (/[\r\n]/.test(text)) return '';
  return /\\[rn]/i.test(text) ? PLAIN_SOFT_BREAK : SOFT_BREAK;
}

/** Patterns for one of the parts. */
export function escapedPart(parts: readonly string[], index: number): string[] {
  const [part = '', before] = [parts[index], parts[index - 1]];
  return formsOf(part, (most) => {
    // To try each number of backslashes at each place of a text is slow.
    if (before === undefined) return '';
    // Backslashes behind a row of them belong to the row, unless it is escaped.
    return before.startsWith('\\')
      ? `(?:(?<!${BACKSLASH})${BACKSLASH}{1,${most}})?`
      : `${BACKSLASH}{0,${most}}`;
  });
}

/** @param more a pattern for backslashes that may come before an escape of the part, at most so many */
function formsOf(part: string, more: (most: number) => string): string[] {
  const count = part.startsWith('\\') ? part.length : 1;
  const character = count > 1 ? '\\' : part;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const entity = ENTITIES[character];
  // Go and others escape the ampersand in JSON.
  const ampersand = `(?:${orPercent('&')}|${more(8)}${BACKSLASH}(?:u00|x)26)${AMPERSANDS}`;
  const mayFollow = MAY_FOLLOW_BACKSLASH.test(character);
  const escaped = [
    code <= 0xff ? `${more(8)}${BACKSLASH}(?:u00|x)${hex}` : more(2) + inUnits(character),
    `${more(8)}${BACKSLASH}u${OPEN}0{0,9}${hex.replace(/^0/, '')}${CLOSE}`,
    // The last pattern of these has it as well.
    ...(character === '\\' || mayFollow ? [] : [bytes.map((byte) => `%(?:25){0,9}${byte}`).join('')]),
    bytes.map((byte) => `=${byte}`).join(''),
    `${ampersand}${HASH}(?:0{0,9}${code}${endOf('\\d')}|x0{0,9}${hex}${endOf('\\da-f')})`,
    ...(entity === undefined ? [] : [`${ampersand}${entity}${SEMICOLON}`]),
    // A form's space in a URL.
    ...(character === ' ' ? ['%(?:25){0,9}2b'] : []),
    // As latin1, and as latin1 that was read as UTF-8.
    ...(code > 0x7f ? [`%(?:25){0,9}${hex}`, `=${hex}`, '\\ufffd'] : []),
  ];
  if (character === '\\')
    // Of a text that ends here, the first that matches is taken: a backslash alone may begin an escape.
    return [`(?:${escaped.join('|')}){${count}}`, `${BACKSLASH}{${count},${16 * count}}`];
  return [...escaped, mayFollow ? `${more(9)}${orPercent(character)}` : plainPattern(character)];
}

/** The end of an entity with a number, whose semicolon may be missing before anything but another digit. */
function endOf(digits: string): string {
  return `(?:${SEMICOLON}|(?![${digits}]|${SEMICOLON}))`;
}

/** A character as JSON escapes it: in two halves if it is beyond the first 65,536. */
function inUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `${BACKSLASH}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join(`${BACKSLASH}{0,2}`);
}

/** A pattern for a text without escapes. A space may be a plus, as in forms and queries. */
export function plainPattern(text: string): string {
  return literal(text).replaceAll(' ', '[ +]');
}

/** A pattern for exactly this text. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
