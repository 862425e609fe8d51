import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { HeaderLine } from '../../model/exchange.ts';
import { decode } from './decode.ts';

const GZIP: HeaderLine[] = [['Content-Encoding', 'gzip']];

test.each(['gzip', 'br', 'deflate, gzip', 'zstd'])('a body without bytes is empty, also as %s', (coding) => {
  const headers: HeaderLine[] = [['Content-Encoding', coding]];
  expect(decode(204, headers, Buffer.alloc(0))).toEqual({ status: 204, headers, body: '' });
});

test('a compressed body that is cut, or not compressed at all, says what is wrong', () => {
  expect(decode(200, GZIP, gzipSync('[1,2,3]').subarray(0, 12)).undecodable).toContain('unexpected end');
  expect(decode(200, GZIP, Buffer.from('[]')).undecodable).toContain('incorrect header check');
});
