import { expect, test } from 'vitest';
import type { Fields } from './fields.ts';
import { droppedFields, isOther, lostField } from './lost-fields.ts';

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
