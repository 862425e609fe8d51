import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CURVES, renderCurves } from '../../scripts/faults-found.ts';

test('the curves of faults found are those of the recordings: npm run build && node dist/scripts/faults-found.js', () => {
  expect(readFileSync(CURVES, 'utf8')).toBe(renderCurves());
});
