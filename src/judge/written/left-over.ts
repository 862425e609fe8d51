import { resourcesOf } from '../../contract/resources.ts';
import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import { createdBy } from '../../probes/writes/creation.ts';
import { isRemoval } from '../../probes/writes/removal.ts';
import { type Check, observe } from '../check.ts';
import type { Judged } from '../judged.ts';

/** Things that an observation names at most. */
const MAX_NAMED = 10;

/** The paths that were removed, and not shown again. */
function removedBy(seen: readonly Judged[]): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const { exchange } of seen.toSorted((one, other) => one.exchange.id - other.exchange.id)) {
    const path = new URL(exchange.url).pathname;
    if (isRemoval(exchange)) gone.add(path);
    if (exchange.method === 'GET' && isSuccess(exchange)) gone.delete(path);
  }
  return gone;
}

/** What the run created and did not remove. */
export function leftOver(contract: Contract): Check {
  const creations = new Map(resourcesOf(contract).map((each) => [each.create.id, each]));
  return observe(
    'open.left-over',
    ({ isWriting }) => isWriting === true,
    (seen) => {
      const gone = removedBy(seen);
      const left = seen.flatMap(({ operation, exchange }) => {
        const resource = creations.get(operation.id);
        const { path } = (resource && createdBy(resource, exchange, exchange.response)) ?? {};
        return path === undefined || gone.has(path) ? [] : [path];
      });
      const rest = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : '';
      if (left.length === 0) return 'everything that was created was removed';
      return `created and still there: ${left.slice(0, MAX_NAMED).join(', ')}${rest}`;
    },
  );
}
