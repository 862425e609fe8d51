import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import type { Report } from '../../model/report/report.ts';
import { plain } from './style.ts';
import { renderReport } from './terminal.ts';

const linesOf = (report: Report, width = Number.POSITIVE_INFINITY) =>
  renderReport(report, { style: plain, width, detail: 'usual', seconds: 12 }).trimEnd().split('\n');

const violation = handMade.requirements.find(({ status }) => status === 'violated');
if (!violation) throw new Error('nothing is violated');
const others = handMade.requirements.filter(({ status }) => status !== 'violated');

test('the verdict comes first, then two lines for each violation, then what was not judged, and the figures', () => {
  const lines = linesOf(handMade);
  expect(lines[0]).toMatch(
    /^non-conformant \(3 of 5 requirements judged\): https:\/\/staging\.example\.com\/v1, /,
  );
  expect(lines[1]).toMatch(new RegExp(`^✗ ${violation.id}  .*${violation.reason}`));
  expect(lines[2]).toBe(`    ${violation.curl}`);
  expect(lines.filter((line) => line.startsWith('!'))).toEqual([expect.stringMatching(/^! 1 advisory /)]);
  expect(lines.at(-1)).toMatch(/ of level must judged.*; 12 s$/);
});

test('a run without a violation ends with a handful of lines', () => {
  const requirements = others.filter(({ status }) => status === 'met');
  const lines = linesOf({
    ...handMade,
    verdict: 'conformant',
    because: 'no requirement violated',
    requirements,
    narrowed: [],
  });
  expect(lines.length).toBeLessThanOrEqual(3);
  expect(lines[0]).toBe('conformant: https://staging.example.com/v1, no requirement violated');
});

test('of many violations the first ten are shown, and the others counted', () => {
  const many = Array.from({ length: 13 }, (_, index) => ({ ...violation, id: `a.${index}` }));
  const lines = linesOf({ ...handMade, requirements: [...many, ...others] });
  expect(lines.filter((line) => line.startsWith('✗'))).toHaveLength(10);
  expect(lines).toContain('  and 3 more, in the report');
});

const advised = handMade.requirements.find(({ status }) => status === 'advisory');
if (!advised) throw new Error('there is no advisory');

test('advisories are named with where they occur and their reasons, the first five of them', () => {
  const occurrences = [
    { operation: 'listPets', request: 'GET /pets', status: 200, deviating: 2, of: 3, exchanges: [1] },
  ];
  const many = Array.from({ length: 7 }, (_, index) => ({ ...advised, id: `a.${index}`, occurrences }));
  const lines = linesOf({
    ...handMade,
    requirements: [...many, ...others.filter((each) => each !== advised)],
  });
  const first = lines.indexOf('! 7 advisories (--strict counts them as violations):');
  expect(lines[first + 1]).toBe(`  a.0  GET /pets -> 200, 2 of 3: ${advised.reason}`);
  expect(lines[first + 5]).toMatch(/^ {2}a\.4 /);
  expect(lines[first + 6]).toBe('  and 2 more, with --verbose');
});

test.each(['usual', 'verbose'] as const)(
  'an advisory of a strict run has the mark of a violation (%s)',
  (detail) => {
    const text = renderReport({ ...handMade, strict: true }, { style: plain, width: 80, detail });
    expect(text).toContain(`✗ ${advised.id} `);
    expect(text).not.toMatch(/^ *!/m);
  },
);

test('a script of several lines is left to the page', () => {
  const script = 'for each in 1 2; do\n  curl http://127.0.0.1\ndone';
  const own = { ...violation, reproduce: { script } } as typeof violation;
  const lines = linesOf({ ...handMade, requirements: [own, ...others] });
  expect(lines[2]).toBe('    a script in bash shows it: in the page, and with --verbose');
  expect(lines.join('\n')).not.toContain('for each');
});

test('a command of several lines is printed in one, without comments', () => {
  const script = '# drawn by --seed 2\ncurl -i http://127.0.0.1/a \\\n  --next http://127.0.0.1/b';
  const own = { ...violation, reproduce: { script } } as typeof violation;
  const lines = linesOf({ ...handMade, requirements: [own, ...others] });
  expect(lines[2]).toBe('    curl -i http://127.0.0.1/a --next http://127.0.0.1/b');
});

test('what was not judged is named with its reason, and what follows from a finding is counted', () => {
  const [met] = others.filter(({ status }) => status === 'met');
  const untested = { ...met, status: 'not-tested', reason: 'the limit was not reached' } as typeof violation;
  const requirements = [
    ...others,
    { ...untested, id: 'a.b' },
    { ...untested, id: 'a.c', reason: 'follows from x.y', cause: 'x.y' },
  ];
  const line = linesOf({ ...handMade, requirements }).find((each) => each.startsWith('not judged'));
  expect(line).toContain('a.b (the limit was not reached)');
  expect(line).toContain('2 that follow');
});

test.each([40, 80])('nothing but a command is wider than %i columns', (width) => {
  const wide = linesOf(handMade, width).filter((line) => !line.includes('curl') && line.length > width);
  expect(wide).toEqual([]);
});
