import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limiterFaults } from '../../src/reference/faults/index.ts';
import { limiterVariants } from '../../src/reference/variants/index.ts';

// That each row is true is a test of the self-check, which tries each limiter anyway.
test('docs/design/limiters.md has a row for every limiter of the catalog, in its order, and no other', () => {
  const text = readFileSync(new URL('../../docs/design/limiters.md', import.meta.url), 'utf8');
  const listed = (table: string) => {
    const [, rows = ''] = new RegExp(`<!-- ${table} -->([\\s\\S]*?)<!-- /${table} -->`).exec(text) ?? [];
    return [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, id]) => id);
  };
  expect(listed('variants')).toEqual(limiterVariants.map(({ id }) => id));
  expect(listed('faults')).toEqual(limiterFaults.map(({ id }) => id));
});
