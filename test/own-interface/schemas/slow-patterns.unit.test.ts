import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { startRecorded } from '../recorded/recorded.ts';

const schema = { type: 'object', properties: { code: { type: 'string', pattern: '^(f+)+$' } } };
const SECOND = 'application/vnd.thing+json';

/** A document whose only operation answers with this content. */
const documentWith = (content: object) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: { '/things': { get: { operationId: 'list', responses: { 200: { description: 'x', content } } } } },
});

test.each<[type: string, content: object]>([
  ['application/json', { 'application/json': { schema } }],
  [SECOND, { 'application/json': {}, [SECOND]: { schema } }],
])(
  'a text in %s that would keep a pattern busy for years ends no run, and the report says so once',
  async (type, content) => {
    const folder = mkdtempSync(join(tmpdir(), 'petspec-slow-pattern-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(documentWith(content)));
    const headers = { 'Content-Type': type };
    const { baseUrl } = await startRecorded(() => ({
      status: 200,
      headers,
      value: { code: `${'f'.repeat(80)}!` },
    }));

    const report = await run({ baseUrl, interface: file });

    expect(report.verdict).toBe('conformant');
    expect(report.gaps).toEqual([
      {
        operation: 'GET /things',
        isWhole: false,
        reason: 'the pattern ^(f+)+$ takes too long, so no text of 81 characters or more is judged by it',
      },
    ]);
  },
);
