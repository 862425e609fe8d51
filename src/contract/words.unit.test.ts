import { expect, test } from 'vitest';
import { tinyContract } from '../../test/tiny-interface/contract.ts';
import { wordsOf } from './words.ts';

test('the words of an interface are its names, media types and allowed values, in lower case', () => {
  expect([...wordsOf(tinyContract())].sort()).toEqual(
    ['application/json', 'north', 'number', 'pages', 'reason', 'shelf', 'south', 'title'].sort(),
  );
});
