import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { htmlOfMarkdown } from '../../../test/reports/parsers.ts';
import type { Report, RequirementResult } from '../../model/report/report.ts';
import { plain } from '../text/style.ts';
import { comparedReports, compareReports } from './compare.ts';
import { renderCompareHtml } from './compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from './compare-text.ts';

/** The hand-made report with some results changed and some requirements removed. */
function changed(
  changes: Record<string, Partial<RequirementResult>>,
  without: readonly string[] = [],
): Report {
  return {
    ...handMade,
    requirements: handMade.requirements
      .filter(({ id }) => !without.includes(id))
      .map((each) => ({ ...each, ...changes[each.id] })),
  };
}

const worse = changed({ 'listPets.200': { status: 'violated' }, 'open.ordering': { observed: 'none' } });
const compare = (...reports: readonly Report[]) =>
  compareReports(reports.map((report, index) => ({ name: `run-${index}.json`, report })));

test('differences come first: regressions, statuses, observations', () => {
  const better = changed({
    'listPets.status': { status: 'met' },
    'listPets.200': { status: 'violated' },
    'open.ordering': { observed: 'none' },
  });
  const rows = compare(handMade, better).rows.map(({ id, difference }) => [id, difference]);
  expect(rows.slice(0, 3)).toEqual([
    ['listPets.200', 'regression'],
    ['listPets.status', 'problem'],
    ['open.ordering', 'observation'],
  ]);
  expect(new Set(rows.slice(3).map(([, difference]) => difference))).toEqual(new Set(['same']));
});

test('violations come first among equal differences', () => {
  const unsure = changed({ 'listPets.limit': { status: 'not-tested' } });
  const broken = changed({ 'getPet.stored': { status: 'violated' }, 'listPets.limit': { status: 'met' } });
  const rows = compare(unsure, broken).rows.filter(({ difference }) => difference !== 'same');
  expect(rows.map(({ id, difference }) => [id, difference])).toEqual([
    ['getPet.stored', 'problem'],
    ['listPets.limit', 'untested'],
  ]);
});

test.each([
  ['met, then violated', ['met', 'violated'], true],
  ['met, violated in between, met again', ['met', 'violated', 'met'], false],
  ['met, met, violated', ['met', 'met', 'violated'], true],
  ['violated all along', ['violated', 'violated'], false],
  ['not tested, then violated', ['not-tested', 'violated'], false],
  ['met, then not tested', ['met', 'not-tested'], false],
  ['met, then an advisory', ['met', 'advisory'], false],
] as const)('a regression or not: %s', (_, statuses, expected) => {
  const runs = statuses.map((status) => changed({ 'listPets.200': { status } }));
  const row = compare(...runs).rows.find(({ id }) => id === 'listPets.200');
  expect(row?.difference === 'regression').toBe(expected);
});

test('an advisory in the last run is a regression if that run is strict', () => {
  const advised = changed({ 'listPets.200': { status: 'advisory' } });
  const regressed = (...reports: readonly Report[]) =>
    compare(...reports).rows.flatMap(({ id, difference }) => (difference === 'regression' ? [id] : []));
  expect(regressed(handMade, advised)).toEqual([]);
  expect(regressed({ ...handMade, strict: true }, advised)).toEqual([]);
  expect(regressed(handMade, { ...advised, strict: true })).toEqual(['listPets.200']);
});

test('side by side there are no regressions, only differences', () => {
  const runs = [handMade, worse].map((report) => ({ name: 'target', report }));
  const [first] = compareReports(runs, 'side-by-side').rows;
  expect(first).toMatchObject({ id: 'listPets.200', difference: 'problem' });
});

test('a requirement that only one version of the interface has is a difference', () => {
  const { rows } = compare(changed({}, ['open.ordering']), handMade);
  expect(rows[0]).toMatchObject({ id: 'open.ordering', difference: 'untested', results: [undefined, {}] });
});

test('twenty-eight runs have twenty-eight letters', () => {
  const letters = compare(...Array.from({ length: 28 }, () => handMade)).columns.map(({ letter }) => letter);
  expect(letters.slice(0, 2)).toEqual(['A', 'B']);
  expect(letters.slice(25)).toEqual(['Z', 'AA', 'AB']);
  expect(new Set(letters).size).toBe(28);
});

test('a run that observed nothing is no other observation', () => {
  const none = changed({ 'open.ordering': { observed: 'no response showed this', exercised: false } });
  const rows = compare(handMade, none, handMade).rows;
  expect(rows.find(({ id }) => id === 'open.ordering')?.difference).toBe('same');
  const other = changed({ 'open.ordering': { observed: 'none' } });
  const row = compare(handMade, none, other).rows.find(({ id }) => id === 'open.ordering');
  expect(row?.difference).toBe('observation');
});

test('as text: a table of the runs, then the differences', () => {
  const text = renderCompareText(compare(handMade, worse), { style: plain, width: 140 });
  const [names, first, second] = text.split('\n');
  expect(names).toMatch(/^ +run +target +verdict +violated +not tested$/);
  expect(first).toMatch(
    /^A +run-0\.json +https:\/\/staging\.example\.com\/v1 +non-conformant \(3 of 5 [^)]*\) +1: listPets\.status +2$/,
  );
  expect(second).toMatch(/^B +run-1\.json .*listPets\.200/);
  const narrow = renderCompareText(compare(handMade, worse), { style: plain, width: 80 });
  expect(narrow).toMatch(/^A {2}https:\/\/staging\.example\.com\/v1, 2026-11-21/);
  expect(text).toContain('Met in the first run, violated in the last (1)');
  expect(text).toMatch(/ {2}listPets\.200 {2}met {2}violated\n/);
  expect(text).toMatch(/open\.ordering +by id, ascending +none\n/);
});

test('as text on a narrow terminal: a line for each run', () => {
  const long = changed({ 'open.ordering': { observed: `by id, ${'descending '.repeat(9)}` } });
  const text = renderCompareText(compare(handMade, long), { style: plain, width: 50 });
  expect(text).toContain('  open.ordering\n      A  by id, ascending\n      B  by id, descending');
  for (const line of text.split('\n').slice(6)) expect(line.length).toBeLessThanOrEqual(50);
});

test('as text of many runs: equal cells share a line', () => {
  const observed = (text: string) => changed({ 'open.ordering': { observed: text } });
  const [one, other] = [observed(`by id, ${'ascending '.repeat(9)}`), observed('none')];
  const text = renderCompareText(compare(one, other, one, one, one), { style: plain, width: 300 });
  expect(text).toMatch(/ {2}open\.ordering\n {6}A, C-E {2}by id, ascending .*\n {6}B {2}none\n/);
  const all = Array.from({ length: 40 }, (_, index) => observed(`number ${index} ${'x'.repeat(60)}`));
  const lines = renderCompareText(compare(...all), { style: plain, width: 100 }).split('\n');
  expect(lines.filter((each) => each.includes('number '))).toHaveLength(12);
  expect(lines).toContain('      and 28 others');
});

test('as text: what one run left out is counted, what it violates is not', () => {
  const untested = Array.from({ length: 11 }, (_, index) => `made.up-${index}`);
  const [like] = handMade.requirements;
  const made = (status: 'met' | 'not-tested') =>
    untested.map((id) => ({ ...(like as RequirementResult), id, status }));
  const narrowed = { ...worse, requirements: [...worse.requirements, ...made('not-tested')] };
  const whole = { ...handMade, requirements: [...handMade.requirements, ...made('met')] };
  const text = renderCompareText(compare(whole, narrowed), { style: plain, width: 100 });
  expect(text).toMatch(/^ {2}11 requirements +met +not tested$/m);
  expect(text).not.toContain('made.up-');
  expect(text).toMatch(/^ {2}listPets.200 +met +violated$/m);
});

test('as Markdown: tables', () => {
  const html = htmlOfMarkdown(renderCompareMarkdown(compare(handMade, worse)));
  expect(html).toContain('<tr>\n<td>listPets.200</td>\n<td>met</td>\n<td>violated</td>\n</tr>');
});

test('as HTML: a valid page that loads nothing', async () => {
  const html = renderCompareHtml(compare(handMade, worse));
  const { results } = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(html);
  expect(results.flatMap(({ messages }) => messages)).toEqual([]);
  expect(html).toContain('<h1>Comparison of 2 runs</h1>');
  expect(html).toMatch(/listPets\.200<\/code>.*?<span class="badge met">.*?<span class="badge violated">/s);
  expect(html).not.toMatch(/<link|<img|src=|url\(/);
  expect(html.replaceAll('&#39;', "'")).toMatch(
    /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/,
  );
});

test('as HTML: runs by name, with a link where their pages are, and what is violated above what is only not tested', () => {
  const untested = changed({ 'listPets.200': { status: 'not-tested', exercised: false } });
  const html = renderCompareHtml(
    compareReports(
      [
        { name: 'staging', folder: 'staging', report: changed({ 'createPet.201': { status: 'violated' } }) },
        { name: 'a b', folder: 'a b', report: untested },
      ],
      'side-by-side',
    ),
  );
  expect(html).toContain('<a href="staging/report.html">staging</a>');
  expect(html).toContain('<a href="a%20b/report.html">a b</a>');
  expect(html).toContain('<th scope="col">staging</th><th scope="col">a b</th>');
  const headings = [...html.matchAll(/<details class="group"( open)?><summary><h2>([^<]*) /g)];
  expect(headings.map(([, isOpen, title]) => [title, isOpen !== undefined])).toEqual([
    ['Not met in some runs', true],
    ['Not tested in some runs', false],
    ['The same in all runs', false],
  ]);
});

const page = { style: plain, width: 80 };
const other = {
  ...handMade,
  requirements: handMade.requirements.map((each, index) =>
    index === 0 ? { ...each, status: 'not-tested' as const } : { ...each, evidence: [7, 8] },
  ),
};
const named = (...reports: readonly (typeof handMade)[]) =>
  reports.map((report, index) => ({ name: `target-${index}`, report }));

test('reduced reports compare like the whole ones', () => {
  const reduce = comparedReports();
  const whole = compareReports(named(handMade, other), 'side-by-side');
  const reduced = compareReports(named(reduce(handMade), reduce(other)), 'side-by-side');
  expect(renderCompareHtml(reduced)).toBe(renderCompareHtml(whole));
  expect(renderCompareText(reduced, page)).toBe(renderCompareText(whole, page));
});

test('results that differ in their evidence alone are one object', () => {
  const reduce = comparedReports();
  const [one, two] = [reduce(handMade), reduce(other)];
  expect(one.exchanges).toEqual([]);
  expect(two.requirements[0]).not.toBe(one.requirements[0]);
  expect(two.requirements.slice(1).every((each, index) => each === one.requirements[index + 1])).toBe(true);
});
