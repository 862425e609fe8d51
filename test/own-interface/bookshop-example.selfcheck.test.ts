import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/model/usage-error.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { checkOwnInterface } from '../../src/selfcheck/own-interface.ts';
import { sampled } from '../nightly/sampled.ts';
import { folderWith } from './documents/folder.ts';

const SUITE = new URL('../../src/suite.ts', import.meta.url).href;
const BOOKSHOP = join(import.meta.dirname, '..', '..', 'examples', 'bookshop');

interface Bookshop {
  faults: readonly { id: string; violates: string }[];
  variants: readonly { id: string }[];
}

/** The bookshop in a folder of its own, whose suites are written with the source of petspec. */
function copied(service: string): string {
  const suites = ['paging', 'values'].map((name) => `suites/${name}.mjs`);
  const files = ['openapi.yaml', 'requirements.yaml', ...suites].map((name) => [
    name,
    readFileSync(join(BOOKSHOP, name), 'utf8'),
  ]);
  return folderWith({ ...Object.fromEntries(files), 'service/index.mjs': service }, SUITE);
}

const own = new URL('service/index.mjs', `file://${BOOKSHOP}/`).href;

/** What the bookshop says of itself. */
const { faults, variants }: Bookshop = await import(own);

test('faults of the bookshop are found, variants are silent, and every sentence can be violated', async () => {
  const chosen = [
    ...sampled(faults, 12, ({ id }) => id, 'faults of the bookshop'),
    ...sampled(variants, 4, ({ id }) => id, 'variants of the bookshop'),
  ].map(({ id }) => id);
  const folder = copied(`
    import * as all from ${JSON.stringify(own)};
    const chosen = ({ id }) => ${JSON.stringify(chosen)}.includes(id);
    export const start = all.start;
    export const [faults, variants] = [all.faults.filter(chosen), all.variants.filter(chosen)];
  `);
  const judging = await interfaceOf({ interface: folder });
  const { tried, uncovered } = await checkOwnInterface(folder, judging, () => {});
  expect(tried.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(tried.map(({ id }) => id)).toEqual(expect.arrayContaining(chosen));
  // What no fault that was tried violates, another one does.
  const violated = faults.map(({ violates }) => violates);
  expect(uncovered.filter((id) => !violated.includes(id))).toEqual([]);
}, 120_000);

test('a fault that nothing finds, a variant that is reported, and a sentence without a fault are told', async () => {
  const folder = copied(`
    import { faults, variants, start } from ${JSON.stringify(own)};
    const none = { id: 'none', summary: 'differs in nothing', violates: 'books.next' };
    export { start };
    const [list] = faults.filter(({ id }) => id === 'list-206');
    const { violates, ...variant } = list;
    const wrong = variant;
    export { kept as faults, others as variants };
    const kept = [none];
    const others = [wrong];
  `);
  const judging = await interfaceOf({ interface: folder });
  const { tried, uncovered } = await checkOwnInterface(folder, judging, () => {});
  expect(tried.map(({ id, problem }) => [id, problem])).toEqual([
    ['no change', undefined],
    ['none', 'told nothing, expected books.next'],
    ['list-206', 'told listBooks.200'],
  ]);
  expect(uncovered).toContain('books.cents');
  expect(uncovered).not.toContain('books.next');
});

test('a folder without a service has nothing to try', async () => {
  const folder = folderWith({});
  const judging = await interfaceOf({ interface: folder });
  await expect(checkOwnInterface(folder, judging, () => {})).rejects.toThrow('so there is nothing to try');
});

test('a file in place of the folder is told in one line', async () => {
  const file = join(folderWith({}), 'openapi.yaml');
  const judging = await interfaceOf({ interface: file });
  await expect(checkOwnInterface(file, judging, () => {})).rejects.toThrow(
    /^--interface: .* is not a folder/,
  );
});

test('a service may be an object whose close() needs itself', async () => {
  const folder = copied(`
    import { start as bookshop } from ${JSON.stringify(own)};
    class Shop {
      constructor(running) { Object.assign(this, { running, baseUrl: running.baseUrl }); }
      close() { return this.running.close(); }
    }
    export const start = async (settings) => new Shop(await bookshop(settings));
    export const [faults, variants] = [[], []];
  `);
  const judging = await interfaceOf({ interface: folder });
  const { tried } = await checkOwnInterface(folder, judging, () => {});
  expect(tried).toEqual([{ id: 'no change', kind: 'service' }]);
});

test.each([
  'undefined',
  '{}',
  "{ baseUrl: 'http://127.0.0.1:1' }",
  '{ close() {} }',
  "{ baseUrl: 'shop', close() {} }",
])('a service that starts as %s is a mistake of its author', async (running) => {
  const folder = copied(
    `export const [faults, variants] = [[], []]; export const start = async () => (${running});`,
  );
  const judging = await interfaceOf({ interface: folder });
  const tried = checkOwnInterface(folder, judging, () => {});
  await expect(tried).rejects.toThrow(UsageError);
  await expect(tried).rejects.toThrow(/index\.mjs: start returns no object with baseUrl and close\(\)$/);
});

test.each([
  ['at its import', "throw new Error('no\\nbooks');"],
  [
    'when it starts',
    "export const [faults, variants] = [[], []]; export const start = () => { throw new Error('no\\nbooks'); };",
  ],
  [
    'while it starts',
    "export const [faults, variants] = [[], []]; export const start = async () => { throw new Error('no\\nbooks'); };",
  ],
])('a service that fails %s is a mistake of its author', async (_when, service) => {
  const folder = copied(service);
  const judging = await interfaceOf({ interface: folder });
  const tried = checkOwnInterface(folder, judging, () => {});
  await expect(tried).rejects.toThrow(UsageError);
  await expect(tried).rejects.toThrow(/index\.mjs does not start: Error: no$/);
});

test('a seed draws how the requests to the service vary, as in a run', async () => {
  const folder = copied(`
    import { createServer } from 'node:http';
    export const faults = [];
    export const variants = [];
    export async function start() {
      const server = createServer(({ rawHeaders }, response) => {
        globalThis.sentHeads.push(rawHeaders.filter((_, index) => index % 2 === 0).join(' '));
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { baseUrl: 'http://127.0.0.1:' + server.address().port, close: () => server.close() };
    }
  `);
  const judging = await interfaceOf({ interface: folder });
  const headsOf = async (seed?: number) => {
    const sentHeads: string[] = [];
    Object.assign(globalThis, { sentHeads });
    await checkOwnInterface(folder, judging, () => {}, seed);
    return sentHeads.toSorted();
  };
  const [usual, again, other] = [await headsOf(), await headsOf(), await headsOf(7)];
  expect(usual.length).toBeGreaterThan(0);
  expect(again).toEqual(usual);
  expect(other).not.toEqual(usual);
});
