import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { RefusedResponse } from './failures.ts';
import { readBody } from './read-body.ts';

test('a body is read to its end', async () => {
  const stream = new PassThrough();
  const body = readBody(stream, 10);
  stream.write('01234');
  stream.end('56789');
  expect((await body).toString()).toBe('0123456789');
});

test('a larger one is refused, and read no further', async () => {
  const stream = new PassThrough();
  const body = readBody(stream, 9);
  stream.write('01234');
  stream.end('56789');
  await expect(body).rejects.toThrow(RefusedResponse);
  expect(stream.destroyed).toBe(true);
});

test('an error of the stream is its own', async () => {
  const stream = new PassThrough();
  const body = readBody(stream, 10);
  stream.destroy(new Error('cut off'));
  await expect(body).rejects.toThrow('cut off');
});

test('a stream that closes before its end is an error', async () => {
  const stream = new PassThrough();
  const body = readBody(stream, 10);
  stream.write('01234');
  stream.destroy();
  await expect(body).rejects.toThrow('Premature close');
});
