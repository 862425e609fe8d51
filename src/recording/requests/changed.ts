import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import { percentEncoded } from '../../model/http/percent-encoding.ts';
import { at, parseJson } from '../../model/json.ts';
import type { Recorded } from '../recorded.ts';
import type { Matched } from '../requests.ts';

/** The path of a request that the interface does not list, if it may have changed a record: a write that succeeded. */
export function writtenPath(recorded: Recorded): string[] {
  const isWrite = /^(?:PUT|PATCH|DELETE|POST)$/.test(recorded.method) && isSuccess(recorded);
  return isWrite ? [`${new URL(recorded.url).pathname.replace(/\/+$/, '')}/`] : [];
}

/**
 * Marks the creations of records that others changed: what is fetched later need not be what was created.
 * @param written the paths that others wrote to: that of a record, or one below it
 */
export function withChanged(
  { operations }: Pick<Contract, 'operations'>,
  part: readonly Matched[],
  written: readonly string[],
): Matched[] {
  if (written.length === 0) return [...part];
  return part.map((each) => {
    const paths = pathsOf(operations, each);
    const isChanged = paths.some((path) => written.some((other) => other.includes(`${path}/`)));
    return isChanged ? { ...each, isChanged } : each;
  });
}

/** The paths of the record that a request created. */
function pathsOf(operations: Contract['operations'], { captured, classified }: Matched): string[] {
  if (captured.method !== 'POST' || !isSuccess(captured)) return [];
  const links = classified.operation.responses.flatMap((each) => each.links);
  const body = links.length > 0 ? parseJson(captured.response?.body ?? '') : undefined;
  if (!body?.ok) return [];
  return links.flatMap(({ operation, parameter, pointer }) => {
    const path = operations.find(({ id }) => id === operation)?.path;
    const value = at(body.value, pointer);
    const isId = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
    return path !== undefined && isId ? [path.replace(`{${parameter}}`, percentEncoded(String(value)))] : [];
  });
}
