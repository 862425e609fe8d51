import type { Contract } from '../../model/contract.ts';
import { counted } from '../../model/report/report.ts';
import { countThings, type Things } from '../../probes/writes/things.ts';
import { type Check, observe } from '../check.ts';

/** Things that an observation names at most. */
const MAX_NAMED = 10;

/** What the run created and did not remove, and what it may have created. */
export function leftOver(contract: Contract): Check {
  return observe(
    'open.left-over',
    ({ isWriting }) => isWriting === true,
    (_, { judged }) => {
      const things = countThings(contract);
      const inOrder = judged.toSorted((one, other) => one.exchange.id - other.exchange.id);
      for (const { exchange } of inOrder) things.add(exchange);
      return describe(things.result(), contract.noun);
    },
  );
}

function describe({ created, left, unaddressed, uncertain }: Things, noun: string): string {
  const still = [
    ...(left.length === 0 ? [] : [named(left)]),
    ...(unaddressed.length === 0
      ? []
      : [`${unaddressed.length} without a known address (sent to ${named(unaddressed)})`]),
  ];
  const known = created === 0 ? 'nothing was created' : 'everything that was created was removed';
  const words = still.length === 0 ? known : `created and still there: ${still.join('; ')}`;
  if (uncertain.length === 0) return words;
  return `${words}; ${counted(uncertain.length, noun)} may have been created, too (${named(uncertain)})`;
}

function named(all: readonly string[]): string {
  const different = [...new Set(all)];
  const rest = different.length > MAX_NAMED ? ` and ${different.length - MAX_NAMED} more` : '';
  return `${different.slice(0, MAX_NAMED).join(', ')}${rest}`;
}
