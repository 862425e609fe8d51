import { expect, test } from 'vitest';
import { remembering, rememberingLast } from './remembering.ts';

/** A function that notes each text that it is really asked about. */
function noted() {
  const asked: string[] = [];
  const lengthOf = (text: string) => {
    asked.push(text);
    return { length: text.length };
  };
  return { asked, lengthOf };
}

test('a text that was asked about before has the same result, without asking again', () => {
  const { asked, lengthOf } = noted();
  const remembered = remembering(lengthOf, 10_000);
  expect(remembered('pets')).toBe(remembered('pets'));
  expect(remembered('pet')).toEqual({ length: 3 });
  expect(asked).toEqual(['pets', 'pet']);
});

test('what is asked for often stays, whatever else comes', () => {
  const { asked, lengthOf } = noted();
  const remembered = remembering(lengthOf, 10_000);
  for (let other = 0; other < 1_000; other += 1) {
    remembered('often');
    remembered(`other ${other}`);
  }
  expect(asked.filter((text) => text === 'often')).toHaveLength(1);
});

test('what is not asked for any more is forgotten, so that memory stays bounded', () => {
  const { asked, lengthOf } = noted();
  const remembered = remembering(lengthOf, 10_000);
  remembered('once');
  for (let other = 0; other < 1_000; other += 1) remembered(`other ${other}`);
  remembered('once');
  expect(asked.filter((text) => text === 'once')).toHaveLength(2);
});

test.each([
  [900, 1],
  [1_000, 2],
])('a text of %i characters, of 10,000, is worked out %i times', (length, times) => {
  const { asked, lengthOf } = noted();
  const remembered = remembering(lengthOf, 10_000);
  for (let time = 0; time < 2; time += 1) expect(remembered('x'.repeat(length))).toEqual({ length });
  expect(asked).toHaveLength(times);
});

test('the last result for an object is kept for the same other argument', () => {
  let asked = 0;
  const remembered = rememberingLast((subject: { name: string }, other: string) => {
    asked += 1;
    return `${subject.name} ${other}`;
  });
  const [cat, dog] = [{ name: 'cat' }, { name: 'dog' }];
  expect([remembered(cat, 'black'), remembered(dog, 'black')]).toEqual(['cat black', 'dog black']);
  expect(remembered(cat, 'black')).toBe('cat black');
  expect(asked).toBe(2);
  expect([remembered(cat, 'white'), remembered(cat, 'black')]).toEqual(['cat white', 'cat black']);
  expect(asked).toBe(4);
});
