import { type Deviation, type Fingerprint, fingerprintOf } from '../model/finding.ts';
import type { Judged } from './judged.ts';

/** The fingerprints of a requirement's deviations: one for each kind and pointer, with all the places it occurs at. */
export function fingerprintsOf(
  deviating: readonly { judged: Judged; deviation: Omit<Deviation, 'requirement'> }[],
): Fingerprint[] {
  const fingerprints = new Map<string, Fingerprint>();
  for (const { judged, deviation } of deviating) {
    const fingerprint = fingerprintOf(deviation, [placeOf(judged)]);
    const key = `${fingerprint.kind} ${fingerprint.pointer ?? ''}`;
    const { at, ...first } = fingerprints.get(key) ?? fingerprint;
    fingerprints.set(key, { ...first, at: [...new Set([...at, ...fingerprint.at])].sort() });
  }
  return [...fingerprints].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
}

/**
 * Which request the limit refuses is chance; any other response belongs to the request that got it. Users have
 * baselines with these texts, so the texts never change.
 */
function placeOf({ probe, exchange: { response, failure, recorded, operation } }: Judged): string {
  if (response?.status === 429) return 'a refusal 429';
  return `${recorded ? operation : probe.id} ${response?.status ?? failure?.kind ?? 'no answer'}`;
}
