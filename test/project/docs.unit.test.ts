import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { bundledCatalogue } from '../../src/selfcheck/catalogue.ts';
import { coverageOf } from '../../src/selfcheck/coverage.ts';
import { allChecks } from '../../suites/index.ts';
import { behaviors } from '../hostile/behaviors/index.ts';
import { rowOf } from '../hostile/table.ts';
import { readFound } from '../real/stores/found.ts';
import { UNEXPLAINED, withStores } from '../real/stores/table.ts';

const pageOf = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const trust = pageOf('trust.md');
const contract = loadContract();
const coverage = coverageOf({ contract, checks: allChecks(contract) }, bundledCatalogue);

/** What a section of the interface is covered by, as a row of the matrix. */
function row(section: string): string {
  const own = coverage.filter((each) => each.section === section);
  const count = (level: string) => own.filter((each) => each.level === level).length;
  const by = (kind: 'faults' | 'variants') => new Set(own.flatMap((each) => each[kind])).size;
  return `| ${[section, count('must'), count('should'), by('faults'), count('open'), by('variants')].join(' | ')} |`;
}

test('the matrix of the page on trust is the one of the catalogue', () => {
  const rows = [...new Set(coverage.map(({ section }) => section))].map(row);
  expect(trust).toContain(rows.join('\n'));
});

test('the counts of the page on trust are those of the catalogue', () => {
  expect(trust).toContain(`${faults.length} faults and ${variants.length} variants`);
});

test('the faults of the stores that others wrote stand as they were found last, and what was missed is explained', () => {
  expect(withStores(trust, readFound())).toBe(trust);
  expect(trust).not.toContain(UNEXPLAINED);
});

test('the table of hostile targets is the one of their catalogue, each with its figures', () => {
  const [, table = ''] =
    /<!-- hostile -->\n\n([\s\S]*?)\n\n<!-- \/hostile -->/.exec(pageOf('hostile-targets.md')) ?? [];
  const rows = table.split('\n').slice(2);
  const measured = rows.map((each) => each.replace(/ \d+\.\d s \| \d+ MB \|$/, ''));
  expect(measured).toEqual(behaviors.map(rowOf));
});

const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'reports/README.md',
  'spec/README.md',
  ...readdirSync(new URL('../../docs/', import.meta.url), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test.each(PAGES)('each link of %s leads to a file and a heading that exist', (name) => {
  const page = new URL(`../../${name}`, import.meta.url);
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : new URL(path, page);
    if (!existsSync(file)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(PAGES)('each file of the code that %s names exists', (name) => {
  const page = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const files = [...page.matchAll(/(?<!\S)`?((?:src|suites|test|scripts|spec)\/[\w./-]+)/g)].map(
    ([, file = '']) => file,
  );
  const scripts = [...page.matchAll(/dist\/(scripts\/[\w/-]+)\.js/g)].map(([, script]) => `${script}.ts`);
  const missing = [...files, ...scripts].filter(
    (file) => !existsSync(new URL(`../../${file}`, import.meta.url)),
  );
  expect(missing).toEqual([]);
});

/** The names by which GitHub and GitLab link to the headings of a page. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
