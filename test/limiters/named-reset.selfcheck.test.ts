import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { conductChanged, planOfTrial } from '../../src/selfcheck/selfcheck.ts';

const BEFORE =
  /^after a 429, no request is let through before X-RateLimit-Reset(?:: (\d+) of an earlier response)?$/;

test.each(['reset-20-late', 'reset-in-a-minute', 'reset-alternates', 'reset-jitters'])(
  '%s: the Reset that a finding names had not passed when the request was let through',
  async (id) => {
    const contract = loadContract();
    const fault = faults.filter((each) => each.id === id)[0];
    if (!fault) throw new Error(`no fault ${id}`);
    const { findings, exchanges } = await conductChanged(contract, planOfTrial(contract, { fault }), {
      fault,
    });
    const { expected = '', evidence } = findings['rate-limit.reset'] ?? {};
    const words = BEFORE.exec(expected);
    const [shown, ...before] = (evidence ?? []).map((number) => exchanges.find((each) => each.id === number));
    const named = words?.[1] === undefined ? before[0]?.rate.reset : Number(words[1]);
    expect(words).not.toBeNull();
    expect(before.map((each) => each?.rate.reset)).toContain(named);
    expect((named ?? 0) * 1_000).toBeGreaterThan(shown?.receivedAt ?? Number.POSITIVE_INFINITY);
  },
);
