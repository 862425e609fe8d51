import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readInterface } from '../../src/contract/load.ts';
import { schemaErrors } from '../../src/contract/validation/schema-validator.ts';
import { type Contract, ContractError } from '../../src/model/contract.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';
import { DOCUMENT } from '../own-interface/bookshop.ts';
import { cases, PATIENCE } from './budget.ts';
import { anyValue, changedTree, treeChange } from './trees.ts';

const tree = parse(readFileSync(DOCUMENT, 'utf8'));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-documents-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads what may be no document. Anything but a ContractError of one line is a bug. */
async function read(document: unknown): Promise<Contract | string> {
  const path = join(folder, 'openapi.json');
  writeFileSync(path, JSON.stringify(document));
  try {
    return await readInterface(path);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    expect(error.message).toMatch(/^[^\n\r]{1,500}$/);
    return error.message;
  } finally {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }
}

test(
  'any change of a document: a contract whose plan only reads, and that judges any body, or one line that says why not',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(treeChange, { minLength: 1, maxLength: 3 }),
        anyValue,
        async (changes, value) => {
          const contract = await read(changes.reduce<unknown>(changedTree, tree));
          if (typeof contract === 'string') return;
          const { probes } = makePlan(contract, allChecks(contract), DEFAULT_OPTIONS);
          const methods = new Map(contract.operations.map(({ id, method }) => [id, method]));
          for (const { operation } of probes) expect(methods.get(operation)).toBe('GET');
          const schemas = contract.operations.flatMap(({ responses }) =>
            responses.map((each) => each.schema ?? {}),
          );
          for (const schema of schemas) schemaErrors(schema, value as never);
        },
      ),
      cases(60),
    );
  },
  PATIENCE,
);

test(
  'any tree: one line that says why it is not a document',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        expect(typeof (await read(value))).toBe('string');
      }),
      cases(40),
    );
  },
  PATIENCE,
);
