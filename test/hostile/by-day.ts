import { isNightly } from '../nightly/sampled.ts';
import type { Behavior } from './behavior.ts';

/**
 * The behaviors that whole runs try: by day, without those that are like others.
 * @param likeOthers the behavior that each of them is like, by their ids
 * @throws Error if one of these does not exist
 */
export function tried(
  behaviors: readonly Behavior[],
  likeOthers: Readonly<Record<string, string>>,
): readonly Behavior[] {
  const ids = new Set(behaviors.map(({ id }) => id));
  const unknown = Object.entries(likeOthers)
    .flat()
    .filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`no such behavior: ${unknown.join(', ')}`);
  return isNightly ? behaviors : behaviors.filter(({ id }) => !(id in likeOthers));
}
