/** Any escape, or a soft line break. */
export const ANY_ESCAPE = /[\\%&\ufffd]|=[\da-f\r\n]/i;

/**
 * Whether a text may contain one of these secrets with an escaped character or a soft line break in it. Most escapes in
 * a text are of other characters, and the patterns that find a secret with escapes are large.
 */
export function escapesIn(secrets: readonly string[]): (text: string) => boolean {
  const own = escapesOf([...new Set(secrets.flatMap((each) => [...each]))]);
  return (text) => ANY_ESCAPE.test(text) && (own?.test(text) ?? true);
}

/** A pattern for the escapes of these characters in `formsOf`; undefined if one is a backslash or not in ASCII. */
function escapesOf(characters: readonly string[]): RegExp | undefined {
  if (characters.some((each) => !/^[ -[\]-~]$/.test(each))) return undefined;
  const codes = characters.map((each) => each.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16)).join('|');
  const patterns = [
    `(?:u00|x|=|%(?:25){0,9})(?:${hex})`,
    `${HASH}(?:0{0,9}(?:${codes.join('|')})|x0{0,9}(?:${hex}))${SEMICOLON}`,
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
export const [BACKSLASH, AMPERSAND, HASH, SEMICOLON] = ['\\', '&', '#', ';'].map(orPercent) as [
  string,
  string,
  string,
  string,
];

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

/** Characters that may have backslashes before them without being escaped. */
const MAY_FOLLOW_BACKSLASH = /["'/]/;

/**
 * A case-insensitive pattern for a text in which each character may be plain, or escaped as in JSON, JavaScript, HTML, a
 * URL or quoted-printable, also several times over (JSON inside JSON). Every repetition in it is bounded, because a target
 * may have made the text that is searched.
 */
export function escapedPattern(text: string): string {
  const parts = text.match(/\\+|[^\\]/gsu) ?? [];
  return parts.map((part, index) => `(?:${formsOf(part, index === 0).join('|')})`).join(SOFT_BREAK);
}

/**
 * @param part one character, or a row of backslashes; each backslash may begin an escape
 * @param isFirst leaves out backslashes before the first character: to try each number of them at each place is slow
 */
function formsOf(part: string, isFirst: boolean): string[] {
  const count = part.startsWith('\\') ? part.length : 1;
  const character = count > 1 ? '\\' : part;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const entity = ENTITIES[character];
  const escaped = [
    code <= 0xff ? `${BACKSLASH}${isFirst ? '' : '{1,9}'}(?:u00|x)${hex}` : inUnits(character),
    bytes.map((byte) => `%(?:25){0,9}${byte}`).join(''),
    bytes.map((byte) => `=${byte}`).join(''),
    `${AMPERSAND}(?:amp${SEMICOLON})?${HASH}(?:0{0,9}${code}|x0{0,9}${hex})${SEMICOLON}`,
    ...(entity === undefined ? [] : [`${AMPERSAND}(?:amp${SEMICOLON})?${entity}${SEMICOLON}`]),
    // As latin1, and as latin1 that was read as UTF-8.
    ...(code > 0x7f ? [`%(?:25){0,9}${hex}`, `=${hex}`, '\\ufffd'] : []),
  ];
  if (character === '\\')
    return [`${BACKSLASH}{${count},${16 * count}}`, `(?:${escaped.join('|')}){${count}}`];
  const mayBeEscaped = MAY_FOLLOW_BACKSLASH.test(character) && !isFirst;
  return [...escaped, mayBeEscaped ? `${BACKSLASH}{0,9}${orPercent(character)}` : literal(character)];
}

/** A character as JSON escapes it: in two halves if it is beyond the first 65,536. */
function inUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `${BACKSLASH}{1,3}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A pattern for exactly this text. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
