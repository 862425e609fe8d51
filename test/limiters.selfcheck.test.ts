import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withTables } from '../scripts/limiters.ts';

// It runs against every limiter of the reference.
test('docs/limiters.md has the tables of the catalogue (npm run build && node dist/scripts/limiters.js --write)', {
  timeout: 600_000,
}, async () => {
  const text = readFileSync(new URL('../docs/limiters.md', import.meta.url), 'utf8');
  expect(await withTables(text)).toBe(text);
});
