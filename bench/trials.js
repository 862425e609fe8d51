// The CPU of a trial of the self-check.
import { loadContract } from '../dist/src/contract/load.js';
import { optionsOfTrial, planOfTrial, subjects, tryChange } from '../dist/src/selfcheck/selfcheck.js';

/** Whether a trial has the limits of the Free plan: one with a larger plan sends up to sixteen times as many requests. */
const isOnFree = (subject) => {
  const { plan, budget } = optionsOfTrial(subject);
  return plan === undefined && budget === undefined;
};

/**
 * Median and mean CPU of a trial on the Free plan in ms, of about a hundred that were tried in this process once before: by then, as
 * for most of the self-check, their code is compiled.
 */
export async function trialCpu() {
  const contract = loadContract();
  const tried = subjects()
    .filter(isOnFree)
    .filter((_, index) => index % 9 === 0);
  for (const subject of tried) await tryChange(contract, planOfTrial(contract, subject), subject);
  const taken = [];
  for (const subject of tried) {
    const begun = process.cpuUsage();
    await tryChange(contract, planOfTrial(contract, subject), subject);
    const { user, system } = process.cpuUsage(begun);
    taken.push((user + system) / 1000);
  }
  taken.sort((one, other) => one - other);
  return {
    median: taken[Math.floor(taken.length / 2)],
    mean: taken.reduce((sum, each) => sum + each, 0) / taken.length,
  };
}
