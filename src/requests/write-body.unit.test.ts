import { expect, test } from 'vitest';
import type { Schema } from '../model/contract.ts';
import { writeBody } from './write-body.ts';

const written = (value: unknown, mediaType: string, schema: Schema = {}) =>
  writeBody(value, { required: true, mediaType, schema, unspecified: [] });

test('a text is sent as it is', () => {
  expect(written('a "b"', 'text/plain')).toEqual({ text: 'a "b"', mediaType: 'text/plain' });
  expect(written('a', 'text/json')).toBeUndefined();
  expect(written('a', 'application/text/plain')).toBeUndefined();
  expect(written(1, 'text/plain')).toBeUndefined();
});

test('a form has a pair for each field, and for each entry of a list', () => {
  expect(
    written(
      { name: 'a & b', size: 1, tags: ['x', 'y'], owner: { id: 1 } },
      'application/x-www-form-urlencoded',
    ),
  ).toEqual({
    text: 'name=a+%26+b&size=1&tags=x&tags=y&owner=%7B%22id%22%3A1%7D',
    mediaType: 'application/x-www-form-urlencoded',
  });
});

// RFC 7578.
test('a form with files has a part for each field', () => {
  const schema: Schema = {
    properties: {
      file: { type: 'string', 'x-binary': true },
      files: { type: 'array', items: { 'x-binary': true } },
      text: { type: 'array', items: {} },
    },
  };
  const value = {
    'a "b"\r\nc': 'x',
    file: 'content',
    files: ['one'],
    text: ['two', 'three'],
    owner: { id: 1 },
  };
  const sent = written(value, 'multipart/form-data', schema);
  const [, boundary = ''] =
    /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(sent?.mediaType ?? '') ?? [];
  const parts = sent?.text.split(`--${boundary}`) ?? [];
  expect(parts).toEqual([
    '',
    '\r\nContent-Disposition: form-data; name="a %22b%22  c"\r\n\r\nx\r\n',
    '\r\nContent-Disposition: form-data; name="file"; filename="file.txt"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n',
    '\r\nContent-Disposition: form-data; name="files"; filename="files.txt"\r\nContent-Type: text/plain\r\n\r\none\r\n',
    '\r\nContent-Disposition: form-data; name="text"\r\n\r\ntwo\r\n',
    '\r\nContent-Disposition: form-data; name="text"\r\n\r\nthree\r\n',
    '\r\nContent-Disposition: form-data; name="owner"\r\nContent-Type: application/json\r\n\r\n{"id":1}\r\n',
    '--\r\n',
  ]);
});

test.each([['a'], [1], [null], [[{ a: 1 }]], [undefined]])('%j has no fields for a form', (value) => {
  for (const mediaType of ['application/x-www-form-urlencoded', 'multipart/form-data'])
    expect(written(value, mediaType)).toBeUndefined();
});

test('JSON is written elsewhere', () => {
  expect(written({ a: 1 }, 'application/json')).toBeUndefined();
});
