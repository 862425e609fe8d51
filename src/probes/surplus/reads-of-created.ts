import type { Probe } from '../../model/probe.ts';
import { readsExisting, sourceOf } from '../roles.ts';

/**
 * The reads of what the run created, once more: a service may keep it differently in a cache, or lose it. What has most
 * fields comes first.
 * @param turn how often they were added before
 */
export function readsAgain(planned: readonly Probe[], turn: number): Probe[] {
  const created = new Map(planned.filter(({ creates }) => creates).map((each) => [each.id, each]));
  const fieldsOf = (read: Probe) => {
    const { body } = created.get(sourceOf(read) ?? '') ?? {};
    return body && 'json' in body ? Object.keys(body.json as object).length : 0;
  };
  return planned
    .filter((each) => readsExisting(each) && created.has(sourceOf(each) ?? ''))
    .toSorted((one, other) => fieldsOf(other) - fieldsOf(one))
    .map(({ variations: _, follows: _follows, ...read }) => ({
      ...read,
      id: read.id.replace(':', `:further-again-${turn + 1} `),
      title: `${read.title}, again`,
    }));
}
