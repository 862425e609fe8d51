import { loadContract } from '../../src/contract/load.ts';
import { isProblem } from '../../src/model/finding.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { conductChanged } from '../../src/selfcheck/selfcheck.ts';
import { countConditions, shownFaults } from '../../src/selfcheck/sensitivity/sensitivity.ts';
import { allChecks } from '../../suites/index.ts';

const contract = loadContract();

/** A hundred ways to narrow a run: what it may send, what it judges, and how its requests vary. */
export const NARROWED: readonly Partial<RunOptions>[] = [
  {},
  { exhaust: 'none' },
  { readOnly: true },
  { readOnly: true, exhaust: 'none' },
  ...[
    'Errors',
    'Authentication',
    'listPets',
    'createPet',
    'getPet',
    'listPets.*',
    'Pet.*',
    'rate-limit.*',
    'getStoreOrders',
    'sendMessage',
    'NewPet.*',
    'NewMessage.*',
    'Message.*',
    'Error',
    'Error.*',
    'service.*',
    'X-RateLimit-*',
    'Retry-After',
    'Page size',
    'Versioning',
    'createPet.400',
    'createPet.echo',
    'getPet.404',
    'getPet.stored',
    'listPets.status',
  ].flatMap((only): Partial<RunOptions>[] => [
    { only: [only] },
    { only: [only], exhaust: 'none' },
    { only: [only], readOnly: true },
  ]),
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((seed): Partial<RunOptions>[] => [
    { seed },
    { seed, exhaust: 'none' },
    { seed, readOnly: true },
  ]),
];

/** What was claimed of the faults, by a narrowed run of a service without faults, and what the same run found of each. */
export interface Compared {
  fault: string;
  isClaimed: boolean;
  isFound: boolean;
}

/** @param isTried which faults, by their place in the catalogue */
export async function compareNarrowed(
  narrowed: Partial<RunOptions>,
  isTried: (place: number) => boolean,
): Promise<Compared[]> {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, ...narrowed });
  const plan = makePlan(contract, allChecks(contract), options);
  const conducted = (change: object) =>
    conductChanged(contract, plan, { variant: { id: 'none', summary: '', ...change } as never }, options);
  const claimed = claimedBy(await conducted({}));
  const compared: Compared[] = [];
  for (const [place, fault] of faults.entries()) {
    if (!isTried(place) || fault.start !== undefined) continue;
    const { findings } = await conducted(fault);
    const isFound = fault.violates.some((id) => isProblem(findings[id] ?? { status: 'not-tested' }));
    compared.push({ fault: fault.id, isClaimed: claimed.has(fault.id), isFound });
  }
  return compared;
}

/** The faults that exchanges would have shown, by what was found in them. */
export function claimedBy({
  exchanges,
  findings,
}: Pick<Conducted, 'exchanges' | 'findings'>): ReadonlySet<string> {
  const counting = countConditions();
  for (const each of exchanges) counting.add(each);
  const requirements = contract.requirements.flatMap((each) => {
    const finding = findings[each.id];
    return finding ? [{ ...each, status: finding.status, exercised: finding.exercised }] : [];
  });
  return new Set([...shownFaults(counting.met(), requirements)].map(({ fault }) => fault));
}
