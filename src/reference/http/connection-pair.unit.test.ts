import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PairedStream } from './connection-pair.ts';

test('what is written to one end is read from the other, in both directions', async () => {
  const [left, right] = PairedStream.pair();
  left.end('from the left');
  right.write('from ');
  right.end('the right');
  expect(await Promise.all([text(left), text(right)])).toEqual(['from the right', 'from the left']);
});

test('what is written arrives in a later turn of the event loop', async () => {
  const [left, right] = PairedStream.pair();
  left.write('later');
  await Promise.resolve();
  expect(right.read()).toBeNull();
  await setImmediate();
  expect(String(right.read())).toBe('later');
});

test('one end may still write after the other has finished', async () => {
  const [left, right] = PairedStream.pair();
  left.end();
  right.resume();
  await once(right, 'end');
  right.end('an answer');
  expect(await text(left)).toBe('an answer');
});

test('who writes waits until the other end is read', async () => {
  const [left, right] = PairedStream.pair();
  const large = Buffer.alloc(1024 * 1024, 'x');
  let isWritten = false;
  left.write(large, () => {
    isWritten = true;
  });
  left.end();
  await setImmediate();
  await setImmediate();
  expect(isWritten).toBe(false);
  expect(await text(right)).toHaveLength(large.length);
  expect(isWritten).toBe(true);
});

test('an end that is destroyed ends the other, which can then write no more', async () => {
  const [left, right] = PairedStream.pair();
  left.destroy();
  right.resume();
  await once(right, 'end');
  right.write('to nobody');
  const [error] = await once(right, 'error');
  expect(error).toMatchObject({ code: 'EPIPE' });
});
