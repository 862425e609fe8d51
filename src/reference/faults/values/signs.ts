import type { Fault } from '../fault.ts';
import { echoed, stored } from './renaming.ts';

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
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, (each) => (isAstralLetter(each) ? '??' : each)),
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
