import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import { faults } from '../src/reference/faults/index.ts';
import { variants } from '../src/reference/variants/index.ts';
import { coverageOf } from '../src/selfcheck/coverage.ts';
import { allChecks } from '../suites/index.ts';
import { behaviours } from './hostile/behaviours/index.ts';
import { rowOf } from './hostile/table.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const contract = loadContract();
const coverage = coverageOf(contract, allChecks(contract));

/** What a section of the interface is covered by, as a row of the matrix. */
function row(section: string): string {
  const own = coverage.filter((each) => each.section === section);
  const count = (level: string) => own.filter((each) => each.level === level).length;
  const by = (kind: 'faults' | 'variants') => new Set(own.flatMap((each) => each[kind])).size;
  return `| ${[section, count('must'), count('should'), by('faults'), count('open'), by('variants')].join(' | ')} |`;
}

test('the matrix of the section on trust is the one of the catalogue', () => {
  const rows = [...new Set(coverage.map(({ section }) => section))].map(row);
  expect(readme).toContain(rows.join('\n'));
});

test('the counts of the section on trust are those of the catalogue', () => {
  expect(readme).toContain(`${faults.length} faults and ${variants.length} variants`);
});

test('the table of hostile targets is the one of their catalogue, each with its figures', () => {
  const [, table = ''] = /<!-- hostile -->\n\n([\s\S]*?)\n\n<!-- \/hostile -->/.exec(readme) ?? [];
  const rows = table.split('\n').slice(2);
  const measured = rows.map((each) => each.replace(/ \d+\.\d s \| \d+ MB \|$/, ''));
  expect(measured).toEqual(behaviours.map(rowOf));
});
