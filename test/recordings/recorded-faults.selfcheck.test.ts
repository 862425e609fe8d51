import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { sampled } from '../nightly/sampled.ts';
import { recordedRun } from '../recorded/recorded-run.ts';
import { OWN_DIFFERENCES } from './differences.ts';
import { asTraffic, harOf, judgeHar, violatedIn } from './recorded-run.ts';

const contract = loadContract();
const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
const different = OWN_DIFFERENCES.flatMap((each) => each.faults);

test('each difference is about a fault that exists', () => {
  const ids = faults.map(({ id }) => id);
  expect(different.filter((each) => !ids.includes(each))).toEqual([]);
});

describe('the recording of a fault shows the same requirements as its run', () => {
  const alike = faults.filter(({ id }) => !different.includes(id));
  test.each(sampled(alike, 5, ({ id }) => id, 'recorded faults'))('$id', async (fault) => {
    const { run } = recordedRun({ fault });
    const { findings } = await judgeHar(
      contract,
      harOf(run.exchanges, run.target.baseUrl),
      fault.plan ?? 'free',
    );
    expect(violatedIn(findings)).toEqual(violatedIn(run.findings));
  });
});

describe('no recording of a variant raises an alarm', () => {
  test.each(sampled(variants, 5, ({ id }) => id, 'recorded variants'))('$id', async (variant) => {
    const { run } = recordedRun({ variant });
    const har = harOf(run.exchanges, run.target.baseUrl);
    for (const text of [har, asTraffic(har)]) {
      const { findings } = await judgeHar(contract, text, 'free');
      expect(violatedIn(findings).filter((id) => musts.has(id))).toEqual([]);
    }
  });
});
