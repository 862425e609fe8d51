import { expect, test } from 'vitest';
import { describe } from '../../../src/contract/describe.ts';
import { run } from '../../../src/index.ts';
import { counted } from '../../../src/model/report/report.ts';
import { requestWords } from '../../../src/report/facts/request-counts.ts';
import { renderMarkdown } from '../../../src/report/formats/markdown.ts';
import { renderHtml } from '../../../src/report/html/index.ts';
import { renderStart } from '../../../src/report/text/announcement.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { type Difference, shelvesFolder, startShelves } from '../writing/shelves.ts';

const BOXES = { 'requirements.yaml': 'noun: box\nrequirements: []\n' };

async function written(difference?: Difference) {
  const { baseUrl } = await startShelves(difference);
  return run({ baseUrl, interface: shelvesFolder(BOXES), write: true });
}

/** The words of a page, without its marks. */
const wordsOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('a run by an interface of the user says what it creates in the words of the interface', async () => {
  const { contract, checks } = await interfaceOf({ interface: shelvesFolder(BOXES) });
  const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://127.0.0.1:9', interface: 'x', write: true };
  const start = renderStart(contract, makePlan(contract, checks, options), options);
  expect(start).toMatch(/; at most \d+ boxes created, changed, and removed at the end/);
  const report = await written();
  expect(requestWords(report)).toMatch(/^\d+ requests, 6 boxes created, 6 removed$/);
  const page = wordsOf(renderHtml(report));
  expect(page).toContain('6 boxes created, 6 removed. Everything that was created was removed.');
  expect(page).toContain('Shelves 1.0.0');
  for (const text of [start, page, renderMarkdown(report)])
    expect(text).not.toMatch(/animal|things? (?:added|created)|Messages at|petspec’s words/);
});

test('what a removal leaves is still there, whatever the response to the removal was', async () => {
  const report = await written(({ method }) => (method === 'DELETE' ? { status: 204 } : undefined));
  const left = report.requirements.find(({ id }) => id === 'open.left-over')?.observed;
  expect(left).toMatch(/^created and still there: .*\/shelves\/\d+/);
});

test('a list without entries: the reason names the value that is missing, and how to state it', async () => {
  const { baseUrl } = await startShelves(({ path }) =>
    path === '/shelves' ? { status: 200, value: [] } : undefined,
  );
  const { requirements } = await run({ baseUrl, interface: shelvesFolder() });
  expect(requirements.find(({ id }) => id === 'getShelf.200')).toMatchObject({
    status: 'not-tested',
    reason: 'no response showed a value for {shelfId}; state one with --example',
  });
});

test('alternatives have their names, and one character is one', () => {
  const power = { 'x-component': 'Power', type: 'object' };
  expect(describe({ oneOf: [power, { 'x-component': 'Hand', type: 'object' }] })).toBe('a Power or a Hand');
  expect(describe({ anyOf: [power, { type: 'string', minLength: 1 }] })).toBe(
    'a Power or a string of at least 1 character',
  );
});

test.each([
  [1, 'book', '1 book'],
  [2, 'book', '2 books'],
  [2, 'category', '2 categories'],
  [2, 'key', '2 keys'],
  [2, 'box', '2 boxes'],
  [2, 'branch', '2 branches'],
  [0, 'class', '0 classes'],
])('%d of a noun: %s', (number, noun, words) => {
  expect(counted(number, noun)).toBe(words);
});
