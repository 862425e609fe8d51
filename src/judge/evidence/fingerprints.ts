import type { Operation } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import {
  type Deviation,
  type DeviationKind,
  type Finding,
  type Fingerprint,
  fingerprintOf,
  isProblem,
  mergeFingerprints,
  type Occurrence,
} from '../../model/finding.ts';
import { addTo, groupedBy } from '../../model/large/lookups.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { ANYWHERE, placeOf } from '../../model/report/place.ts';
import type { Judged } from './judged.ts';

interface DeviatingExchange {
  judged: Judged;
  deviation: Omit<Deviation, 'requirement'>;
}

/** A failure of so many operations may be the fault of none of them. */
const MIN_OPERATIONS = 2;

/** Failures of these kinds may strike a few requests by chance. */
const BY_CHANCE: ReadonlySet<DeviationKind> = new Set(['transport', 'json']);

const LIMITER_HEADER = /^(?:x-ratelimit-.*|retry-after)$/i;

/**
 * The fingerprints of a requirement's deviations, with all the places they occur at.
 * @param results every exchange of the run: some at the same places may be right
 */
export function fingerprintsOf(
  deviating: readonly DeviatingExchange[],
  results: readonly Judged[] = [],
): Fingerprint[] {
  const isByChance = strikesAnywhere(deviating, results);
  return mergeFingerprints(
    deviating.map(({ judged, deviation }) =>
      fingerprintOf(deviation, [isByChance ? ANYWHERE : placeOfExchange(judged)]),
    ),
  );
}

function placeOfExchange({ exchange: { response, failure, operation, key } }: Judged): string {
  // Without a response, nothing shows that the key is the cause.
  const hasWrongKey = response !== undefined && key !== 'valid' && key !== 'absent';
  return placeOf(operation, String(response?.status ?? failure?.kind ?? 'no answer'), hasWrongKey);
}

/** Whether similar requests got the right response, so that another run may meet the failure at other operations. */
function strikesAnywhere(deviating: readonly DeviatingExchange[], results: readonly Judged[]): boolean {
  const wrong = new Set(deviating.map(({ judged }) => judged));
  const struck = new Set([...wrong].map(({ exchange }) => likeness(exchange, exchange.response?.status)));
  const right = results.filter(
    (result) =>
      !wrong.has(result) &&
      [result.exchange.response?.status, undefined].some((status) =>
        struck.has(likeness(result.exchange, status)),
      ),
  );
  const areMostRight = right.length > 2 * wrong.size;
  const deviations = deviating.map(({ deviation }) => deviation);
  // The seed decides which request uses up the limit.
  if (deviations.every(isOfLimiter)) return areMostRight;
  if (!areSeveral(wrong) || !deviations.every(({ kind }) => BY_CHANCE.has(kind))) return false;
  // Whether a body is JSON may depend on the texts in it.
  return areMostRight || (deviations.every(({ kind }) => kind === 'json') && areSeveral(right));
}

function areSeveral(judged: Iterable<Judged>): boolean {
  return new Set(Array.from(judged, ({ operation }) => operation)).size >= MIN_OPERATIONS;
}

function isOfLimiter({ kind, headers = [] }: DeviatingExchange['deviation']): boolean {
  return kind === 'header' && headers.length > 0 && headers.every((name) => LIMITER_HEADER.test(name));
}

/** @param status undefined if no response came: it could have had any status */
function likeness({ operation, key }: Exchange, status: number | undefined): string {
  return `${operation} ${key} ${status}`;
}

interface SentExchange {
  exchange: Pick<Exchange, 'id' | 'response' | 'failure'>;
  operation: Pick<Operation, 'id' | 'method' | 'path'>;
  /** Deviations that are reported for another exchange, or by another requirement. */
  hidden?: readonly Pick<Deviation, 'requirement'>[];
}

const outcomeOf = ({ operation, exchange: { response, failure } }: SentExchange) =>
  `${operation.id} ${response?.status ?? failure?.kind ?? ''}`;

const byOutcome = rememberingEach((sent: readonly SentExchange[]) => groupedBy(sent, outcomeOf));

const byId = rememberingEach(
  (sent: readonly SentExchange[]) => new Map(sent.map((result) => [result.exchange.id, result] as const)),
);

const byHiddenRequirement = rememberingEach((sent: readonly SentExchange[]) => {
  const showing = new Map<string, SentExchange[]>();
  for (const sentExchange of sent)
    for (const requirement of new Set((sentExchange.hidden ?? []).map((hidden) => hidden.requirement)))
      addTo(showing, requirement, sentExchange);
  return showing;
});

/** A finding with its counts: for each operation and status, the exchanges that show the problem, and all exchanges. */
export function withOccurrences(
  requirement: string,
  finding: Finding,
  sent: readonly SentExchange[],
): Finding {
  if (!isProblem(finding)) return finding;
  const { deviating } = finding;
  const exchanges = byId(sent);
  const showing = (deviating ?? finding.evidence).flatMap((id) => exchanges.get(id) ?? []);
  const wrong = [...new Set([...showing, ...(byHiddenRequirement(sent).get(requirement) ?? [])])];
  const occurrences = [...groupedBy(wrong, outcomeOf)].flatMap(([outcome, alike]): Occurrence[] => {
    const [first] = alike;
    if (!first) return [];
    const { operation, exchange } = first;
    return [
      {
        operation: operation.id,
        request: `${operation.method} ${operation.path}`,
        status: exchange.response?.status,
        failure: exchange.failure && !exchange.response ? exchange.failure.kind : undefined,
        deviating: alike.length,
        of: byOutcome(sent).get(outcome)?.length ?? alike.length,
      },
    ];
  });
  return occurrences.length === 0 ? finding : { ...finding, occurrences };
}
