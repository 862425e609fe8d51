import type { Contract } from '../../src/model/contract.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { repeated } from '../../src/model/finding.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import type { Variant } from '../../src/reference/variants/variant.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import type { RunPlan } from '../../src/run/plan.ts';
import { changeOf, idsWith, type Subject, startOf } from '../../src/selfcheck/selfcheck.ts';

export type Pair = readonly [Subject, Subject];

/** Generates numbers in [0, 1), the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function sample<Item>(
  items: readonly Item[],
  count: number,
  seed: number,
  fits: (left: Item, right: Item) => boolean,
): (readonly [Item, Item])[] {
  const random = seededRandom(seed);
  const pick = () => items[Math.floor(random() * items.length)] as Item;
  const pairs: (readonly [Item, Item])[] = [];
  while (pairs.length < count) {
    const [left, right] = [pick(), pick()];
    if (left !== right && fits(left, right)) pairs.push([left, right]);
  }
  return pairs;
}

/** Pairs of faults that violate requirements of different sections, the same for the same seed. */
export function faultPairs(contract: Contract, count: number, seed: number): Pair[] {
  const sections = new Map(contract.requirements.map(({ id, section }) => [id, section]));
  const sectionOf = ({ violates }: (typeof faults)[number]) => sections.get(violates[0]);
  const pairs = sample(
    // The pairs are tried on the smallest plan, by frugal runs.
    faults.filter(({ plan, isAfterRecovery }) => plan === undefined && !isAfterRecovery),
    count,
    seed,
    (left, right) => sectionOf(left) !== sectionOf(right) && (left.start ?? '') === (right.start ?? ''),
  );
  return pairs.map(([left, right]) => [{ fault: left }, { fault: right }]);
}

/** Variants that do not go together. */
const NOT_TOGETHER: readonly (readonly [RegExp, RegExp])[] = [
  // HTTP/1.0 has no chunks.
  [/^http-1-0$/, /^chunked$/],
  // In an empty store, the first animal is one that the run adds.
  [/-lags-empty$/, /^first-category-/],
  // The Remaining of the smaller plan would be told with the Limit of the larger one.
  [/^upgraded$/, /^remaining-frozen$/],
  // In memory, a connection that closes while requests wait is seen to be closed too late.
  [/^queueing$/, /^closes-/],
];

/** Pairs of variants, the same for the same seed; in the order of the catalog, so that animals change before their JSON. */
export function variantPairs(count: number, seed: number): Pair[] {
  const pairs = sample(
    variants,
    count,
    seed,
    (left, right) => (left.start ?? '') === (right.start ?? '') && goTogether(left, right),
  );
  return pairs.map((pair) => {
    const [left, right] = pair.toSorted((one, other) => variants.indexOf(one) - variants.indexOf(other));
    return [{ variant: left as Variant }, { variant: right as Variant }];
  });
}

function goTogether(left: Variant, right: Variant): boolean {
  return NOT_TOGETHER.every(
    ([one, other]) =>
      !(one.test(left.id) && other.test(right.id)) && !(one.test(right.id) && other.test(left.id)),
  );
}

/**
 * Tries two changes at once, and returns the problems. Each of two faults must be found, or not tested because of the
 * other, or have no effect beside the other. Two variants must raise no alarm.
 */
export async function tryPair(
  contract: Contract,
  plan: RunPlan,
  pair: Pair,
  options = { ...DEFAULT_OPTIONS, frugal: true },
): Promise<string[]> {
  const conductWith = (...subjects: Subject[]) => {
    const changes = subjects.map(changeOf);
    const start = startOf(changes.find((each) => each.start !== undefined) ?? {});
    return conductBundled(contract, plan, options, { changes, ...start, connections: 'memory' });
  };
  const run = await conductWith(...pair);
  const levels = new Map(contract.requirements.map(({ id, level }) => [id, level]));
  const violated = idsWith(run, ({ status }) => status === 'violated' || status === 'advisory');
  const names = pair.flatMap((each): readonly string[] => ('fault' in each ? each.fault.violates : []));
  const strangers = violated.filter(
    (id) => !names.includes(id) && (names.length > 0 || levels.get(id) === 'must'),
  );
  const problems = strangers.map((id) => `reported by ${id}: ${run.findings[id]?.reason}`);
  for (const [index, subject] of pair.entries()) {
    const other = pair[1 - index];
    if (!('fault' in subject) || !other || isFound(subject.fault, run, violated)) continue;
    const [alone, without] = [await conductWith(subject), await conductWith(other)];
    if (!isWithoutEffect(subject.fault, alone, without, run))
      problems.push(`${subject.fault.id} is neither found nor masked`);
  }
  return problems;
}

/** Whether a fault is found, or not tested because of a violation that is. */
function isFound({ violates }: Fault, run: Conducted, violated: readonly string[]): boolean {
  return violates.some((id) => violated.includes(id) || violated.includes(run.findings[id]?.cause ?? ''));
}

/**
 * Whether the requests that show a fault alone get the same responses without it, or are part of another violation; or whether the
 * other fault by itself keeps some of them from getting a response.
 */
function isWithoutEffect({ violates }: Fault, alone: Conducted, without: Conducted, run: Conducted): boolean {
  const shown = probesThatShow(violates, alone);
  const violating = new Set(
    idsWith(run, ({ status }) => status === 'violated').flatMap((id) => run.findings[id]?.evidence ?? []),
  );
  const isViolating = (probe: string) =>
    run.exchanges.some((each) => each.probe === probe && violating.has(each.id));
  return (
    shown.some((probe) =>
      [run, without].every((each) => responsesTo(probe, each) < responsesTo(probe, alone)),
    ) ||
    shown.every(
      (probe) =>
        isViolating(probe) || responseTo(probe, run.exchanges) === responseTo(probe, without.exchanges),
    )
  );
}

/** The probes whose exchanges show a violation, also those that it is compared with. */
function probesThatShow(ids: readonly string[], { findings, exchanges }: Conducted): string[] {
  const telling = new Set(
    ids.flatMap((id) => {
      const { evidence = [], repetition } = findings[id] ?? {};
      return [...evidence, ...(repetition ? repeated(repetition) : [])];
    }),
  );
  return exchanges.filter(({ id }) => telling.has(id)).map(({ probe }) => probe);
}

function responsesTo(probe: string, { exchanges }: Conducted): number {
  return exchanges.filter((each) => each.probe === probe && each.response).length;
}

function responseTo(probe: string, exchanges: readonly Exchange[]): string {
  const { response, failure } = exchanges.find((each) => each.probe === probe) ?? {};
  const isSuccess = response !== undefined && response.status < 300;
  return JSON.stringify([response?.status, isSuccess ? response.body.length : 0, failure?.kind]);
}
