import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { KEY, startBookshop } from '../bookshop.ts';
import { folderWith, SENTENCE, TITLES } from './folder.ts';

const REQUIREMENTS = `requirements:\n  - ${SENTENCE}\n`;
const WHOLE = { 'requirements.yaml': REQUIREMENTS, 'suites/titles.mjs': TITLES };

async function reportOf(folder: string, items?: readonly object[]) {
  const { baseUrl, usualBook } = await startBookshop(
    items
      ? {
          answer: ({ path }, own) =>
            path === '/books' ? { ...own, value: { items, next: null } } : undefined,
        }
      : {},
  );
  const report = await run({ baseUrl, apiKey: KEY, interface: folder });
  return { report, usualBook, of: (id: string) => report.requirements.find((each) => each.id === id) };
}

test('a sentence of requirements.yaml is judged by the check of suites/', async () => {
  const { report, usualBook, of } = await reportOf(folderWith(WHOLE));
  expect([report.verdict, of('books.titles')?.status]).toEqual(['conformant', 'met']);
  const other = { ...usualBook, id: '1b9c1c4e-6f2d-4b3a-9d2f-1c2b3a4d5e6f' };
  const twice = await reportOf(folderWith(WHOLE), [usualBook, other]);
  expect(twice.report.requirements.filter(({ status }) => status === 'violated')).toEqual([
    expect.objectContaining({ id: 'books.titles', reason: 'two books have one title', received: 'Faust' }),
  ]);
});

test('a sentence about what the document implies says how much that binds', async () => {
  const stated = '{ id: getBook.404, level: must, section: Books, statement: An unknown book gets 404. }';
  const folder = folderWith({ 'requirements.yaml': `requirements:\n  - ${stated}\n` });
  const { baseUrl } = await startBookshop({
    answer: (_, own) => (own.status === 404 ? { ...own, status: 200 } : undefined),
  });
  const strict = await run({ baseUrl, apiKey: KEY, interface: folder });
  expect(strict.requirements.find(({ id }) => id === 'getBook.404')).toMatchObject({
    level: 'must',
    statement: 'An unknown book gets 404.',
    status: 'violated',
  });
  const usual = await run({ baseUrl, apiKey: KEY, interface: folderWith({}) });
  expect(usual.requirements.find(({ id }) => id === 'getBook.404')?.status).toBe('advisory');
});

test('a check that throws leaves its sentence untested, and says so', async () => {
  const broken = TITLES.replace('(value.items ?? [])', 'value.none');
  const { report, of } = await reportOf(folderWith({ ...WHOLE, 'suites/titles.mjs': broken }));
  expect(report.verdict).toBe('incomplete');
  expect(of('books.titles')).toMatchObject({
    status: 'not-tested',
    reason: expect.stringMatching(/^its check in .*suites threw TypeError: /),
  });
});

test.each([
  ['no check of a sentence', { 'requirements.yaml': REQUIREMENTS }, 'nothing judges books.titles'],
  [
    'no sentence for a check',
    { 'suites/titles.mjs': TITLES },
    'a check judges books.titles, which requirements.yaml does not list',
  ],
  [
    'a sentence about a status that nothing shows',
    {
      'requirements.yaml':
        "requirements:\n  - { id: 'getBook.4XX', level: must, section: B, statement: S. }\n",
    },
    'nothing judges getBook.4XX',
  ],
  [
    'a check that looks at no request that petspec sends',
    { ...WHOLE, 'suites/titles.mjs': TITLES.replace('GET /books', 'GET /boks') },
    'no request that petspec sends tests books.titles; let its check look at other probes',
  ],
  [
    'a status that binds, and that no request asks for',
    {
      'requirements.yaml':
        'requirements:\n  - { id: "PUT /books/{bookId}.404", level: must, section: B, statement: S. }\n',
      'suites/none.mjs': 'export const checks = [];\n',
    },
    'no request that petspec sends tests PUT /books/{bookId}.404; add a check of it to suites/',
  ],
  [
    'a check whose choice of probes breaks',
    { ...WHOLE, 'suites/titles.mjs': TITLES.replace("operation === 'GET /books'", 'operation.none.such') },
    'the check of books.titles threw TypeError: Cannot read',
  ],
  ['a file without checks', { 'suites/a.mjs': 'export const check = 1;\n' }, 'exports no list named checks'],
  [
    'an export that is not a check',
    { 'suites/a.mjs': "export const checks = [{ requirement: 'a' }];\n" },
    'entry 1 of checks is not a check',
  ],
  [
    'a file that breaks',
    { 'suites/a.mjs': "throw new Error('no\\nluck');\n" },
    'cannot be imported: Error: no luck',
  ],
  [
    'two checks of one sentence',
    { ...WHOLE, 'suites/more.mjs': TITLES },
    'two checks judge books.titles; leave one out',
  ],
  [
    'a sentence twice',
    { ...WHOLE, 'requirements.yaml': `requirements:\n  - ${SENTENCE}\n  - ${SENTENCE}\n` },
    'requirements.yaml: books.titles is listed twice',
  ],
  [
    'an entry without a level',
    { 'requirements.yaml': 'requirements:\n  - { id: a }\n' },
    'entry 1 (a) needs id',
  ],
  [
    'a number in place of the list',
    { 'requirements.yaml': 'requirements: 7\n' },
    'requirements.yaml: /requirements must be array',
  ],
])('%s: one line says it', async (_, files, words) => {
  const reading = interfaceOf({ interface: folderWith(files as Record<string, string>) });
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/^UsageError: --interface: [^\n]+$/);
  expect(String(error)).toContain(words);
});

test('a sentence about an operation that only examples allow is no mistake', async () => {
  const check = TITLES.replaceAll('books.titles', 'books.gone').replace('GET /books', 'DELETE /books');
  const sentence = SENTENCE.replace('books.titles', 'books.gone');
  const folder = folderWith({
    'requirements.yaml': `requirements:\n  - ${sentence}\n`,
    'suites/gone.mjs': check,
  });
  const { contract } = await interfaceOf({ interface: folder });
  expect(contract.requirements.map(({ id }) => id)).toContain('books.gone');
});
