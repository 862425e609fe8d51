import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const { petspec, inFolder } = testedCommandLine();

const ESC = String.fromCharCode(27);

test('a document with control sequences and commands for a CI service in its texts is listed in plain text', async () => {
  const text = `all${ESC}[31m\r\n::error::injected\n##vso[task.setvariable variable=x]y\u202e`;
  const list = {
    operationId: `list${text}`,
    summary: text,
    description: text,
    tags: [text],
    parameters: [{ name: 'kind', in: 'query', description: text, schema: { type: 'string', enum: [text] } }],
    responses: { 200: { description: text, content: { 'application/json': { schema: { type: 'array' } } } } },
  };
  const document = {
    openapi: '3.0.3',
    info: { title: text, version: '1' },
    paths: { '/things': { get: list } },
  };
  writeFileSync(inFolder('hostile.json'), JSON.stringify(document));
  const { status, out } = await petspec('requirements', '--interface', 'hostile.json');
  expect([status, out]).toEqual([0, expect.stringContaining('injected')]);
  expect(out.match(/\p{Cf}|[^\P{Cc}\n]/gu)).toBeNull();
  expect(out.match(/^\s*::|##\w*\[/gm)).toBeNull();
});
