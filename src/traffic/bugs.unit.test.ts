import { expect, test } from 'vitest';
import { UsageError } from '../model/usage-error.ts';
import { attempt, withoutOdd } from './bugs.ts';

/** Leaves out of the numbers from 1 to 20 what fails. */
const left = (fails: (some: readonly number[]) => boolean) =>
  withoutOdd(
    Array.from({ length: 20 }, (_, index) => index + 1),
    (some) =>
      attempt(() => {
        if (fails(some)) throw new Error('odd');
      }),
  );

test('what fails alone is left out, wherever it is', () => {
  for (const odd of [[1], [20], [7], [7, 8], [1, 10, 20]]) {
    const { left: sound, error } = left((some) => some.some((each) => odd.includes(each)));
    expect(sound).toHaveLength(20 - odd.length);
    expect(sound).not.toEqual(expect.arrayContaining([odd[0]]));
    expect(error).toEqual(new Error('odd'));
  }
});

test('of two that fail only together, the later one is left out', () => {
  const { left: sound } = left((some) => some.includes(3) && some.includes(12));
  expect(sound).toHaveLength(19);
  expect(sound).not.toContain(12);
});

test('nothing is left out where nothing fails, and everything where everything does', () => {
  expect(left(() => false)).toEqual({ left: Array.from({ length: 20 }, (_, index) => index + 1) });
  expect(left(() => true).left).toEqual([]);
});

test('what the user has to fix is no bug', () => {
  const wrong = () => {
    throw new UsageError('wrong');
  };
  expect(() => attempt(wrong)).toThrow(UsageError);
});
