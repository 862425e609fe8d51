import { expect, test } from 'vitest';
import { contract } from '../../test/reports/sample-runs.ts';
import { BaselineProblem, readBaseline } from './baseline-file.ts';

const FILE = 'known.yaml';
const names = { requirements: contract.requirements.map(({ id }) => id), operations: ['listPets'] };
const read = (text: string) => readBaseline(FILE, text, names);

const entry = (lines: string) => `violations:\n  - requirement: Error.code\n${lines}`;
const seen = '    seen: [{ what: a, at: [b] }]';

test.each([
  ['no YAML', 'violations: [', 'line 1, column 14: '],
  ['no mapping', '- a', "line 1, column 1: a baseline is a mapping with 'requests', 'violations'"],
  ['another name', 'violation: []', "line 1, column 1: unknown key 'violation'; did you mean 'violations'?"],
  ['no list', 'violations: {}', "line 1, column 13: 'violations' must be a list"],
  ['no comment', entry(seen), "line 2, column 5: 'Error.code' needs a comment"],
  [
    'an empty comment',
    entry(`    comment: " "\n${seen}`),
    "line 3, column 14: 'Error.code': why is it known",
  ],
  ['an empty reason', entry(`    waived: ""\n${seen}`), "line 3, column 13: 'Error.code': why is it not"],
  [
    'a number in place of the digest',
    `requests: 12\n${entry('')}`,
    "line 1, column 11: 'requests' must be a string",
  ],
  [
    'a comment that is not a string',
    entry(`    comment: 12\n${seen}`),
    "line 3, column 14: 'Error.code': why is it known",
  ],
  ['no seen', entry('    comment: a'), "'Error.code' needs 'seen'"],
  [
    'an unknown name',
    entry(`    comment: a\n    sen: []\n${seen}`),
    "line 4, column 5: unknown key 'sen'; did you mean 'seen'?",
  ],
  [
    'no such requirement',
    'violations:\n  - requirement: Eror.code',
    "line 2, column 18: unknown requirement 'Eror.code'; did you mean 'Error.code'?",
  ],
  [
    'a place that is not a string',
    entry('    comment: a\n    seen: [{ what: a, at: [1] }]'),
    "line 4, column 28: a place in 'at' must be a string",
  ],
  [
    'twice',
    `${entry(`    comment: a\n${seen}`)}\n  - requirement: Error.code\n    comment: a\n${seen}`,
    "line 5, column 5: duplicate entry for 'Error.code'",
  ],
  [
    'an unknown kind',
    entry('    comment: a\n    seen: [{ kind: a, at: [] }]'),
    "line 4, column 20: unknown kind 'a'; expected one of transport, status, ",
  ],
  [
    'neither a kind nor a text',
    entry('    comment: a\n    seen: [{ at: [b] }]'),
    "line 4, column 12: an item of 'seen' needs a 'kind'",
  ],
  [
    'a pointer that is not a string',
    entry('    comment: a\n    seen: [{ kind: json, pointer: 1, at: [] }]'),
    "line 4, column 35: 'pointer' must be a JSON Pointer",
  ],
  ['a tag', 'violations: !!js/function []', 'line 1, column 13: '],
])('a mistake is one line with its place: %s', (_, text, words) => {
  expect(() => read(text)).toThrow(BaselineProblem);
  expect(() => read(text)).toThrow(/^known\.yaml, line \d+, column \d+: [^\n]*$/);
  expect(() => read(text)).toThrow(words);
});

test('a place that names a request of the run, as in older baselines, is read without it; so is a variation', () => {
  const [{ seen: items } = { seen: [] }] = read(
    entry(
      '    comment: a\n    seen: [{ kind: json, at: [listPets:minimal 200, a refusal 429], variation: [name] }]',
    ),
  ).entries;
  expect(items).toEqual([{ what: '', kind: 'json', at: ['listPets 200', 'a refusal 429'] }]);
});

test('a reason in place of a comment waives', () => {
  expect(read(entry(`    waived: b\n${seen}`)).entries).toMatchObject([{ waived: 'b' }]);
});
