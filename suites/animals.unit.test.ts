import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../test/exchanges/suite-evidence.ts';
import { fieldDeviation, idOf, isKept, isSuccess, sentBody } from './animals.ts';

describe('a text comes back as it was sent', () => {
  const decomposed = 'Rene\u0301';
  const composed = 'Ren\u00e9';

  test.each<[what: string, sent: string, returned: string]>([
    ['unchanged', 'Rex  the \t dog', 'Rex  the \t dog'],
    ['with composed characters', decomposed, composed],
    ['with its blanks collapsed', 'Rex  the \t\n dog', 'Rex the dog'],
    ['with both', `${decomposed}  the dog`, `${composed} the dog`],
    [
      'with composed characters, but not its blanks collapsed',
      `${decomposed}  the dog`,
      `${composed}  the dog`,
    ],
  ])('%s', (_what, sent, returned) => {
    expect(isKept(sent, returned)).toBe(true);
  });

  test.each<[what: string, sent: string | number | undefined, returned: string | number | undefined]>([
    ['trimmed', ' Rex', 'Rex'],
    ['in other letters', 'Rex', 'REX'],
    ['decomposed', composed, decomposed],
    ['without its blanks', 'Rex  the dog', 'Rexthedog'],
    ['as a number', '1', 1],
    ['as a text, although it was a number', 1, '1'],
    ['not at all', 'Rex', undefined],
    ['although it was not sent', undefined, 'Rex'],
  ])('not %s', (_what, sent, returned) => {
    expect(isKept(sent, returned)).toBe(false);
  });
});

test.each<[text: string | undefined, body: object]>([
  ['{"name":"Rex","categoryId":1}', { name: 'Rex', categoryId: 1 }],
  ['[{"name":"Rex"}]', {}],
  ['null', {}],
  ['{"name":"Rex"', {}],
  [undefined, {}],
])('the fields of the body %s', (requestBody, body) => {
  const change = requestBody === undefined ? {} : { requestBody };
  const [addition] = evidenceOf([{ probe: 'createPet:minimal', body: {}, change }]).judged;
  expect(addition && sentBody(addition)).toEqual(body);
});

test.each([
  [201, true],
  [202, false],
  [400, false],
])('an addition that got %s: is it a documented success? %s', (status, is) => {
  const [addition] = evidenceOf([{ probe: 'createPet:minimum', body: {}, status }]).judged;
  expect(addition && isSuccess(addition)).toBe(is);
});

test('ids are compared by value: those beyond 2^53 keep all digits', () => {
  expect(idOf({ id: 7 })).toBe(idOf({ id: 7n }));
  expect(idOf({ id: 9223372036854775807n })).toBe('9223372036854775807');
  expect(idOf({ id: '7' })).not.toBe(idOf({ id: 7 }));
});

test('a deviation says what was due, what came, and where', () => {
  expect(fieldDeviation('name changes', 'name', { name: 'REX' }, 'Rex', '/3')).toEqual({
    reason: 'name changes',
    expected: 'name: "Rex"',
    received: 'name: "REX"',
    pointer: '/3/name',
  });
  expect(fieldDeviation('name changes', 'name', {}, 'Rex')).toMatchObject({
    reason: 'name is missing',
    received: 'no name',
    pointer: '/name',
  });
});
