import { expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { DEFAULT_OPTIONS } from '../../run/options.ts';
import { makePlan } from '../../run/plan.ts';
import { renderPlan } from './run-plan.ts';

const contract = loadContract();
const options = { ...DEFAULT_OPTIONS, plan: 'free' };
const plan = makePlan(contract, allChecks(contract), options);
const lines = renderPlan(plan, options, contract).split('\n');

test('each request has its method, path, body and what it should get', () => {
  const after = (text: string) => lines.slice(lines.indexOf(text) - 1, lines.indexOf(text) + 2);
  expect(after('      listPets:limit=below: limit one below the minimum').slice(0, 2)).toEqual([
    '  GET /pets?limit=0 -> any but 5xx',
    '      listPets:limit=below: limit one below the minimum',
  ]);
  expect(after('      createPet:name-null: name is null')).toEqual([
    '  POST /pets -> 400',
    '      createPet:name-null: name is null',
    '      {"name":null,"categoryId":1,"status":"available"}',
  ]);
  // Nothing says what another spelling of an address gets, only that records need a key.
  expect(after('      listPets:spelled-slash: no key, and a slash at the end of the path')[0]).toBe(
    '  GET /pets/ -> anything but records',
  );
  // Which one is known only during the run.
  expect(after('      getPet:createPet:full-1: what was created with all fields, variety 1')[0]).toBe(
    '  GET /pets/{petId} -> 200',
  );
  expect(after('      createPet:empty: an empty body')[2]).toBe('      (empty)');
});

test('every planned request is there once, then the cost', () => {
  for (const { id } of plan.probes)
    expect(lines.filter((line) => line.startsWith(`      ${id}: `))).toHaveLength(1);
  expect(lines.at(-4)).toMatch(/^62 requests with the key, .*; waits up to 1 min for the limit$/);
  expect(lines.at(-3)).toMatch(/^ {2}at most 179 with the key, /);
  expect(lines.at(-2)).toContain('nothing was sent');
});
