import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { renderCsv } from './csv.ts';

test('a line for each requirement, and no field that a spreadsheet calculates', () => {
  const [first, second] = handMade.requirements;
  if (!first || !second) throw new Error('no requirements');
  const text = renderCsv({
    ...handMade,
    requirements: [
      { ...first, reason: '=HYPERLINK("http://evil.invalid")' },
      { ...second, reason: 'one "two", three' },
    ],
  });
  const lines = text.split('\r\n');
  expect(lines[0]).toBe(
    '"id","level","section","operation","status","exercised","reason","expected","received","in"',
  );
  expect(lines[1]).toContain('"\'=HYPERLINK(""http://evil.invalid"")"');
  expect(lines[2]).toContain('"one ""two"", three"');
  expect(lines).toHaveLength(4);
});
