import type { Operation } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  type Deviation,
  type Finding,
  type Fingerprint,
  fingerprintOf,
  isProblem,
  mergeFingerprints,
  type Occurrence,
} from '../model/finding.ts';
import { addTo, groupedBy } from '../model/large/grouped.ts';
import { rememberingEach } from '../model/remembering.ts';
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

/** An exchange and its operation. */
interface Sent {
  exchange: Pick<Exchange, 'id' | 'response' | 'failure'>;
  operation: Pick<Operation, 'id' | 'method' | 'path'>;
  /** What is wrong with it and is reported of another exchange, or as something else. */
  hidden?: readonly Pick<Deviation, 'requirement'>[];
}

const outcomeOf = ({ operation, exchange: { response, failure } }: Sent) =>
  `${operation.id} ${response?.status ?? failure?.kind ?? ''}`;

const byOutcome = rememberingEach((sent: readonly Sent[]) => groupedBy(sent, outcomeOf));

const byId = rememberingEach(
  (sent: readonly Sent[]) => new Map(sent.map((each) => [each.exchange.id, each] as const)),
);

const byHidden = rememberingEach((sent: readonly Sent[]) => {
  const found = new Map<string, Sent[]>();
  for (const each of sent)
    for (const requirement of new Set((each.hidden ?? []).map((hidden) => hidden.requirement)))
      addTo(found, requirement, each);
  return found;
});

/** The finding of a requirement with how many exchanges of which operation and status show the problem, of how many. */
export function withOccurrences(
  requirement: string,
  { deviating, ...finding }: Finding,
  sent: readonly Sent[],
): Finding {
  if (!isProblem(finding)) return finding;
  const all = byId(sent);
  const shown = (deviating ?? finding.evidence).flatMap((id) => all.get(id) ?? []);
  const wrong = [...new Set([...shown, ...(byHidden(sent).get(requirement) ?? [])])];
  const occurrences = [...groupedBy(wrong, outcomeOf)].flatMap(([outcome, own]): Occurrence[] => {
    const [first] = own;
    if (!first) return [];
    const { operation, exchange } = first;
    return [
      {
        operation: operation.id,
        request: `${operation.method} ${operation.path}`,
        ...(exchange.response ? { status: exchange.response.status } : {}),
        ...(exchange.failure && !exchange.response ? { failure: exchange.failure.kind } : {}),
        deviating: own.length,
        of: byOutcome(sent).get(outcome)?.length ?? own.length,
      },
    ];
  });
  return occurrences.length === 0 ? finding : { ...finding, occurrences };
}
