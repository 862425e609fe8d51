import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';
import { BASE, entryOf, harText } from '../../test/recordings/entries.ts';

const { petspec, inFolder, reportIn } = testedCommandLine('a-key');

const ok = { description: 'x' };
const media = (type: string) => ({ 200: { ...ok, content: { [type]: {} } } });
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': { get: { responses: media('application/json') } },
    '/live': { get: { responses: media('text/event-stream') } },
    '/lines': { get: { responses: media('application/x-ndjson') } },
    '/odd/{it}': { get: { responses: media('application/json') } },
  },
};
beforeAll(() => writeFileSync(inFolder('notes.json'), JSON.stringify(DOCUMENT)));

const HIT = { answer: { Age: '12' } };
const BARE = {
  more: { response: { status: 200, headers: [], content: { size: 2, mimeType: '', text: '[]' } } },
};
const GONE = { more: { response: { status: 0, headers: [], content: {} } } };
const at = (path: string, more: object = {}) => entryOf({ path, body: [], ...more });

/** What judge says of these entries, of which none can be judged. */
async function reasonFor(entries: readonly object[], baseUrl = BASE) {
  writeFileSync(inFolder('some.har'), harText(entries));
  await petspec('judge', 'some.har', '--interface', 'notes.json', '--base-url', baseUrl, '--out', 'out');
  const { because, hints } = reportIn('out');
  return { because, hints };
}

test.each<[what: string, entries: readonly object[], because: string]>([
  ['a cache', [at('/notes', HIT)], '1 entry not judged: the response came from a cache'],
  [
    'a stream of events',
    [at('/live'), at('/live')],
    '2 entries not judged: the operation answers with a stream, which petspec does not judge',
  ],
  [
    'a stream of lines',
    [at('/lines')],
    '1 entry not judged: the operation answers with a stream, which petspec does not judge',
  ],
  [
    'an operation that petspec cannot judge',
    [at('/odd/1')],
    '1 entry not judged: petspec judges nothing of the operation; the dry run of petspec run says why',
  ],
  [
    'headers that were not recorded',
    [at('/notes', BARE)],
    '1 entry not judged: the headers of the response were not recorded',
  ],
  ['no response', [at('/notes', GONE)], '1 entry not judged: no response'],
  [
    'several reasons',
    [at('/notes', HIT), at('/notes', HIT), at('/live'), at('/others'), at('/notes', BARE)],
    '5 entries not judged (1: the interface has no such operation at this address; 1: the operation answers with a stream, which petspec does not judge; 2: the response came from a cache; 1: the headers of the response were not recorded)',
  ],
  [
    'paths that the interface does not have',
    [at('/others')],
    `no request is for an operation of the interface at ${BASE} (1: the interface has no such operation at this address)`,
  ],
])('entries that are left out because of %s are named so, and counted', async (_, entries, because) => {
  expect(await reasonFor(entries)).toEqual({ because, hints: undefined });
});

test('another base URL is named, as what the user named has nothing', async () => {
  const { because, hints } = await reasonFor([at('/notes')], 'https://api.example.com/v2');
  expect(because).toBe(
    'no request is for an operation of the interface at https://api.example.com/v2 (1: sent to another base URL)',
  );
  expect(hints).toMatchObject([{ kind: 'other-base', text: expect.stringContaining(BASE) }]);
});

const FOREIGN: [what: string, content: object | string | Buffer][] = [
  [
    'a Postman collection',
    {
      info: { name: 'x', schema: 'https://schema.getpostman.com/json/collection/v2.0.0/collection.json' },
      item: [],
    },
  ],
  ['a Postman collection', { item: [{ request: { method: 'GET' } }], info: { _postman_id: 'x' } }],
  ['an Insomnia export', { _type: 'export', __export_format: 4, resources: [] }],
  ['an OpenAPI document', DOCUMENT],
  ['a Swagger document', { info: {}, swagger: '2.0', paths: {} }],
  ['a report.json of petspec', { schemaVersion: 1, suite: { name: 'petspec' }, exchanges: [] }],
  ['an OpenAPI document', 'info: { title: t }\nopenapi: 3.0.0\npaths: {}\n'],
  ['a Bruno request', 'meta {\n  name: list\n}\n\nget {\n  url: http://a.test\n}\n'],
  ['a curl command', "curl -H 'Accept: */*' http://a.test\n"],
  ['a web page', '<!DOCTYPE html><html></html>'],
  ['a ZIP archive', Buffer.from('PK\u0003\u0004\u0014\0\0\0')],
  ['a zstd file', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x05, 0x29])],
  ['an xz file', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0])],
];

test.each(FOREIGN)('%s is not a recording, on one line, on many, and packed', async (what, content) => {
  const texts =
    typeof content === 'string' || Buffer.isBuffer(content)
      ? [content]
      : [
          JSON.stringify(content),
          JSON.stringify(content, null, 2),
          `\ufeff${JSON.stringify(content, null, '\t')}\n`,
        ];
  for (const text of [...texts, gzipSync(texts[0] ?? '')]) {
    writeFileSync(inFolder('other'), text);
    const { status, err } = await petspec('judge', 'other', '--out', 'out');
    expect(err).toMatch(new RegExp(`^petspec: other: ${what} is not a recording; [^\\n]+\\n$`));
    expect(status).toBe(2);
  }
});

test('a recording may hold what looks like another file', async () => {
  const entry = entryOf({ body: '{"_postman_id": 1}' });
  writeFileSync(inFolder('lines'), `${JSON.stringify(entry)}\n`);
  const { err } = await petspec('judge', 'lines', '--out', join('out'));
  expect(err).toBe('');
});
