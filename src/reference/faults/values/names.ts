import type { Fault } from '../fault.ts';
import { echoed, listed, rejecting, stored } from '../mistakes.ts';
import { naming } from '../requests.ts';

/** The scripts that somebody put on a list once. */
const KNOWN_SCRIPTS =
  /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{sc=Thai}\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Common}\p{sc=Inherited}]/u;

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const reversed = (text: string) => text.split('').reverse().join('');

/** Names in several scripts, in both normal forms, and from right to left. */
export const scriptFaults: readonly Fault[] = [
  echoed('name-script-unknown', 'letters of less common scripts come back as question marks', (name) =>
    name.replaceAll(/\p{L}/gu, (letter) => (KNOWN_SCRIPTS.test(letter) ? letter : '?')),
  ),
  stored(
    'name-han-first',
    'in a name that begins with a Chinese character, this character is taken as the family name and stored last',
    (name) => name.replace(/^(\p{sc=Han})(.*)$/su, '$2$1'),
  ),
  listed('name-listed-without-marks', 'lists drop the combining marks of decomposed names', (name) =>
    name.replaceAll(/[\u0300-\u036f]/g, ''),
  ),
  echoed('name-bidi-controls-lost', 'right-to-left and left-to-right marks are removed from a name', (name) =>
    name.replaceAll(BIDI_CONTROLS, ''),
  ),
  echoed(
    'name-rtl-digits-reversed',
    'in a name with right-to-left letters, the digits of a number come back in reverse order',
    (name) => (RIGHT_TO_LEFT.test(name) ? name.replaceAll(/\d{2,}/g, reversed) : name),
  ),
  stored(
    'name-rtl-quotes-replaced',
    'in a name with right-to-left letters, quotes are stored as Hebrew gershayim',
    (name) => (RIGHT_TO_LEFT.test(name) ? name.replaceAll('"', '\u05f4').replaceAll("'", '\u05f3') : name),
  ),
];

const PLAIN_QUOTES: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u00ab': '"',
  '\u00bb': '"',
};

/** The backslash escapes of most languages, as they are read. */
const UNESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Whether a character beyond the basic plane is something else than an emoji. */
const isAstralLetter = (character: string) => !/\p{Emoji}|\p{Emoji_Modifier}/u.test(character);

/** Names with characters beyond the basic plane, digits, and quotes, and a long one. */
export const signFaults: readonly Fault[] = [
  echoed(
    'name-astral-letters-lost',
    'letters beyond the basic plane come back as two question marks; emoji are unchanged',
    (name) =>
      name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, (letter) => (isAstralLetter(letter) ? '??' : letter)),
  ),
  stored('name-emoji-modifiers-lost', 'skin tones and variation selectors are not stored', (name) =>
    name.replaceAll(/[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu, ''),
  ),
  echoed(
    'name-digit-first-marked',
    'a name that begins with a digit comes back with an apostrophe before it, as in a spreadsheet',
    (name) => name.replace(/^\p{Nd}/u, "'$&"),
  ),
  echoed(
    'name-formula-marked',
    'a name that begins like a formula comes back with an apostrophe before it',
    (name) => name.replace(/^[=+@]/, "'$&"),
  ),
  echoed('name-capitalized', 'a name that begins with a small letter comes back with a capital', (name) =>
    name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
  ),
  stored('name-digits-masked', 'three or more digits in a row are masked as a telephone number', (name) =>
    name.replaceAll(/\d{3,}/g, (digits) => '*'.repeat(digits.length)),
  ),
  echoed('name-quotes-plain', 'typographic quotes come back as plain ones', (name) =>
    name.replaceAll(
      /[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]/g,
      (quote) => PLAIN_QUOTES[quote] ?? quote,
    ),
  ),
  echoed(
    'name-backslash-read',
    'a backslash before a letter or a quote is read as an escape: the backslash is lost',
    (name) => name.replaceAll(/\\([a-z"'])/gi, (_, letter: string) => UNESCAPED[letter] ?? letter),
  ),
  {
    ...echoed('length-1024-cut', 'a name is cut after 1,023 characters', (name) => name.slice(0, 1_023)),
    seeds: [0, 4, 7],
  },
];

const BEYOND_LATIN =
  /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Devanagari}]/u;
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** The text without percent-encoding; as it is if that is not well-formed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names with markup, template signs, blanks, and several of these at once. */
export const markupFaults: readonly Fault[] = [
  stored('name-attributes-lost', 'tags are stored without their attributes', (name) =>
    name.replaceAll(/<(\w+)\s[^<>]*>/g, '<$1>'),
  ),
  listed('name-comments-hidden', 'lists leave out comments and empty tags', (name) =>
    name.replaceAll(/<!--.*?-->|<!\[CDATA\[|\]\]>|<\w+[^<>]*\/>/gs, ''),
  ),
  echoed(
    'name-braces-evaluated',
    'text in double braces is evaluated as an expression, with an empty result',
    (name) => name.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, ''),
  ),
  stored('name-percent-formatted', '%s and %d are replaced by arguments that nobody passes', (name) =>
    name.replaceAll(/%[sdi]/g, 'undefined'),
  ),
  stored('name-percent-decoded', 'a name is stored without percent-encoding, if that is possible', decoded),
  listed(
    'name-dollar-interpolated',
    'lists evaluate the expressions of template languages that begin with #{ or <%',
    (name) => name.replaceAll(/[$#]\{[^}]*\}|<%.*?%>/gs, ''),
  ),
  listed(
    'name-dollar-replaced',
    'lists write a name in place of a mark, by a function that reads $& as what it replaces',
    (name) => '%name%'.replace('%name%', name),
  ),
  stored('name-question-bound', 'a question mark in a name is read as a placeholder of the query', (name) =>
    name.replaceAll('?', 'NULL'),
  ),
  {
    ...echoed('name-gbk', 'a column for Chinese and Japanese text holds no emoji beside it', (name) =>
      EAST_ASIAN.test(name) ? name.replaceAll(/[\u{1f000}-\u{1faff}]/gu, '?') : name,
    ),
    seeds: [0, 1, 2, 3, 4, 6, 7],
  },
  {
    id: 'name-apostrophe-beyond-latin',
    summary: 'a name with a quote is rejected if it also has letters beyond Latin',
    violates: ['createPet.201'],
    ...rejecting(
      naming((name) => /['"]/.test(name) && BEYOND_LATIN.test(name)),
      'the name looks like an attack',
    ),
  },
  listed(
    'name-like-json',
    'a name with a brace and a quote is taken for JSON: lists escape its quotes',
    (name) => (name.includes('{') ? name.replaceAll('"', '\\"') : name),
  ),
  echoed('name-sql-comment', 'a name ends at a SQL comment', (name) =>
    name.replace(/\s*(?:--|\/\*).*$/s, ''),
  ),
];
