import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test as oneTest } from 'vitest';
import {
  concurrentTest as test,
  testedCommandLine,
} from '../../../../test/command-line/tested-command-line.ts';
import { entryOf, harText, REX } from '../../../../test/recordings/entries.ts';
import { entry } from '../../../../test/reports/history.ts';
import { interfaceOf } from '../../../run/contract-of.ts';

const { line, petspec, inFolder } = testedCommandLine();

const BASE = 'https://books.example';

/** A document of books: what it says of a title, which fields a book has to have, and what else it has. */
const document = (title: string, required: string, more = '') => `
openapi: 3.1.0
info: { title: Books, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [ { name: limit, in: query, schema: { type: integer, maximum: ${more === '' ? 50 : 100} } } ]
      responses:
        '200':
          description: The books.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
${more}
components:
  schemas:
    Book:
      type: object
      required: [${required}]
      properties: { title: ${title}, pages: { type: integer } }
`;

/** What only the older version has. */
const SINGLE = `
  /books/{id}:
    get:
      operationId: getBook
      deprecated: true
      x-sunset: '2030-12-05'
      parameters: [ { name: id, in: path, required: true, schema: { type: integer } } ]
      responses:
        '200':
          description: The book.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
`;

/** A response of the service of books. */
const answered = (path: string, body: unknown, agent = 'shop/1.2', at = 0) =>
  entryOf({ url: `${BASE}${path}`, body, at, key: null, headers: { 'User-Agent': agent } });

/** A folder with both versions and a recording. */
function folderWith(entries: readonly unknown[]) {
  const folder = mkdtempSync(inFolder('diff-'));
  const [older, newer, traffic] = ['old.yaml', 'new.yaml', 'traffic.har'].map((name) => join(folder, name));
  writeFileSync(older ?? '', document('{ type: string }', 'title, pages', SINGLE));
  writeFileSync(newer ?? '', document('{ type: string, maxLength: 4 }', 'title'));
  writeFileSync(traffic ?? '', harText(entries));
  return { folder, files: [older ?? '', newer ?? ''], traffic: traffic ?? '', older: older ?? '' };
}

test('says what tightens and what loosens, by the sentences, and exits 1 as that may break', async () => {
  const { files, older } = folderWith([]);
  const { status, out } = await petspec('diff', ...files);
  expect(status).toBe(1);
  expect(out).toMatch(
    /^\d+ requirements differ; 1 may break a service .*; 1 may break its clients; clients may lose 1 operation$/m,
  );
  expect(out).toMatch(/^Operations that are gone \(1\)\n {2}GET \/books\/\{id\} \(getBook\)$/m);
  expect(out).toMatch(/^Tighter: .*\n {2}must Book\.title: .*at most 4 characters.*\n {4}before: must: /m);
  expect(out).toMatch(/^Tighter for clients: .*\n {2}must client\.listBooks\.limit: .*at most 50/m);
  expect(out).toMatch(/^Looser: .*\n {2}must Book\.pages: .*absent.*\n {4}before: must: .*required/m);
  expect(await petspec('diff', older, older)).toMatchObject({ status: 0, out: 'No requirement differs\n' });
});

describe('recorded traffic', () => {
  const EMMA = { title: 'Emma', pages: 3 };
  const LONG = { title: 'A long title', pages: 3 };

  test('that keeps the older version and not the newer one is shown with its clients, by a process', async () => {
    const entries = [
      answered('/books', [EMMA]),
      answered('/books', [LONG], 'shop/1.2', 10),
      answered('/books', [LONG], 'curl/8.5', 20),
      answered('/books?limit=80', [EMMA], 'curl/8.5', 30),
      answered('/books/1', EMMA, 'old-app/3', 40),
      // These violate the older version already.
      answered('/books', [{ title: 5 }], 'shop/1.2', 50),
    ];
    const { files, traffic } = folderWith(entries);
    const { status, out, err } = await line.petspec('diff', ...files, '--against', traffic);
    expect({ status, err }).toEqual({ status: 1, err: '' });
    const part = out.slice(out.indexOf('5 exchanges of'));
    expect(part.split('\n')).toEqual([
      `5 exchanges of ${traffic} conform to the older version; with the newer one, 3 things break for 3 clients`,
      '  1 exchange violated the older version already and is not compared',
      '  ✗ GET /books/{id}: the newer version has no such operation',
      `    entry 5: GET ${BASE}/books/1 -> 200`,
      '    clients: old-app/3 (1)',
      '  ✗ Book.title: /0/title is not a string of at most 4 characters',
      '    expected title: a string of at most 4 characters',
      `    entry 2: GET ${BASE}/books -> 200`,
      '      received "A long title"',
      `    entry 3: GET ${BASE}/books -> 200`,
      '      received "A long title"',
      '    clients: shop/1.2 (1), curl/8.5 (1)',
      '  ✗ client.listBooks.limit: the parameter limit is not an integer of at most 50',
      '    expected limit: an integer of at most 50',
      `    entry 4: GET ${BASE}/books?limit=80 -> 200`,
      '      received limit=80',
      '    clients: curl/8.5 (1)',
      '',
    ]);
    const { out: json } = await petspec('diff', ...files, '--against', traffic, '--json');
    expect(JSON.parse(json).against).toMatchObject([
      {
        kind: 'recording',
        outcome: 'breaks',
        ...{ judged: 6, sound: 5, unjudged: 0 },
        breaks: [
          { kind: 'gone', clients: [{ client: 'old-app/3', exchanges: 1 }] },
          { kind: 'response', what: 'Book.title', count: 2, exchanges: [{ entry: 2 }, { entry: 3 }] },
          {
            kind: 'request',
            what: 'client.listBooks.limit',
            count: 1,
            exchanges: [{ entry: 4, status: 200 }],
          },
        ],
      },
    ]);
  });

  test('that conforms to both breaks nothing, whatever else differs', async () => {
    const { files, traffic } = folderWith([answered('/books?limit=50', [EMMA])]);
    const { status, out } = await petspec('diff', ...files, '--against', traffic);
    expect(status).toBe(0);
    expect(out).toContain(
      `1 exchange of ${traffic} conforms to the older version; with the newer one, nothing breaks`,
    );
  });

  test('however many exchanges break, each counts for its client', async () => {
    const entries = Array.from({ length: 25 }, (_, at) =>
      answered('/books', [LONG], `shop/${at % 2}`, at * 10),
    );
    const { files, traffic } = folderWith(entries);
    const { out } = await petspec('diff', ...files, '--against', traffic);
    expect(out).toMatch(/\n {4}and 22 more exchanges\n {4}clients: shop\/0 \(13\), shop\/1 \(12\)\n$/);
  });

  test('of which nothing keeps the older version tells nothing, and exits 3', async () => {
    const { files, traffic } = folderWith([answered('/books', [{ title: 5 }])]);
    const { status, out } = await petspec('diff', ...files, '--against', traffic);
    expect(status).toBe(3);
    expect(out).toContain(`None of 1 exchange of ${traffic} conforms to the older version`);
  });

  test('of something else is no proof: exit 3, and where to ask why', async () => {
    const { files, traffic } = folderWith([answered('/films', [])]);
    const { status, out } = await petspec('diff', ...files, '--against', traffic);
    expect(status).toBe(3);
    expect(out).toMatch(/^Nothing of .*traffic\.har could be judged; petspec judge /m);
  });

  test('of several servers: the one to judge is named', async () => {
    const other = entryOf({ url: 'https://other.example/books', body: [EMMA], key: null });
    const { files, traffic } = folderWith([answered('/books', [LONG]), other]);
    const words = [...files, '--against', traffic];
    expect(await petspec('diff', ...words)).toMatchObject({
      status: 2,
      err: expect.stringContaining('name one with --base-url'),
    });
    expect(await petspec('diff', ...words, '--base-url', BASE)).toMatchObject({ status: 1 });
    expect(await petspec('diff', ...words, '--base-url', 'https://other.example')).toMatchObject({
      status: 0,
    });
  });

  test('as of the day of a removal: which clients still use the operation', async () => {
    const { older, traffic } = folderWith([
      answered('/books', [EMMA]),
      answered('/books/1', EMMA, 'old-app/3', 10),
    ]);
    const on = (day: string) => petspec('diff', older, older, '--as-of', day, '--against', traffic);
    expect(await on('2030-12-04')).toMatchObject({ status: 0 });
    const { status, out } = await on('2030-12-06');
    expect(status).toBe(1);
    expect(out).toMatch(
      /^Operations that may be gone on 2030-12-06 \(1\)\n {2}GET \/books\/\{id\} \(getBook\): /m,
    );
    expect(out).toMatch(
      /✗ GET \/books\/\{id\}: the operation may be gone from 2030-12-05 on\n {4}entry 2: .*\n {4}clients: old-app\/3 \(1\)/,
    );
  });

  test('as of another day, petspec judge allows that the operation is gone', async () => {
    const { folder, older, traffic } = folderWith([
      answered('/books', [EMMA]),
      entryOf({ url: `${BASE}/books/1`, status: 410, body: {}, key: null, at: 10 }),
      answered('/books/1', EMMA, 'shop', 20),
    ]);
    const judge = (...more: string[]) =>
      petspec('judge', traffic, '--interface', older, '--out', join(folder, 'out'), ...more);
    const { status, out } = await judge('--as-of', '2030-12-06');
    expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining('as of 2030-12-06') });
    expect(await judge('--as-of', 'tomorrow')).toMatchObject({
      status: 2,
      err: expect.stringContaining('a day such as'),
    });
  });
});

describe('what holds no exchanges', () => {
  test('a history: which conformant releases would have to be run again', async () => {
    const { contract } = await interfaceOf({ set: '0.1.0' });
    const musts = contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
    const all = Object.fromEntries(musts.map((id) => [id, 'met' as const]));
    const old = { petspec: { version: '0.3.0', set: '0.1.0', interface: contract.digest } };
    const lines = [
      entry(0, all, { ...old, release: '1.4.0' }),
      entry(1, { ...all, 'listPets.200': 'violated' }, { ...old, release: '1.5.0' }),
      entry(2, all, { release: '1.6.0' }),
      entry(3, all, { petspec: { ...old.petspec, set: '0.3.0' }, release: '1.7.0' }),
    ];
    const file = inFolder('runs.jsonl');
    writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const { status, out } = await petspec('diff', '0.1.0', '0.3.0', '--against', file);
    expect(status).toBe(3);
    expect(out).toContain(`runs.jsonl, a history: 1 conformant release by the older version`);
    expect(out).toContain(
      `store 1.4.0 (2026-01-01): met ${musts.length} of these ${musts.length + 3} requirements; 3 are new\n`,
    );
    expect(out).toContain(
      'not compared: 1 not conformant, 1 judged by the newer version already, 1 judged by another interface',
    );
    expect(out).toContain('a history holds no exchanges');
    expect(await petspec('diff', '0.1.0', '0.1.0', '--against', file)).toMatchObject({ status: 0 });
  });

  test('a certificate: what its release passed, and what is new', async () => {
    mkdirSync(inFolder('certified'));
    const certified = await petspec('certify', '--set', '0.1.0', '--quiet', '--out', inFolder('certified'));
    expect(certified).toMatchObject({ status: 0 });
    const file = inFolder('certified', 'certificate.json');
    const { status, out } = await petspec('diff', '0.1.0', '0.3.0', '--against', file);
    expect(status).toBe(3);
    expect(out).toMatch(
      /certificate\.json, a certificate: 1 conformant release by the older version\n.*: met 68 of these 71 requirements; 3 are new\n/,
    );
    expect(out).toMatch(/a certificate holds no exchanges: .*; petspec verify checks its signature/);
    expect(await petspec('diff', '0.1.0', '0.1.0', '--against', file)).toMatchObject({ status: 0 });
    expect(await petspec('diff', '0.3.0', '0.3.0', '--against', file)).toMatchObject({
      status: 3,
      out: expect.stringContaining('1 judged by another interface or another set of requirements'),
    });
  });

  test('a baseline: entries that the newer version does not know, and what they may become', async () => {
    const { folder, files, older } = folderWith([]);
    const known = join(folder, 'known.yaml');
    const entries = ['getBook.200', 'Book.pages'].map(
      (id) =>
        `  - requirement: ${id}\n    comment: until May\n    seen:\n      - kind: shape\n        at: [ listBooks 200 ]\n`,
    );
    writeFileSync(known, `violations:\n${entries.join('')}`);
    const { status, out } = await petspec('diff', ...files, '--against', known);
    expect(status).toBe(1);
    expect(out).toMatch(
      /✗ getBook\.200 \(lines 2 to 6\): its requirement is gone, and petspec refuses a baseline/,
    );
    expect(out).toMatch(/Book\.pages \(lines 7 to 11\): more is allowed now/);
    expect(out).toContain('keeps the 1 requirement that may break shows only a run');
    expect(await petspec('diff', older, older, '--against', known)).toMatchObject({ status: 0 });
    writeFileSync(known, 'violations:\n  - requirement: nothing\n');
    expect(await petspec('diff', ...files, '--against', known)).toMatchObject({
      status: 2,
      err: expect.stringMatching(
        /^petspec: --against: .*known\.yaml, line 2, .*unknown requirement 'nothing'.*\n$/,
      ),
    });
  });
});

test('versions of the requirements of the animal store are compared by their numbers', async () => {
  const { status, out } = await petspec('diff', '0.1.0', '0.3.0', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(out).changes).toContainEqual(
    expect.objectContaining({
      id: 'authentication.first',
      party: 'service',
      change: 'appears',
      breaks: true,
    }),
  );
  expect(await petspec('diff', '0.3.0', '0.3.0')).toMatchObject({ out: 'No requirement differs\n' });
});

test('the animal store on the day after the removal of GET /pets/{petId}', async () => {
  const file = inFolder('store.har');
  writeFileSync(
    file,
    harText([
      entryOf(),
      entryOf({ path: '/pets/1', body: REX, at: 10, headers: { 'User-Agent': 'shop/1' } }),
    ]),
  );
  const words = ['diff', '0.3.0', '0.3.0', '--against', file];
  expect(await petspec(...words)).toMatchObject({ status: 0 });
  const { status, out } = await petspec(...words, '--as-of', '2030-12-06');
  expect({ status, out }).toMatchObject({ status: 1, out: expect.stringContaining('clients: shop/1 (1)') });
});

beforeAll(() => writeFileSync(inFolder('key.pem'), '-----BEGIN PRIVATE KEY-----\n'));

oneTest.each([
  [
    ['nothing.yaml', '0.3.0'],
    /^petspec: no such file 'nothing\.yaml'; name an OpenAPI document.*0\.1\.0.*\n$/,
  ],
  [['key.pem', '0.3.0'], /^petspec: key\.pem: (?!.*--interface).*\n$/],
  [['0.3.0', '0.3.0', '--against', 'nothing.har'], /^petspec: nothing\.har: no such file\n$/],
  [
    ['0.3.0', '0.3.0', '--against', '-'],
    /^petspec: --against reads a recording twice; name a file in place of -\n$/,
  ],
  [['0.3.0', '0.3.0', '--against', '.'], /^petspec: \.: is a folder; name the file in it\n$/],
  [['0.3.0', '0.3.0', '--as-of', 'May'], /a day such as 2030-12-06/],
])('%j is refused in a line', async (words, error) => {
  expect(await petspec('diff', ...words)).toMatchObject({ status: 2, err: expect.stringMatching(error) });
});
