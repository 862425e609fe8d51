import { type Resource, resourcesOf } from '../../contract/resources.ts';
import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import { parseJson } from '../../model/json.ts';
import { createdId } from '../../probes/writes/created-id.ts';
import { isRemoval } from '../../probes/writes/removal.ts';
import { type Check, observe } from '../check.ts';
import type { Judged } from '../judged.ts';

/** The id of what a creation says that it created; undefined if it did not, or shows none. */
export function createdBy(creation: Judged | undefined, resource: Resource): string | undefined {
  const { response } = creation?.exchange ?? {};
  if (response?.status !== 201) return undefined;
  const parsed = parseJson(response.body);
  return createdId(resource, response, parsed.ok ? parsed.value : undefined);
}

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
      const left = seen.flatMap((each) => {
        const resource = creations.get(each.operation.id);
        const id = resource && createdBy(each, resource);
        if (id === undefined) return [];
        const path = `${new URL(each.exchange.url).pathname.replace(/\/$/, '')}/${encodeURIComponent(id)}`;
        return gone.has(path) ? [] : [path];
      });
      const rest = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : '';
      if (left.length === 0) return 'everything that was created was removed';
      return `created and still there: ${left.slice(0, MAX_NAMED).join(', ')}${rest}`;
    },
  );
}
