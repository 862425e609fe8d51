import type { Fault } from '../fault.ts';
import { echoed, listed, stored } from './renaming.ts';

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
