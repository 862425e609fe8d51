import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const { petspec, inFolder } = testedCommandLine();

/** A document with one list of books: of what it says of a title, and of its statuses. */
const document = (title: string, required: string, statuses = "'200'") => `
openapi: 3.1.0
info: { title: Books, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        ${statuses}:
          description: The books.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
components:
  schemas:
    Book:
      type: object
      required: [${required}]
      properties:
        title: ${title}
        pages: { type: integer }
`;

/** A recording of one list. */
const recorded = (books: readonly object[]) =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a test', version: '1' },
      entries: [
        {
          startedDateTime: '2026-11-28T12:00:00.000Z',
          time: 5,
          request: {
            method: 'GET',
            url: 'https://books.example/books',
            httpVersion: 'HTTP/1.1',
            headers: [{ name: 'accept', value: 'application/json' }],
          },
          response: {
            status: 200,
            statusText: 'OK',
            httpVersion: 'HTTP/1.1',
            headers: [
              { name: 'content-type', value: 'application/json' },
              { name: 'date', value: 'Sat, 28 Nov 2026 12:00:00 GMT' },
            ],
            content: { mimeType: 'application/json', text: JSON.stringify(books) },
          },
        },
      ],
    },
  });

function folderWith(books: readonly object[]): string {
  const folder = mkdtempSync(inFolder('diff-'));
  writeFileSync(join(folder, 'old.yaml'), document('{ type: string }', 'title, pages'));
  writeFileSync(join(folder, 'new.yaml'), document('{ type: string, maxLength: 4 }', 'title'));
  writeFileSync(join(folder, 'traffic.har'), recorded(books));
  return folder;
}

test('says what tightens and what loosens, by the sentences', async () => {
  const folder = folderWith([]);
  const { status, out } = await petspec('diff', join(folder, 'old.yaml'), join(folder, 'new.yaml'));
  expect(status).toBe(0);
  expect(out).toMatch(/^2 requirements that differ$/m);
  expect(out).toMatch(/^Tighter: .*\n {2}must Book\.title: .*at most 4 characters.*\n {4}before: must: /m);
  expect(out).toMatch(/^Looser: .*\n {2}must Book\.pages: .*absent.*\n {4}before: must: .*required/m);
});

describe('recorded traffic', () => {
  test('that violates the newer version alone is shown, and exits 1', async () => {
    const folder = folderWith([{ title: 'A long title', pages: 3 }]);
    const files = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
    const { status, out } = await petspec('diff', ...files, '--against', join(folder, 'traffic.har'));
    expect(status).toBe(1);
    expect(out).toMatch(
      /1 exchange of .*traffic\.har: 1 requirement violated that the older version does not find violated/,
    );
    expect(out).toMatch(/✗ Book\.title: .*\n {4}#1 GET https:\/\/books\.example\/books -> 200/);
    const { out: json } = await petspec('diff', ...files, '--against', join(folder, 'traffic.har'), '--json');
    expect(JSON.parse(json).against.broken).toMatchObject([
      { requirement: 'Book.title', exchanges: [{ id: 1, method: 'GET', status: 200 }] },
    ]);
  });

  test('that conforms to both breaks nothing, and what was violated before is no news', async () => {
    for (const books of [[{ title: 'Emma', pages: 3 }], [{ title: 5 }]]) {
      const folder = folderWith(books);
      const files = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
      const { status, out } = await petspec('diff', ...files, '--against', join(folder, 'traffic.har'));
      expect({ status, out }).toMatchObject({
        status: 0,
        out: expect.stringContaining('no requirement is violated that was not violated before'),
      });
    }
  });
});

test('of a recording with several servers, the one to judge is named', async () => {
  const folder = folderWith([]);
  const [one, other] = [recorded([{ title: 'A long title', pages: 3 }]), recorded([])].map((each) =>
    JSON.parse(each),
  );
  other.log.entries[0].request.url = 'https://other.example/books';
  one.log.entries.push(...other.log.entries);
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify(one));
  const words = [
    join(folder, 'old.yaml'),
    join(folder, 'new.yaml'),
    '--against',
    join(folder, 'traffic.har'),
  ];
  const { status, err } = await petspec('diff', ...words);
  expect({ status, err }).toMatchObject({
    status: 2,
    err: expect.stringContaining('name one with --base-url'),
  });
  expect(await petspec('diff', ...words, '--base-url', 'https://books.example')).toMatchObject({ status: 1 });
  expect(await petspec('diff', ...words, '--base-url', 'https://other.example')).toMatchObject({ status: 0 });
});

test('a recording of something else is no proof: exit 3, and where to ask why', async () => {
  const folder = folderWith([]);
  writeFileSync(join(folder, 'traffic.har'), recorded([]).replaceAll('/books', '/films'));
  const files = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
  const { status, out } = await petspec('diff', ...files, '--against', join(folder, 'traffic.har'));
  expect(status).toBe(3);
  expect(out).toMatch(/^Nothing of .*traffic\.har could be judged; petspec judge /m);
});

test('versions of the requirements of the animal store are compared by their numbers', async () => {
  const { status, out } = await petspec('diff', '0.1.0', '0.3.0', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(out).changes).toContainEqual(
    expect.objectContaining({ id: 'authentication.first', change: 'appears' }),
  );
  expect(await petspec('diff', '0.3.0', '0.3.0')).toMatchObject({ out: 'No requirement differs\n' });
});

test('what is neither a file nor a version is refused in a line', async () => {
  expect(await petspec('diff', 'nothing.yaml', '0.3.0')).toEqual(
    expect.objectContaining({
      status: 2,
      err: expect.stringMatching(
        /^petspec: no such file 'nothing\.yaml'; name an OpenAPI document.*0\.1\.0.*\n$/,
      ),
    }),
  );
});
