import type { Exchange } from '../../src/model/exchange.ts';
import { featureReader, hasAll } from '../../src/selfcheck/sensitivity/features.ts';
import type { FaultCondition, Packed } from '../../src/selfcheck/sensitivity/sensitivity.ts';

/** The recorded run of a fault, and what it found. */
export interface RecordedFault {
  fault: string;
  violates: readonly string[];
  exchanges: readonly Exchange[];
  /** The exchanges that show it, by the requirement that found it. */
  evidence: Readonly<Record<string, readonly number[]>>;
  /** Judged as traffic of others, its exchanges do not show it. */
  isOnlyInRuns: boolean;
}

/** Alternatives of a condition, and features of one, at most. */
const MOST_ALTERNATIVES = 4;
const MOST_FEATURES = 3;

/** A run whose first 429 is among what shows a fault, or comes before it. */
const LIMIT = /^limit:/;

/**
 * Finds when each fault shows: few features that an exchange of its run has that shows it, and none that does not. Statuses are those
 * that most runs got, as the fault may have changed its own.
 */
export function mineConditions(recorded: readonly RecordedFault[]): FaultCondition[] {
  const usual = usualStatuses(recorded);
  return recorded.flatMap((each) => conditionOf(each, usual) ?? []);
}

/** The status of each probe in most runs. */
function usualStatuses(recorded: readonly RecordedFault[]): ReadonlyMap<string, number> {
  const counts = new Map<string, Map<number, number>>();
  for (const { exchanges } of recorded)
    for (const { probe, response, stage } of exchanges) {
      if (!response || stage === 'exhaust') continue;
      const own = counts.get(probe) ?? new Map<number, number>();
      counts.set(probe, own.set(response.status, (own.get(response.status) ?? 0) + 1));
    }
  return new Map(
    [...counts].map(([probe, own]) => {
      const [most] = [...own].sort(([, one], [, other]) => other - one);
      return [probe, most?.[0] ?? 0];
    }),
  );
}

interface Row {
  id: number;
  probe: string;
  operation: string;
  /** It is one of many that use up the limit. */
  isOfLimit: boolean;
  features: ReadonlySet<string>;
}

function conditionOf(
  { fault, violates, exchanges, evidence, isOnlyInRuns }: RecordedFault,
  usual: ReadonlyMap<string, number>,
): FaultCondition | undefined {
  const read = featureReader();
  const rows = exchanges
    .filter(({ confirms }) => !confirms)
    .map((each): Row => {
      const { id, probe, operation } = each;
      const isOfLimit = each.stage === 'exhaust';
      const status = isOfLimit ? undefined : usual.get(probe);
      return { id, probe, operation, isOfLimit, features: read(each, status) };
    });
  const ids = violates.flatMap((id) => evidence[id] ?? []);
  const shown = new Set(ids);
  const first = rows.find(({ id }) => id === ids[0]);
  if (!first) return undefined;
  // Of a request that was sent again, in its plain form, the finding may name one: any of them shows the fault.
  const probes = new Set(
    rows.filter(({ id, isOfLimit }) => shown.has(id) && !isOfLimit).map(({ probe }) => probe),
  );
  const isShowing = ({ id, probe }: Row) => shown.has(id) || probes.has(probe);
  const showing = rows.filter((row) => isShowing(row) && row.operation === first.operation);
  const others = rows.filter((row) => !isShowing(row));
  const isLimiter = violates.some((id) => id.startsWith('rate-limit.'));
  const anyOf = isLimiter ? [limitCondition(first)] : alternatives(showing, others);
  return { fault, violates, probe: first.probe, anyOf, isOnlyInRuns };
}

/** A fault of the limiter shows where the limit was used up, or came back, as it did when it was found. */
function limitCondition({ features }: Row): string[] {
  const limit = [...features].filter((each) => LIMIT.test(each));
  return limit.length === 0 ? [...features].filter((each) => each.startsWith('op:')) : limit.slice(-1);
}

/** Conditions that together cover as much of what shows a fault as a few can, the widest first. */
function alternatives(showing: readonly Row[], others: readonly Row[]): string[][] {
  const found: string[][] = [];
  let left = [...showing];
  while (left.length > 0 && found.length < MOST_ALTERNATIVES) {
    const [row] = left;
    if (!row) break;
    const condition = separating(row, left, others);
    found.push(condition);
    left = left.filter(({ features }) => !hasAll(features, condition));
  }
  return found;
}

/** The fewest features of an exchange that none of the others has together; of several, those that most of what shows it has. */
function separating(row: Row, showing: readonly Row[], others: readonly Row[]): string[] {
  const own = [...row.features].filter((each) => !each.startsWith('probe:'));
  let condition = [`op:${row.operation}`];
  let confused = others.filter(({ features }) => hasAll(features, condition));
  while (confused.length > 0 && condition.length < MOST_FEATURES) {
    const worth = (feature: string) => {
      const kept = confused.filter(({ features }) => features.has(feature)).length;
      const covered = showing.filter(({ features }) => features.has(feature)).length;
      return covered / showing.length - kept / confused.length;
    };
    const best = own
      .filter((each) => !condition.includes(each))
      .reduce<string | undefined>(
        (one, other) => (one !== undefined && worth(one) >= worth(other) ? one : other),
        undefined,
      );
    if (best === undefined) break;
    condition = [...condition, best];
    confused = confused.filter(({ features }) => features.has(best));
  }
  return confused.length === 0 ? condition : [`op:${row.operation}`, `probe:${row.probe}`];
}

/** The text of the file: the same conditions give the same text. */
export function packConditions(conditions: readonly FaultCondition[]): string {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const faults = conditions.map(({ fault, violates, probe, anyOf }): Packed['faults'][number] => [
    fault,
    violates.map(numberOf),
    numberOf(probe),
    ...anyOf.map((each) => each.map(numberOf)),
  ]);
  const lines = faults.map((each) => JSON.stringify(each)).join(',\n');
  const onlyInRuns = conditions.filter((each) => each.isOnlyInRuns).map(({ fault }) => fault);
  return `{"texts":${JSON.stringify([...numbers.keys()])},\n"onlyInRuns":${JSON.stringify(onlyInRuns)},\n"faults":[\n${lines}\n]}\n`;
}
