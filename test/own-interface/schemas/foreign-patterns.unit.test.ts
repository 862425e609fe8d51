import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import { documentOf, read } from '../document.ts';

const TEXT = { type: 'string' };

/** What a text of this pattern is judged by, and what is said not to be judged. */
async function judgedBy(pattern: string) {
  const { operations, gaps } = await read({ 'openapi.json': documentOf({ ...TEXT, pattern }) });
  const schema = operations[0]?.responses[0]?.schema ?? {};
  return {
    fails: (text: string) => schemaErrors(schema, text).length > 0,
    gaps: gaps.map(({ reason }) => reason),
  };
}

const said = (pattern: string, part: string, here: string, elsewhere: string, instead: string) => [
  `openapi.json:1: the pattern ${pattern} is not judged: in JavaScript, which JSON Schema uses, ${part} ${here}; elsewhere it ${elsewhere}; ${instead}`,
];
const LETTER = (letter: string) => `is the letter ${letter}`;

test.each<[pattern: string, part: string, here: string, elsewhere: string, instead: string]>([
  ['^abc\\Z', '\\Z', LETTER('Z'), 'is the end of the text', 'write $'],
  ['^abc\\z', '\\z', LETTER('z'), 'is the end of the text', 'write $'],
  ['\\Aabc$', '\\A', LETTER('A'), 'is the beginning of the text', 'write ^'],
  ['^\\i+$', '\\i', LETTER('i'), 'is a character that may begin a name in XML', 'write [A-Za-z_:]'],
  ['^a[\\h]b$', '\\h', LETTER('h'), 'is a blank or a tab', 'write [ \\t]'],
  [
    '^\\Qa.b\\E$',
    '\\Q',
    LETTER('Q'),
    'begins a text without special characters',
    'write a backslash before each of them',
  ],
  ['^\\pL+$', '\\p', LETTER('p'), 'is a property of characters', 'write its name in braces, such as \\p{L}'],
  ['^\\x{e9}$', '\\x', LETTER('x'), 'is the character with that number', 'write \\u{...}'],
  [
    '/^abc$/',
    '/',
    'is that character',
    'is the delimiter of a pattern',
    'leave out the delimiters and what follows them',
  ],
  [
    '/^abc/i',
    '/',
    'is that character',
    'is the delimiter of a pattern',
    'leave out the delimiters and what follows them',
  ],
  [
    '#abc$#',
    '#',
    'is that character',
    'is the delimiter of a pattern',
    'leave out the delimiters and what follows them',
  ],
  [
    '^[[:alpha:]]+$',
    '[:alpha:]',
    'is each of these characters',
    'is a class of characters',
    'write the characters, such as a-z',
  ],
  [
    '^[:digit:]+$',
    '[:digit:]',
    'is each of these characters',
    'is a class of characters',
    'write the characters, such as a-z',
  ],
  [
    '^[_[:^space:]]$',
    '[:^space:]',
    'is each of these characters',
    'is a class of characters',
    'write the characters, such as a-z',
  ],
  [
    '^[a-z&&[^x]]$',
    '&&[',
    'is each of these characters',
    'leaves characters out of a class',
    'write the characters that are left',
  ],
  [
    '^[a-z-[x]]$',
    '-[',
    'is each of these characters',
    'leaves characters out of a class',
    'write the characters that are left',
  ],
  ['^(?i)abc$', '(?i)', 'is a mistake', 'ignores the case of letters', 'write both cases, such as [aA]'],
  ['^(?s)abc$', '(?s)', 'is a mistake', 'sets flags', 'write the pattern without them'],
  ['^(?P<n>a)$', '(?P<n>', 'is a mistake', 'names a group', 'write (?<name>...)'],
  ['^(?>a|b)$', '(?>', 'is a mistake', 'matches a group once', 'write (?:...)'],
  ['^a(?#b)$', '(?#b)', 'is a mistake', 'is a comment', 'leave it out'],
  ['^[a-z]++$', '++', 'is a mistake', 'repeats without going back', 'leave the last + out'],
  ['^a{1,2}+$', '{1,2}+', 'is a mistake', 'repeats without going back', 'leave the last + out'],
])('%s was written for another language', async (pattern, ...words) => {
  const { fails, gaps } = await judgedBy(pattern);
  expect(gaps).toEqual(said(pattern, ...words));
  for (const text of ['abc', 'a', '', 'A1 x']) expect(fails(text)).toBe(false);
});

test.each<[pattern: string, fits: string, fails: string]>([
  ['^cus\\-\\d+$', 'cus-1', 'cus_1'],
  ['^[\\w\\-.]+$', 'a-b.c', 'a b'],
  ['^\\d{3}\\/\\d$', '123/4', '1234'],
  ['^/pets/\\d+$', '/pets/1', '/pets/x'],
  ['^/pets/$', '/pets/', '/pets'],
  ['/pets/', '/v1/pets/1', '/v1/pet'],
  ['^/$', '/', '//'],
  ['~\\$~', '~$~', '~~'],
  ['^\\\\Z$', '\\Z', 'Z'],
  ['^[\\A-\\Z]$', 'B', 'b'],
  ['^[+-[]$', '[', 'a'],
  ['^[\\w-[\\]]$', '[', ' '],
  ['^[:a]+$', ':', 'b'],
  ['^\\x41\\p{L}$', 'AB', 'A1'],
  ['^(?<n>a)\\k<n>$', 'aa', 'a'],
  ['^\\++$', '++', '+a'],
  ['^[*+]+$', '*+', 'a'],
  ['(?<!x)y$', 'zy', 'xy'],
  ['^a\\_b$', 'a_b', 'a\\_b'],
])('%s means the same everywhere', async (pattern, fits, fails) => {
  const judged = await judgedBy(pattern);
  expect(judged.gaps).toEqual([]);
  expect([fits, fails].map(judged.fails)).toEqual([false, true]);
});

const YAML = `openapi: 3.1.0
info: { title: n, version: '1' }
paths:
  /things:
    get:
      summary: whether it ends with \\Z, such as ^a\\Z
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  plain: { type: string, pattern: ^a\\Z }
                  quoted: { type: string, pattern: "^b\\\\Z" }
                  single: { type: string, 'pattern': '^''c\\Z' }
                patternProperties:
                  '^d\\Z': { type: string }
                  \\Ae: {}
`;

test('the line of a pattern is named, however it is quoted', async () => {
  const { gaps } = await read({ 'things.yaml': YAML });
  expect(gaps.map(({ operation, reason }) => [operation, reason.split(' is not judged')[0]])).toEqual([
    ['GET /things', 'things.yaml:15: the pattern ^a\\Z'],
    ['GET /things', 'things.yaml:16: the pattern ^b\\Z'],
    ['GET /things', "things.yaml:17: the pattern ^'c\\Z"],
    ['GET /things', 'things.yaml:19: the pattern ^d\\Z'],
    ['GET /things', 'things.yaml:20: the pattern \\Ae'],
  ]);
});

test('a long text is told to be a pattern of another language, or none, in little time', async () => {
  const texts = [
    '/$/1'.repeat(20_000),
    `${'(?'.repeat(20_000)}`,
    `[${'\\'.repeat(40_000)}`,
    `/${'$'.repeat(40_000)}`,
  ];
  for (const each of texts) expect((await judgedBy(each)).gaps.length).toBeLessThanOrEqual(1);
});
