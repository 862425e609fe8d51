import { type Deviation, type Fingerprint, fingerprintOf, mergeFingerprints } from '../model/finding.ts';
import { type Place, placeText, REFUSAL } from '../model/report/place.ts';
import type { Judged } from './judged.ts';

/** The fingerprints of a requirement's deviations, with all the places they occur at. */
export function fingerprintsOf(
  deviating: readonly { judged: Judged; deviation: Omit<Deviation, 'requirement'> }[],
): Fingerprint[] {
  return mergeFingerprints(
    deviating.map(({ judged, deviation }) => fingerprintOf(deviation, [placeText(placeOf(judged))])),
  );
}

/** Which request the limit refuses is chance; any other response belongs to the request that got it. */
function placeOf({ probe, exchange: { response, failure, recorded, operation } }: Judged): Place {
  if (response?.status === 429) return { request: REFUSAL, outcome: '429' };
  return {
    request: recorded ? operation : (probe.copies ?? probe.id),
    outcome: String(response?.status ?? failure?.kind ?? 'no answer'),
  };
}
