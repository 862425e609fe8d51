import { expect, test } from 'vitest';
import { json } from '../../../test/exchanges/json.ts';
import { contradicts, droppedFields, isEmpty, isOther, isUnchanged, lostField, shows } from './compare.ts';
import type { Fields } from './fields.ts';

const PLACE = '{"street":"Elm","no":5}';

// Whether what is shown has all that was sent, and whether it is surely something else.
test.each<[sent: string, shown: string, isAll: boolean, isOther: boolean]>([
  [PLACE, '{"no":5,"street":"Elm"}', true, false],
  [PLACE, '{"street":"elm ","no":"5","country":"DE"}', true, false],
  [PLACE, '{"street":"Elm"}', false, false],
  [PLACE, '{"street":"Elm","no":6}', false, true],
  [PLACE, '{"street":null,"no":5}', false, true],
  [PLACE, 'null', false, true],
  [PLACE, '17', false, false],
  [PLACE, '["Elm",5]', false, false],
  ['{}', 'null', false, false],
  ['{"a":null}', '{}', true, false],
  ['{"a":null}', '{"a":1}', true, false],
  ['{"id":0,"a":1}', '{"id":17,"a":1}', false, false],
  ['{"a":{"b":[1]}}', '{"a":{"b":[2]}}', false, true],
  ['["a","b"]', '["b","a","c"]', true, false],
  ['["a","a"]', '["a"]', true, false],
  ['["a","b"]', '["a"]', false, true],
  ['["a"]', '[]', false, true],
  ['["a"]', 'null', false, true],
  ['["a"]', '"a"', false, false],
  ['["a"]', '[{"id":1,"name":"a"}]', false, false],
  ['[{"id":1}]', '[1]', false, false],
  ['[]', 'null', false, false],
  ['[{"a":1},{"a":2}]', '[{"a":2},{"a":1}]', true, false],
  ['[{"a":1},{"a":2}]', '[{"a":2},{"a":2}]', false, true],
  ['["2026-11-21T12:00:00Z"]', '["2026-11-21T13:00:00+01:00"]', true, false],
  ['1', '2', false, true],
  ['1', '{"id":2}', false, false],
])('%s was sent, %s is shown: all of it: %s, something else: %s', (sent, shown, isAll, isOther) => {
  expect([shows(json(shown), json(sent)), contradicts(json(shown), json(sent))]).toEqual([isAll, isOther]);
});

test.each<[one: string | undefined, other: string | undefined, same: boolean]>([
  ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
  ['{"a":1}', '{"a":1,"b":2}', false],
  ['{"a":1,"b":2}', '{"a":1}', false],
  ['null', 'null', true],
  [undefined, undefined, true],
  [undefined, 'null', false],
  ['1', undefined, false],
])('%s and %s are the same: %s', (one, other, same) => {
  const [left, right] = [one, other].map((each) => (each === undefined ? undefined : json(each)));
  expect(isUnchanged(left, right)).toBe(same);
});

test('long lists that a service shows twice are the same only in the same order', () => {
  const long = Array.from({ length: 300_000 }, (_, index) => index);
  expect(isUnchanged(long, [...long])).toBe(true);
  expect(isUnchanged(long, long.toReversed())).toBe(false);
  expect(isUnchanged([long.slice(0, 5)], [long.slice(0, 5).reverse()])).toBe(true);
});

test.each<[value: string | undefined, isNothing: boolean]>([
  [undefined, true],
  ['null', true],
  ['""', true],
  ['[]', true],
  ['{}', true],
  ['0', false],
  ['false', false],
  ['"a"', false],
  ['[null]', false],
  ['{"a":null}', false],
])('%s says nothing: %s', (value, isNothing) => {
  expect(isEmpty(value === undefined ? undefined : json(value))).toBe(isNothing);
});

test.each<[what: string, asked: Fields, shown: Fields, earlier: (Fields | undefined)[], dropped: string[]]>([
  ['an earlier read had it', { a: 1 }, {}, [{ a: 2 }], ['a']],
  ['one of the earlier reads had it', { a: 1 }, {}, [{ b: 1 }, { a: 2 }], ['a']],
  ['it is shown', { a: 1 }, { a: 2 }, [{ a: 2 }], []],
  ['no read ever had it', { a: 1 }, {}, [{ b: 1 }, undefined], []],
  ['every read had nothing there', { a: 1 }, {}, [{ a: null }, { a: '' }], []],
  ['nothing was sent', { a: null, b: [] }, {}, [{ a: 1, b: [1] }], []],
])('what is no longer read: %s', (_what, asked, shown, earlier, dropped) => {
  expect(droppedFields({ asked, answered: {}, shown }, earlier)).toEqual(dropped);
});

test.each([
  [1, 2, true],
  [1, 1, false],
  [1, undefined, true],
  [{ a: 1 }, { a: 2 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, 17, false],
  [{ a: 1 }, undefined, true],
])('%j is another value than %j: %s', (asked, old, is) => {
  expect(isOther(asked, old)).toBe(is);
});

/** What a change of `a` to 1 loses, where it was 0. */
const lost = (answered: Fields, shown: Fields, dropped: string[] = []) =>
  lostField(
    { asked: { a: 1 }, answered, shown },
    { a: 0 },
    ['a'].filter((name) => name in shown),
    dropped,
  );

test('a change that is lost as a whole, or that the service says it has made', () => {
  expect(lost({}, { a: 0 })).toBe('a');
  expect(lost({ a: 1 }, { a: 0 })).toBe('a');
  expect(lost({ a: 1 }, {}, ['a'])).toBe('a');
});

test('a change that is made, that the service changes again, or that it does not say it has made', () => {
  expect(lost({ a: 1 }, { a: 1 })).toBeUndefined();
  expect(lost({ a: 1 }, { a: 2 })).toBeUndefined();
  expect(lost({}, {}, ['a'])).toBeUndefined();
});
