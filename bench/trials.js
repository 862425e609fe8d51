// The CPU of a trial of the self-check.
import { loadContract } from '../dist/src/contract/load.js';
import { planOfTrial, subjects, tryChange } from '../dist/src/selfcheck/selfcheck.js';

/** Mean CPU of a trial in ms, of about a hundred in this process, once their code is compiled. */
export async function trialCpu() {
  const contract = loadContract();
  const tried = subjects().filter((_, index) => index % 9 === 0);
  for (const subject of tried.slice(0, 40))
    await tryChange(contract, planOfTrial(contract, subject), subject);
  const begun = process.cpuUsage();
  for (const subject of tried) await tryChange(contract, planOfTrial(contract, subject), subject);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000 / tried.length;
}
