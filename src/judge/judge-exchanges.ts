import type { Operation } from '../model/contract.ts';
import { type Exchange, headerValues, isServerError, isSuccess } from '../model/exchange.ts';
import { OPEN } from '../model/http/expectation.ts';
import { groupedBy, operationsById } from '../model/large/lookups.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { isLenientVariation, type Probe } from '../model/probe.ts';
import { variedProbe } from '../requests/varied-probe.ts';
import { attributed } from './attributions.ts';
import { type Circumstances, isAnswered, type Judged, tellsNothing } from './evidence/judged.ts';
import { sendsReference } from './exchange/controls.ts';
import { headersFor } from './exchange/headers.ts';
import { judgeExchange } from './exchange/judge-exchange.ts';
import { documentedStatus } from './exchange/status.ts';

/**
 * Judges every exchange by itself. The first thing wrong with an exchange owns it: transport, status, content type, JSON,
 * shape. Headers are judged if transport and status are right.
 */
export function judgeExchanges(exchanges: readonly Exchange[], circumstances: Circumstances): Judged[] {
  return atOnce(judgingExchanges(exchanges, circumstances));
}

/** `judgeExchanges` in steps, one for each probe. */
export function* judgingExchanges(
  exchanges: readonly Exchange[],
  circumstances: Circumstances,
): Steps<Judged[]> {
  const operations = operationsById(circumstances.contract.operations);
  const probes = new Map(circumstances.probes.map((probe) => [probe.id, probe]));
  const pending = exchanges.flatMap((exchange) => {
    const probe = probes.get(exchange.probe);
    const operation = operations.get(exchange.operation);
    return probe && operation ? [{ exchange, probe: asSent(exchange, probe, operation), operation }] : [];
  });
  // If any request with the guessed reference was accepted, the reference exists.
  const isGuessRight = pending.some(({ exchange, probe }) => isSuccess(exchange) && sendsReference(probe));
  const completed = {
    ...circumstances,
    referencesKnown: circumstances.referencesKnown || isGuessRight,
    isAnyLetIn: pending.some(({ exchange }) => isSuccess(exchange)),
  };
  const byProbe = groupedBy(pending, ({ probe }) => probe.id);
  const byOperation = groupedBy(pending, ({ operation }) => operation.id);
  const judged = new Map<string, Judged[]>();
  const begun = new Set<string>();
  // A control may be sent after its probe. Each probe is judged once, after its controls. If two probes control each other, the
  // second one is judged without the first.
  const judgeProbe = (id: string): Judged[] => {
    const done = judged.get(id);
    if (done) return done;
    begun.add(id);
    const results = (byProbe.get(id) ?? []).map(({ exchange, probe, operation }) => {
      const sent = probe.controls.filter((control) => byProbe.has(control));
      const compared =
        sent.length > 0 || !isLenient(probe) ? sent : otherControls(byOperation.get(probe.operation) ?? []);
      const isOpen = (control: string) => begun.has(control) && !judged.has(control);
      const controls = compared.flatMap((control) =>
        isOpen(control) ? [] : (bestOf(judgeProbe(control)) ?? []),
      );
      return withoutVaried(judgeExchange({ exchange, probe, operation, controls }, completed));
    });
    judged.set(id, results);
    return results;
  };
  for (const id of byProbe.keys()) {
    judgeProbe(id);
    yield;
  }
  const inOrder = [...judged.values()].flat().sort((left, right) => left.exchange.id - right.exchange.id);
  return attributed(inOrder, exchanges, circumstances);
}

/** The varied forms of probes, by the ids of the variations. Kept, because an exchange is judged when it arrives and at the end. */
const varied = new WeakMap<Probe, Map<string, Probe>>();

/** The probe with the variations of this exchange. */
function asSent(exchange: Exchange, probe: Probe, operation: Operation): Probe {
  const { variation, variations } = exchange;
  // The interface does not show whether a service refuses this form. A 5xx is wrong in any case.
  if (isLenientVariation(variation) || (variation && isServerError(exchange)))
    return { ...probe, expectation: OPEN };
  if (!variations) return probe;
  const variationsOfProbe = [...(probe.variations ?? []), ...(probe.rounds ?? []).flat()];
  const applied = variationsOfProbe.filter(({ id }) => variations.includes(id));
  const forms = varied.get(probe) ?? new Map<string, Probe>();
  const key = applied.map(({ id }) => id).join('\n');
  const form = forms.get(key) ?? variedProbe(probe, operation, applied);
  varied.set(probe, forms.set(key, form));
  return form;
}

/** Whether a refusal of the probe conforms. Such a probe is no control. */
function isLenient({ key, validity, expectation }: Probe): boolean {
  return key === 'valid' && (validity !== 'valid' || expectation.kind === 'either');
}

/** A read of the same operation that serves as control if the probe's own controls were not sent. */
function otherControls(ofOperation: readonly { probe: Probe }[]): string[] {
  const read = ofOperation.find(
    ({ probe }) => probe.key === 'valid' && probe.stage === 'read' && !isLenient(probe),
  );
  return read ? [read.probe.id] : [];
}

/** A probe's exchange with the expected response, or else its last exchange. */
function bestOf(judged: readonly Judged[]): Judged | undefined {
  return judged.find(isAnswered) ?? judged.at(-1);
}

/**
 * A varied request is sent to see how the limiter counts it. The interface does not say whether a service accepts a needless
 * escape, or a proxy's header from anybody, so a refusal says nothing else. Any other response is judged, and a 5xx is wrong in any
 * case. If a refusal has a header that only the service adds, its other headers and its body are judged as well.
 */
export function withoutVaried(judged: Judged): Judged {
  const { exchange, probe, deviations } = judged;
  const status = exchange.response?.status ?? 0;
  const isOpen = probe.validity !== 'invalid' && probe.expectation.kind === 'open';
  // If the interface leaves all responses open, a 4xx is a refusal without a deviation.
  const isRefused = isOpen && exchange.variation !== undefined && status >= 400;
  const isUsual = judged.outcome === 'answered' && deviations.length === 0 && !isRefused;
  const isLenient = isLenientVariation(exchange.variation) || (isOpen && exchange.variations !== undefined);
  if ((!exchange.variation && !isLenient) || isUsual || status === 429) return judged;
  if (isServerError(exchange) || (isLenient && status < 400)) return judged;
  const [owner] = deviations;
  const reason = `${exchange.response ? 'the service rejects' : 'no response came to'} a request that was varied${isLenient ? '' : ' to get around the limit'}`;
  // A failure ends the exhaustion. Other failures may have the same cause.
  const cause = owner && !exchange.response ? { cause: owner.requirement } : {};
  const inconclusive = tellsNothing(judged, { reason, ...cause });
  return isOwnRefusal(judged) ? { ...inconclusive, deviations, hidden: judged.hidden } : inconclusive;
}

/** Whether a refusal, whose status conforms, has a header that a gateway in front of the service would not add. */
function isOwnRefusal({ exchange: { response }, operation, outcome }: Judged): boolean {
  if (!response || outcome !== 'answered' || operation.mayRefuse) return false;
  return headersFor(operation, documentedStatus(operation, response.status)).some(
    ({ name, required }) => required && headerValues(response.headers, name).length > 0,
  );
}
