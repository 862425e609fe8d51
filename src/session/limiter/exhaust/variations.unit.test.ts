import { expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import { nextVariation } from './variations.ts';

const plain = exchange();
const forwarded = exchange({ variation: 'forwarded-for' });
const spelled = exchange({ variation: 'spelling' });

/** The variations of an exhaustion that begins with so many requests left of a limit. */
function sentFrom(left: number, limit = 60): (string | undefined)[] {
  const sent = [];
  for (let rest = left; rest > 0; rest -= 1) {
    const variation = nextVariation(sent, rest, limit);
    sent.push(exchange(variation ? { variation } : {}));
  }
  return sent.map(({ variation }) => variation);
}

test('each variation is sent once, between plain requests', () => {
  expect(sentFrom(12).slice(0, 6)).toEqual([
    undefined,
    undefined,
    'forwarded-for',
    undefined,
    'spelling',
    undefined,
  ]);
  expect(sentFrom(100).filter((each) => each)).toEqual(['forwarded-for', 'spelling']);
});

test('none is sent while more than a third of the limit is left', () => {
  expect(sentFrom(300, 300).indexOf('forwarded-for')).toBe(200);
  expect(sentFrom(100, 300).indexOf('forwarded-for')).toBe(2);
});

test('the last two requests of the limit are plain', () => {
  expect(sentFrom(6).slice(-2)).toEqual(['spelling', undefined]);
  expect(sentFrom(5).filter((each) => each)).toEqual([]);
  expect(nextVariation([plain, plain, forwarded, plain], 1, 60)).toBeUndefined();
  expect(nextVariation([plain, plain, forwarded, plain], 2, 60)).toBe('spelling');
  expect(nextVariation([plain, plain, forwarded, plain, spelled, plain], 50, 300)).toBeUndefined();
});
