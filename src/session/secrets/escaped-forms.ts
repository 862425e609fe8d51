/** Whether a text has anything in it that may be the beginning of an escape. */
export function hasEscapes(text: string): boolean {
  return /[\\%&\ufffd]|=[\da-f\r\n]/i.test(text);
}

/** Names that HTML has for characters which are markup otherwise. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** A soft line break of quoted-printable (RFC 2045 section 6.7), plain or as JSON escapes it. */
const SOFT_BREAK = '(?:=(?:[\\r\\n]|\\\\{1,9}[rn]){1,9})?';

/**
 * A pattern for a text in which each character may stand plain, or escaped as in JSON, JavaScript, HTML, an address or
 * quoted-printable; also several times over, as in a JSON text inside another. To be used without regard to case. No
 * repetition in it is without a bound: a target may have made the text that is searched.
 */
export function anySpelling(text: string): string {
  const parts = text.match(/\\+|[^\\]/gsu) ?? [];
  return parts.map((part, index) => `(?:${spellings(part, index === 0).join('|')})`).join(SOFT_BREAK);
}

/**
 * @param part one character, or backslashes: whose of them is an escape and whose is not cannot be told one by one
 * @param isFirst those before the first character are left: to try each number of them at each place would take long
 */
function spellings(part: string, isFirst: boolean): string[] {
  const count = part.startsWith('\\') ? part.length : 1;
  const character = count > 1 ? '\\' : part;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const entity = ENTITIES[character];
  const escaped = [
    code <= 0xff ? `\\\\${isFirst ? '' : '{1,9}'}(?:u00|x)${hex}` : inUnits(character),
    bytes.map((byte) => `%(?:25){0,9}${byte}`).join(''),
    bytes.map((byte) => `=${byte}`).join(''),
    `&(?:amp;)?#(?:0{0,9}${code}|x0{0,9}${hex});`,
    ...(entity === undefined ? [] : [`&(?:amp;)?${entity};`]),
    // Bytes of latin1, and what reading them as UTF-8 makes of them.
    ...(code > 0x7f ? [`%(?:25){0,9}${hex}`, `=${hex}`, '\\ufffd'] : []),
  ];
  if (character === '\\') return [`\\\\{${count},${16 * count}}`, `(?:${escaped.join('|')}){${count}}`];
  const mayBeEscaped = /["'/]/.test(character) && !isFirst;
  return [...escaped, `${mayBeEscaped ? '\\\\{0,9}' : ''}${literal(character)}`];
}

/** A character as JSON escapes it: beyond the first 65,536 in two halves. */
function inUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\\\{1,3}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A pattern for this text and no other. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
