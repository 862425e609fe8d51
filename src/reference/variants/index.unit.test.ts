import { expect, test } from 'vitest';
import { variants } from './index.ts';

test('every variant has a unique id, in lower case and hyphens', () => {
  const ids = variants.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9]+(?:-+[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test('every variant says in one line what it does, and by which freedom', () => {
  expect(variants.length).toBeGreaterThan(300);
  const isLine = (text: string) => /^\S.*\S$/.test(text);
  expect(variants.filter(({ summary, freedom }) => !isLine(summary) || !isLine(freedom))).toEqual([]);
});

test('the start of a variant is a valid date', () => {
  expect(variants.filter(({ start }) => start !== undefined && Number.isNaN(Date.parse(start)))).toEqual([]);
});
