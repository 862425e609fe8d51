import { expect, test } from 'vitest';
import { isSequential, itemsOf, MAX_ITEMS, sequenceOf } from './sequences.ts';

test.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['application/jsonl', true],
  ['application/x-ndjson', true],
  ['application/json-seq', true],
  ['application/geo+json-seq', true],
  ['application/json', false],
  ['multipart/mixed', false],
  ['text/plain', false],
])('%s is a sequence that is read item by item: %s', (type, isRead) => {
  expect(isSequential(type)).toBe(isRead);
});

// The first is the example of OpenAPI 3.2, "Server-Sent Event Streams".
test.each<[string, string, unknown[]]>([
  [
    'fields, lines of data, unknown fields and comments',
    'event: addString\ndata: This data is formatted\ndata: across two lines\nretry: 5\n\nevent: addInt64\ndata: 1234.5678\nunknownField: this is ignored\n\n: This is a comment\nevent: addJSON\ndata: {"foo": 42}\n\n',
    [
      { event: 'addString', data: 'This data is formatted\nacross two lines', retry: 5 },
      { event: 'addInt64', data: '1234.5678' },
      { event: 'addJSON', data: '{"foo": 42}' },
    ],
  ],
  ['lines that end in CRLF and CR', 'data: a\r\n\r\ndata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
  ['a byte order mark', '\ufeffdata: a\n\n', [{ data: 'a' }]],
  ['an event that no blank line ends', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
  ['a block without data, whose retry is of no event', 'retry: 9\n\ndata: a\n\n', [{ data: 'a' }]],
  ['an id, and data without a value', 'id: 7\ndata\n\n', [{ data: '', id: '7' }]],
  ['a retry that is not a number', 'retry: soon\ndata: a\n\n', [{ data: 'a' }]],
  ['comments alone', ': keep-alive\n\n: keep-alive\n\n', []],
])('events: %s', (_what, body, events) => {
  expect(itemsOf('text/event-stream', body)).toEqual({ ok: true, value: events });
});

test.each<[string, string, string, unknown[] | string]>([
  ['lines', 'application/jsonl', '{"a":1}\n[2]\n', [{ a: 1 }, [2]]],
  ['a last line without an end', 'application/x-ndjson', '1\r\n2', [1, 2]],
  ['blank lines', 'application/x-ndjson', '1\n\n2\n\n', [1, 2]],
  ['nothing', 'application/jsonl', '', []],
  ['a line that is not JSON', 'application/jsonl', '1\n{"a":\n3\n', 'item 2: '],
  ['texts', 'application/json-seq', '\u001e{\n"a": 1\n}\n\u001e2\n', [{ a: 1 }, 2]],
  ['a last text that was cut', 'application/json-seq', '\u001e1\n\u001e{"a', [1]],
  ['a text in the middle that was cut', 'application/json-seq', '\u001e{"a\u001e2\n', 'item 1: '],
  ['no record separator', 'application/json-seq', '1\n2\n', 'record separator'],
])('%s of %s', (_what, type, body, expected) => {
  const read = itemsOf(type, body);
  if (typeof expected === 'string')
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining(expected) });
  else expect(read).toEqual({ ok: true, value: expected });
});

test('no more items are read than are judged', () => {
  const read = itemsOf('application/jsonl', `${'1\n'.repeat(MAX_ITEMS)}{"`);
  expect(read.ok && Array.isArray(read.value) ? read.value.length : 0).toBe(MAX_ITEMS);
});

test.each(['text/event-stream', 'application/jsonl', 'application/json-seq'])(
  'what is written as %s is read again',
  (type) => {
    const items = [{ data: 'one\ntwo', event: 'e' }, { data: '' }];
    expect(itemsOf(type, sequenceOf(type, items))).toEqual({ ok: true, value: items });
  },
);
