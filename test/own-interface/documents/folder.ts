import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DOCUMENT } from '../bookshop.ts';

const SUITE = new URL('../../../src/suite.ts', import.meta.url).href;

/** A check that no two books of a list have the same title, as its user writes it. */
export const TITLES = `import { eachExchange } from 'petspec/suite';
export const checks = [
  eachExchange({ requirement: 'books.titles', probes: ({ operation }) => operation === 'GET /books' }, ({ value }) => {
    const titles = (value.items ?? []).map(({ title }) => title);
    const twice = titles.find((title, index) => titles.indexOf(title) < index);
    if (twice === undefined) return titles.length > 0 ? 'held' : undefined;
    return { reason: 'two books have one title', expected: 'titles of their own', received: twice };
  }),
];
`;

export const SENTENCE =
  '{ id: books.titles, level: must, section: Books, statement: Every book has a title of its own. }';

/**
 * A folder with the bookshop's document, for one test.
 * @param files the others, by their paths
 * @param suite what `petspec/suite` is for these files; by default the source
 */
export function folderWith(files: Readonly<Record<string, string>>, suite = SUITE): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(DOCUMENT, join(folder, 'openapi.yaml'));
  for (const each of ['suites', 'service']) mkdirSync(join(folder, each));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text.replaceAll("'petspec/suite'", `'${suite}'`));
  return folder;
}
