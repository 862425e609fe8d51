import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { plain } from '../text/style.ts';
import { compareReports } from './compare.ts';
import { renderCompareHtml } from './compare-html.ts';
import { renderCompareText } from './compare-text.ts';
import { comparedReports } from './compared-report.ts';

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
