import { expect, test } from 'vitest';
import type { FieldEncoding, Schema } from '../model/contract.ts';
import { parseJson, rawNumber } from '../model/json.ts';
import type { RequestVariation } from '../model/probe.ts';
import { writeBody, writeJson } from './write-body.ts';

const written = (
  value: unknown,
  mediaType: string,
  schema: Schema = {},
  encoding: Record<string, FieldEncoding> = {},
) => writeBody(value, { required: true, mediaType, schema, encoding, unspecified: [] });

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

test('a field of a form is JSON if the document says so', () => {
  const encoding = { tags: { contentType: 'application/json' } };
  expect(
    written({ tags: ['x', 'y'], size: 1 }, 'application/x-www-form-urlencoded', {}, encoding)?.text,
  ).toBe('tags=%5B%22x%22%2C%22y%22%5D&size=1');
});

test.each([
  ['image/jpeg', 'image/jpeg', 'jpeg'],
  ['image/webp, image/png', 'image/webp', 'webp'],
  ['image/*', 'image/png', 'png'],
  ['image/*;q=0.8', 'image/png', 'png'],
  // RFC 7578 section 4.4: a type that is not known.
  ['font/*', 'application/octet-stream', 'txt'],
  ['*', 'text/plain', 'txt'],
  ['text/plain\r\nX-Evil: 1', 'text/plain', 'txt'],
])('a file for which the document states %j', (contentType, type, extension) => {
  const schema: Schema = { properties: { file: { 'x-binary': true } } };
  const sent = written({ file: 'x' }, 'multipart/form-data', schema, { file: { contentType } });
  expect(sent?.text.split('\r\n').slice(1, -2)).toEqual([
    `Content-Disposition: form-data; name="file"; filename="file.${extension}"`,
    `Content-Type: ${type}`,
    '',
    'x',
  ]);
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

const ORDER: RequestVariation = { id: 'field-order', kind: 'field-order' };
const space = (style: 'spaces' | 'lines'): RequestVariation => ({ id: style, kind: 'json-space', style });
const escapes = (style: 'unicode' | 'solidus' | 'names'): RequestVariation => ({
  id: style,
  kind: 'json-escapes',
  style,
});

const value = {
  name: 'Zoë </b> "🐈" \\ \n-abcdefgh',
  categoryId: 9007199254740993n,
  tags: ['pending', [], {}],
  none: null,
  wéight: 1.5,
};

test.each<[string, RequestVariation[]]>([
  ['plain', []],
  ['in another order', [ORDER]],
  ['with blanks', [space('spaces')]],
  ['in lines', [space('lines'), ORDER]],
  ['with escapes', [escapes('unicode'), space('lines')]],
  ['with escaped slashes', [escapes('solidus')]],
  ['with escaped names', [escapes('names'), space('spaces'), ORDER]],
])('%s: another text, the same value', (_, variations) => {
  const text = writeJson(value, variations);
  expect(text === writeJson(value, [])).toBe(variations.length === 0);
  expect(parseJson(text)).toEqual({ ok: true, value });
});

test('white space is around every token', () => {
  expect(writeJson({ a: [1, 'b'] }, [space('spaces')])).toBe(' { "a" : [ 1 , "b" ] } ');
  expect(writeJson({ a: 1, b: 2 }, [space('lines')])).toBe('\n{\r\n\t"a"\t:\n1\r\n\t,"b"\t:\n2\n}\r\n');
});

test('characters beyond the basic plane are escaped as pairs, and a digit may be in either case', () => {
  expect(writeJson('a🐈é', [escapes('unicode')])).toBe('"\\u0061\\ud83d\\uDC08\\u00e9"');
  expect(writeJson({ name: 'é/' }, [escapes('names')])).toBe('{"\\u006eame":"é/"}');
  expect(writeJson('</b>', [escapes('solidus')])).toBe('"<\\/b>"');
});

test('the letters that make a text unique are not escaped', () => {
  expect(writeJson('Ré-abcdefgh', [escapes('unicode')])).toBe('"\\u0052\\u00e9-abcdefgh"');
});

test('numbers stay as they are', () => {
  const text = writeJson([rawNumber('9223372036854775808'), 1n], [space('spaces')]);
  expect(text).toBe(' [ 9223372036854775808 , 1 ] ');
});
