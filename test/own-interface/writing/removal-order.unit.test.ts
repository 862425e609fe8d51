import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { shelvesFolder, startShelves } from './shelves.ts';

test('the parts of a thing are removed before it, so a service may refuse to remove what has parts', async () => {
  const { baseUrl, store, asked } = await startShelves(({ method, path }, _, things) => {
    const hasParts = [...things.keys()].some((each) => each.startsWith(`${path}/books/`));
    return method === 'DELETE' && hasParts ? { status: 409 } : undefined;
  });
  const report = await run({ baseUrl, interface: shelvesFolder(), write: true });
  const found = (wanted: string) => report.requirements.find(({ id }) => id === wanted);
  expect(found('getShelf.removed')?.status).toBe('met');
  expect(found('open.left-over')?.observed).toBe('everything that was created was removed');
  expect(found('open.refusals')?.observed).not.toContain('remove');
  expect([...store.keys()]).toEqual(['/shelves/1']);
  const paths = asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  // What is gone is asked for once more, to see the 404 of its removal.
  const isAgain = (path: string, index: number) => path === paths[index - 1];
  expect(paths.filter((path, index) => !isAgain(path, index))).toEqual([...new Set(paths)]);
});

test('what a service removes with the thing that it is a part of is not removed once more', async () => {
  const { baseUrl, store, asked } = await startShelves();
  await run({ baseUrl, interface: shelvesFolder(), write: true });
  const removals = asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  const firstShelf = removals.findIndex((each) => /^\/shelves\/\d+$/.test(each));
  const lastBook = removals.findLastIndex((each) => each.includes('/books/'));
  expect([...store.keys()]).toEqual(['/shelves/1']);
  expect(lastBook).toBeLessThan(firstShelf);
});

test.each<[what: string, answer: { status: number; value?: unknown }, wrong: readonly string[]]>([
  ['an undocumented success', { status: 200, value: {} }, ['removeShelf.204']],
  ['a failure', { status: 500 }, ['removeShelf.responses']],
  ['the success once more', { status: 204 }, []],
  ['another refusal', { status: 410 }, []],
])('the removal of what was removed before may be refused or repeated: %s', async (_, answer, wrong) => {
  const { baseUrl } = await startShelves(({ method, path }, _asked, things) =>
    method === 'DELETE' && !things.has(path) ? answer : undefined,
  );
  const report = await run({ baseUrl, interface: shelvesFolder(), write: true });
  const violated = report.requirements.filter(({ status }) => status === 'violated').map(({ id }) => id);
  expect(violated.sort()).toEqual([...wrong].sort());
});
