/** Names that HTML has for characters which are markup otherwise. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * A pattern for a text in which each character may stand plain, or escaped as in JSON, JavaScript, HTML or an address;
 * also several times over, as in a JSON text inside another. To be used without regard to case.
 */
export function anySpelling(text: string): string {
  return [...text].map((character) => `(?:${spellings(character).join('|')})`).join('');
}

function spellings(character: string): string[] {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const entity = ENTITIES[character];
  return [
    `${/["'/\\]/.test(character) ? '\\\\{0,7}' : ''}${literal(character)}`,
    `\\\\{1,4}(?:u00|x)${hex}`,
    `%(?:25)*${hex}`,
    `&(?:amp;)?#(?:0*${code}|x0*${hex});`,
    ...(entity === undefined ? [] : [`&(?:amp;)?${entity};`]),
  ];
}

/** A pattern for a text inside another that was encoded as a whole, and how many characters it takes at the least. */
export interface Encoding {
  pattern: string;
  length: number;
}

/**
 * Patterns for a text in hexadecimal and in base64, whatever stands before and after it there. What of base64 depends on
 * its neighbours, up to two characters at either end, is left where they are not known.
 */
export function encodings(text: string): Encoding[] {
  const bytes = Buffer.from(text);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const whole = [text, `Bearer ${text}`].map((each) =>
    Buffer.from(each).toString('base64').replace(/=+$/, ''),
  );
  // Three bytes are four characters: what comes before shifts it by none, one or two bytes.
  const inside = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    return shifted.toString('base64').slice(Math.ceil((shift * 4) / 3), Math.floor((shifted.length * 4) / 3));
  });
  return [
    { pattern: hex.join('[ :-]?'), length: 2 * hex.length },
    ...[...whole, ...inside].map((each) => ({ pattern: inBase64(each), length: each.length })),
  ];
}

/** With either of its alphabets (RFC 4648 sections 4 and 5), and as JSON and addresses escape its signs. */
function inBase64(text: string): string {
  return text
    .replaceAll('/', '(?:\\\\?[/_]|%(?:25)*2f|\\\\u002f)')
    .replaceAll('+', '(?:[+-]|%(?:25)*2b|\\\\u002b)');
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
