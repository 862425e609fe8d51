import { answering } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';
import { naming } from '../mistakes.ts';
import { echoed, listed, stored } from './renaming.ts';

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
    ...answering(
      naming((name) => /['"]/.test(name) && BEYOND_LATIN.test(name)),
      () => errorAnswer(400, 'invalid_request', 'the name looks like an attack'),
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
