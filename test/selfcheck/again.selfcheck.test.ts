import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { VirtualClock } from '../../src/model/clock.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { errorAnswer } from '../../src/reference/http/answer.ts';
import type { Change } from '../../src/reference/index.ts';
import { startInProcess } from '../../src/reference/index.ts';
import { conduct } from '../../src/run/conduct.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { idsWith } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';

const contract = loadContract();
const options = { ...DEFAULT_OPTIONS, frugal: true, plan: 'free' };
const plan = makePlan(contract, allChecks(contract), options);

/** A unique index: no two animals have one name. */
const unique: Change = {
  handle: async (call, next) => {
    const { name } = (call.body ?? {}) as { name?: unknown };
    const isTaken = call.operation === 'createPet' && call.store.all().some((each) => each.name === name);
    return isTaken ? errorAnswer(400, 'invalid_request', 'this name is taken') : next(call);
  },
};

/** As many runs against one service, which forgets nothing. */
async function runs(count: number, changes: readonly Change[]) {
  const clock = new VirtualClock(Date.parse('2026-11-21T12:00:20Z'));
  const reference = await startInProcess({
    clock,
    apiKey: 'petspec-reference-key',
    plan: { minute: 60, day: 1_000 },
    changes,
  });
  try {
    const found = [];
    for (let run = 0; run < count; run += 1)
      found.push(await conduct(contract, plan, options, reference, { clock }));
    return found;
  } finally {
    await reference.close();
  }
}

describe('a service whose names are unique', () => {
  test('conforms in every run, whatever the runs before have left behind', async () => {
    for (const run of await runs(3, [unique])) {
      expect(idsWith(run, ({ status }) => status === 'violated')).toEqual([]);
      expect(run.exchanges.find(({ probe }) => probe === 'createPet:unknown-field')?.response?.status).toBe(
        400,
      );
    }
  });

  test.each([
    'create-category-text',
    'create-category-boolean',
    'create-status-ordinal',
    'create-name-number',
  ])('and that has %s does not, in any run: no refusal is that of a name which is taken', async (id) => {
    const fault = faults.find((each) => each.id === id);
    if (!fault) throw new Error(id);
    for (const run of await runs(2, [unique, fault]))
      expect(idsWith(run, ({ status }) => status === 'violated')).toEqual(fault.violates);
  });

  test('and that has a fault is found to have the same one again: a baseline knows it', async () => {
    const fault = faults.find(({ id }) => id === 'create-name-no-tags');
    const [first, second] = await runs(2, [unique, fault as Change]);
    expect(first?.findings['createPet.echo']?.status).toBe('violated');
    const shown = (run: typeof first) =>
      Object.entries(run?.findings ?? {}).map(([id, { status, reason, seen, observed }]) => ({
        ...{ id, status, reason, seen, observed },
      }));
    expect(shown(second)).toEqual(shown(first));
  });
});
