import { expect, test } from 'vitest';
import type { Received } from '../../model/exchange.ts';
import { judgeText } from './text-body.ts';

const DOCUMENTED = { schema: { type: 'string', pattern: '^[a-z]{2}$' }, bodyRequirement: 'Word' } as const;
const judged = (change: Partial<Received>, types: readonly string[] = ['text/plain']) =>
  judgeText({ status: 200, headers: [], body: 'ab', ...change }, DOCUMENTED, types);
const wrongIn = (...args: Parameters<typeof judged>) =>
  judged(...args).deviations.map(({ requirement }) => requirement);

test.each(['ab', 'ab\n', 'ab\r\n', '\ufeffab', '\ufeffab\r\n'])('%j has the shape', (body) => {
  expect(judged({ body })).toEqual({ met: ['Word'], deviations: [], hidden: [] });
});

test.each(['abc', 'ab\n\n', '\nab', 'ab\ncd', 'a\ufeffb', 'ab '])('%j has another one', (body) => {
  expect(wrongIn({ body })).toEqual(['Word']);
});

test.each(['utf-8', 'UTF-8', 'utf8', 'us-ascii', '"utf-8"'])('the charset %s is read', (charset) => {
  expect(wrongIn({ body: 'abc' }, [`text/plain; charset=${charset}`])).toEqual(['Word']);
});

test.each(['iso-8859-1', 'utf-16', 'x-utf-8', 'utf-8x', 'us-ascii-2'])(
  'what %s says is not judged',
  (charset) => {
    expect(judged({ body: 'abc' }, [`text/plain; charset=${charset}`])).toEqual({
      met: [],
      deviations: [],
      hidden: [],
    });
  },
);

test('another parameter is no charset', () => {
  expect(wrongIn({ body: 'abc' }, ['text/plain; x-charset=utf-16'])).toEqual(['Word']);
});

test('what cannot be decoded is not judged', () => {
  expect(judged({ body: 'abc', undecodable: 'not UTF-8' })).toEqual({ met: [], deviations: [], hidden: [] });
});
