import { loadContract } from '../../src/contract/load.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { isProblem } from '../../src/model/finding.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Change } from '../../src/reference/index.ts';
import { judgeHar } from '../recordings/recorded-run.ts';
import { recordedSession } from '../recordings/sessions.ts';
import { type Compared, claimedBy } from './narrowed-runs.ts';

const contract = loadContract();

/** The seeds of thirty recordings of other clients. */
export const SESSIONS: readonly number[] = Array.from({ length: 30 }, (_, index) => index + 1);

/**
 * What a recording of a service without faults claims of the faults, and what a recording of the same client shows of each.
 * @param isTried which faults, by their place in the catalogue
 */
export async function compareRecorded(
  seed: number,
  isTried: (place: number) => boolean,
): Promise<Compared[]> {
  const judged = async (...changes: Change[]) => {
    const exchanges: Exchange[] = [];
    const har = await recordedSession(seed, changes);
    const { findings } = await judgeHar(contract, har, undefined, (each) => exchanges.push(each));
    return { exchanges, findings };
  };
  const claimed = claimedBy(await judged());
  const compared: Compared[] = [];
  for (const [place, fault] of faults.entries()) {
    if (!isTried(place) || fault.start !== undefined) continue;
    const { findings } = await judged(fault);
    const isFound = fault.violates.some((id) => isProblem(findings[id] ?? { status: 'not-tested' }));
    compared.push({ fault: fault.id, isClaimed: claimed.has(fault.id), isFound });
  }
  return compared;
}
