import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import type { Json } from '../../../src/model/json.ts';
import { schemaOf } from '../document.ts';
import { documentWith, judged } from '../small-service.ts';

test.each<[what: string, schema: object, value: Json]>([
  [
    'a text or null',
    { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    '2024-01-31T12:00:00',
  ],
  [
    'one of two formats',
    {
      oneOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'email' },
      ],
    },
    'a',
  ],
  ['a list', { type: 'array', items: { type: 'string', format: 'email' } }, ['a']],
  ['a map', { type: 'object', additionalProperties: { type: 'string', format: 'email' } }, { a: 'b' }],
])('the format of a text that is no property of its own is not judged: %s', async (_, a, value) => {
  const schema = await schemaOf({ type: 'object', properties: { a } });
  expect(schemaErrors(schema, { a: value })).toEqual([]);
  expect(schemaErrors(schema, { a: 7 })).not.toEqual([]);
});

test.each<[format: string, right: string[], wrong: string[]]>([
  [
    'email',
    [
      ...['ann@example.com', 'root@localhost', 'a.b+c@x', '"a b"@example.org', 'ann@[192.0.2.1]'],
      ...['ann@[IPv6:2001:db8::1]', 'jürgen@exämple.de', "o'neil@sub.example.com"],
    ],
    [
      'ann',
      'ann@',
      '@example.com',
      'a b@example.com',
      'a@b@c',
      '.a@b',
      'a..b@c',
      'Ann <a@b.c>',
      'a@-b',
      'a@b..c',
      '',
    ],
  ],
  [
    'duration',
    ['P1D', 'PT0.5S', '-PT15M', 'P1Y2M3DT4H5M6,7S', 'P2W'],
    ['P', 'PT', '1D', '5 minutes', 'P1H', ''],
  ],
  ['byte', ['cGV0c3BlYw==', 'cGV0c3BlYw', 'a-_b', 'YWJj\r\nZGVm', ''], ['ä', 'a=b', 'a= =', '{}', 'abc===']],
])('nobody is advised about a %s that some standard allows', async (format, right, wrong) => {
  const value = { type: 'string', format };
  const schema = { type: 'object', properties: { value } };
  const path = documentWith({
    '/a': {
      get: {
        operationId: 'get',
        responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
      },
    },
  });
  for (const each of right)
    expect([each, (await judged(path, () => [200, { value: each }])).wrong]).toEqual([each, []]);
  for (const each of wrong)
    expect([each, (await judged(path, () => [200, { value: each }])).wrong]).toEqual([
      each,
      ['get.200.body.value.format'],
    ]);
});
