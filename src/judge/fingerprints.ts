import { type Sighting, withoutNumbers } from '../model/finding.ts';
import type { Judged } from './judged.ts';

/** Every way in which exchanges deviate, and where. */
export function sightingsOf(wrong: readonly { judged: Judged; reason: string }[]): Sighting[] {
  const places = new Map<string, Set<string>>();
  for (const { judged, reason } of wrong) {
    const title = `${judged.probe.title}: `;
    const what = withoutNumbers(reason.startsWith(title) ? reason.slice(title.length) : reason);
    const at = places.get(what) ?? new Set();
    places.set(what, at.add(placeOf(judged)));
  }
  return [...places]
    .map(([what, at]) => ({ what, at: [...at].sort() }))
    .sort((left, right) => (left.what < right.what ? -1 : 1));
}

/** Which request the limit refuses is chance; any other answer belongs to the request that got it. */
function placeOf({ probe, exchange: { response, failure } }: Judged): string {
  if (response?.status === 429) return 'a refusal 429';
  return `${probe.id} ${response?.status ?? failure?.kind ?? 'no answer'}`;
}
