import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { json } from '../../../test/exchanges/json.ts';
import { type Fields, isSame, seenIn } from './fields.ts';

const seen = (sent: string | undefined, shown: string) =>
  seenIn(
    exchange({ ...(sent === undefined ? {} : { requestBody: sent }) }),
    exchange({ response: { status: 200, headers: [], body: shown } }),
  );

const TEXT = '{"a":"b"}';
test.each<[sent: string | undefined, shown: string]>([
  [undefined, TEXT],
  ['', TEXT],
  [TEXT, ''],
  ['[{"a":"b"}]', TEXT],
  [TEXT, 'null'],
])('of %s and %s nothing can be compared', (sent, shown) => {
  expect(seen(sent, shown)).toBeUndefined();
});

test.each<[sent: string, shown: string, asked: Fields, read: Fields]>([
  [TEXT, TEXT, { a: 'b' }, { a: 'b' }],
  [TEXT, '{"data":{"a":"c"}}', { a: 'b' }, { a: 'c' }],
  ['{"data":{"a":"b"}}', '{"data":{"a":"c","id":1}}', { a: 'b' }, { a: 'c', id: 1 }],
  ['{"data":{"a":"b"}}', '{"a":"c","id":1}', { a: 'b' }, { a: 'c', id: 1 }],
  ['{"data":{"a":"b"},"of":"c"}', TEXT, { data: { a: 'b' }, of: 'c' }, { a: 'b' }],
  // The only field that a change sends is no wrapper.
  [
    '{"owner":{"a":"b"}}',
    '{"a":"c","owner":{"a":"b"}}',
    { owner: { a: 'b' } },
    { a: 'c', owner: { a: 'b' } },
  ],
  ['{"owner":{"a":"b"}}', '{"data":{"a":"c","owner":{}}}', { owner: { a: 'b' } }, { a: 'c', owner: {} }],
])('the fields of %s and %s: %o, %o', (sent, shown, asked, read) => {
  expect(seen(sent, shown)).toEqual({ asked, answered: {}, shown: read });
});

const FORM = 'application/x-www-form-urlencoded';
const parts = [
  'name="a"\r\n\r\nb c',
  'name="n"; filename="n.txt"\r\nContent-Type: text/plain\r\n\r\nx',
  'name="a"\r\n\r\nd',
  'name="note"\r\n\r\ne',
];
// A part that states its type first may be a file, too.
const typed = '--x\r\nContent-Type: text/csv\r\nContent-Disposition: form-data; name="t"\r\n\r\n1,2\r\n';
const multipart = `${typed}${parts.map((each) => `--x\r\nContent-Disposition: form-data; ${each}\r\n`).join('')}--x--\r\n`;

test.each<[type: string, body: string, asked: Fields | undefined]>([
  [FORM, 'a=b+c&n=1&t=x&t=y&o[p]=q', { a: 'b c', n: '1', t: ['x', 'y'] }],
  ['multipart/form-data; boundary=x', multipart, { a: ['b c', 'd'], note: 'e' }],
  ['text/plain', 'a=b', undefined],
])('a form is read as %s', (type, requestBody, asked) => {
  const sent = exchange({ requestHeaders: [['Content-Type', type]], requestBody });
  const reading = exchange({ response: { status: 200, headers: [], body: TEXT } });
  expect(seenIn(sent, reading)?.asked).toEqual(asked);
});

test.each<[one: string, other: string, same: boolean]>([
  ['"Rex"', '"Rex"', true],
  ['"Rex"', '" rex "', true],
  ['"Rex  the dog"', '"Rex the dog"', true],
  ['"Rex"', '"Max"', false],
  ['"Rex the dog"', '"Rexthedog"', false],
  ['"2026-11-21T12:00:00Z"', '"2026-11-21T13:00:00+01:00"', true],
  ['"2026-11-21T12:00:00Z"', '"2026-11-21T13:00:00Z"', false],
  ['"2026-11-21T12:00:00Z"', '"at noon"', false],
  ['"May 1"', '"1 May"', false],
  ['"at 2026-11-21"', '"on 2026-11-21"', false],
  ['"2026-11-2"', '"2026-11-2 00:00"', false],
  ['1', '"1.0"', true],
  ['"1.0"', '1', true],
  ['1.50', '"1.5"', true],
  ['1', '2', false],
  ['9007199254740993', '9007199254740993', true],
  ['9007199254740993', '"9007199254740993"', true],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '"9007199254740992"', false],
  ['" 9007199254740993 "', '9007199254740993', true],
  ['-9007199254740993', '"-9007199254740992"', false],
  ['1e3', '"1000"', true],
  ['10.5', '"10"', false],
  ['""', '0', false],
  ['" "', '0', false],
  ['true', 'true', true],
  ['null', 'null', true],
  ['null', '0', false],
  ['true', '1', false],
  ['true', '"true"', true],
  ['true', '"false"', false],
  ['"false"', 'false', true],
  ['"true"', 'false', false],
  ['1', 'true', false],
  ['9007199254740993', '"9007199254740993"', true],
  ['9007199254740993', '"9007199254740994"', false],
  ['9007199254740993', '9007199254740992', false],
  ['"9007199254740993.5"', '9007199254740993', false],
  ['1.5', '" 1.50 "', true],
  ['""', '0', false],
  ['" "', '0', false],
  ['null', '0', false],
])('%s means the same as %s: %s', (one, other, same) => {
  expect(isSame(json(one), json(other))).toBe(same);
});
