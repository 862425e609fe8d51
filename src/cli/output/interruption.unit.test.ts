import { expect, test } from 'vitest';
import { heedInterruption } from './interruption.ts';

const listeners = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the first %s is a wish, the second is the system’s again',
  (name) => {
    const before = listeners();
    let told = 0;
    const { signal } = heedInterruption(() => {
      told += 1;
    });
    expect(listeners()).toBe(before + 2);
    process.emit(name, name);
    expect(signal.aborted).toBe(true);
    expect(told).toBe(1);
    // Nothing of petspec's listens any more: the next one ends the process.
    expect(listeners()).toBe(before);
  },
);

test('a run that came to its end leaves nothing behind', () => {
  const before = listeners();
  const { signal, release } = heedInterruption(() => {});
  release();
  expect(listeners()).toBe(before);
  expect(signal.aborted).toBe(false);
});
