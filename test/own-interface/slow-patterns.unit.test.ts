import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/index.ts';
import { documentOf } from './document.ts';
import { startRecorded } from './recorded.ts';

test('a text that would keep a pattern of the document busy for years ends no run, and the report says so once', async () => {
  const code = { type: 'string', pattern: '^(f+)+$' };
  const folder = mkdtempSync(join(tmpdir(), 'petspec-slow-pattern-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(documentOf({ type: 'object', properties: { code } })));
  const { baseUrl } = await startRecorded(() => ({ status: 200, value: { code: `${'f'.repeat(80)}!` } }));

  const report = await run({ baseUrl, interface: file });

  expect(report.verdict).toBe('conformant');
  expect(report.gaps).toEqual([
    {
      operation: 'GET /things',
      isWhole: false,
      reason: 'the pattern ^(f+)+$ takes too long, so no text of 81 characters or more is judged by it',
    },
  ]);
});
