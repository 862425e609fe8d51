import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readInterface } from '../../src/contract/load.ts';
import type { Schema } from '../../src/model/contract.ts';

/** Writes files into a folder of their own, and reads the first of them. */
export function read(files: Readonly<Record<string, string | object>>) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-interface-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readInterface(join(folder, Object.keys(files)[0] ?? ''));
}

/** A document whose only operation answers with this schema. */
export function documentOf(schema: object, components: object = {}, openapi = '3.1.0') {
  const content = { 'application/json': { schema } };
  return {
    openapi,
    info: { title: 'Things', version: '1' },
    paths: { '/things': { get: { operationId: 'list', responses: { 200: { description: 'x', content } } } } },
    components: { schemas: components },
  };
}

export async function schemaOf(schema: object, components: object = {}, openapi = '3.1.0'): Promise<Schema> {
  const { operations } = await read({ 'openapi.json': documentOf(schema, components, openapi) });
  return operations[0]?.responses[0]?.schema ?? {};
}
