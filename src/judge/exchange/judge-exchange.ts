import type { Operation } from '../../model/contract.ts';
import type { Exchange, Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import type { Probe } from '../../model/probe.ts';
import type { Circumstances, Judged } from '../judged.ts';
import { quote } from '../quote.ts';
import { bodyFor, type JudgedBody, judgeBody } from './body.ts';
import { explainedBy, failingControl, GUESSED, inconclusiveAfter, isGuessRefused } from './controls.ts';
import { headersFor, type JudgedHeaders, judgeHeaders } from './headers.ts';
import { documentedStatus, isAcceptable, statusDeviations, statusRequirement } from './status.ts';

const HTTP = 'service.http';

/** The removal counts from a day before its date on, so that no time zone is judged too early. */
const DAY_MS = 86_400_000;

/** Failures that are not the service's: there is none, the user stopped the run, or petspec reads no more. */
const NOT_ANSWERED = new Set(['refused', 'unreachable', 'tls', 'interrupted', 'too-large']);

/** An exchange of a probe, and what the probe's controls got. */
export interface Sent {
  exchange: Exchange;
  probe: Probe;
  operation: Operation;
  controls: readonly Judged[];
}

/** What of a judged exchange depends on how it was answered. */
type Outcome = Partial<Judged> & Pick<Judged, 'met'>;

/**
 * Judges one exchange layer by layer: transport, status, headers and body. What is wrong first owns it; whatever else is
 * wrong is hidden behind that, or behind what its controls got.
 */
export function judgeExchange(sent: Sent, circumstances: Circumstances): Judged {
  const { exchange, probe, operation } = sent;
  const { response } = exchange;
  return {
    ...{ exchange, probe, operation, deviations: [], hidden: [] },
    ...{ answered: false, sound: false, removed: false },
    ...(response ? judgeAnswer(sent, response, circumstances) : judgeSilence(sent, circumstances)),
  };
}

/** No answer is the service's fault, unless nobody was there to give one; what was due did not come, either. */
function judgeSilence({ exchange, probe, operation, controls }: Sent, { goneSince }: Circumstances): Outcome {
  const { failure } = exchange;
  const isGone = goneSince !== undefined && exchange.receivedAt >= goneSince;
  if (!failure || isGone || NOT_ANSWERED.has(failure.kind))
    return { met: [], inconclusive: { reason: failure?.message ?? 'no answer' } };
  const isDue = probe.acceptable.length === 1;
  return {
    met: [],
    deviations: [transportDeviation(failure.message, failure.phase)],
    hidden: isDue ? statusDeviations(probe, operation, undefined, controls) : [],
  };
}

function transportDeviation(message: string, phase: string): Deviation {
  return {
    requirement: HTTP,
    kind: 'transport',
    reason: phase === 'headers' ? 'no HTTP response came back' : 'the response is not complete',
    expected: 'one complete HTTP response',
    received: quote(message),
  };
}

function judgeAnswer(sent: Sent, response: Received, circumstances: Circumstances): Outcome {
  const { probe, operation, controls } = sent;
  const { status } = response;
  if (circumstances.isKeyRefused && probe.key === 'valid' && status === 401)
    return { met: [], inconclusive: { reason: 'the key is refused by every operation' } };
  const key = documentedStatus(operation, status);
  const headers = judgeHeaders(headersFor(operation, key), response.headers);
  const met = [HTTP, ...headers.met];
  if (isRemoved(sent, status, circumstances.today)) return { ...headers, met, removed: true };
  const documented = operation.responses.find((each) => each.status === key);
  const isLimited = status === 429 && documented !== undefined && !probe.acceptable.includes(key ?? '');
  const body = judgeBody(
    response,
    isLimited ? documented : bodyFor(operation, status, probe.validity === 'open'),
  );
  const carried = {
    ...(documented ? { documented } : {}),
    ...(body.value === undefined ? {} : { value: body.value }),
  };
  if (isLimited)
    return {
      ...{ ...carried, ...both(headers, body), met: [...met, ...body.met] },
      inconclusive: { reason: 'the rate limit refused it' },
    };
  if (isAcceptable(probe, operation, status))
    return { ...carried, ...judgeRight(sent, response, headers, body) };
  if (isGuessRefused(probe, status, circumstances))
    return { ...carried, ...both(headers, body), met, inconclusive: GUESSED };
  const [owner, ...others] = statusDeviations(probe, operation, response, controls);
  const { deviations, hidden } = both(headers, body);
  const beneath = [...others, ...deviations, ...hidden];
  const inconclusive = explainedBy(probe, status, controls);
  if (inconclusive) return { ...carried, met: [HTTP], hidden: [owner, ...beneath], inconclusive };
  return { ...carried, met: [HTTP], deviations: [owner], hidden: beneath };
}

/** What is wrong with headers and body: either may be, whatever the other is. */
function both(headers: JudgedHeaders, body: JudgedBody): Pick<Judged, 'deviations' | 'hidden'> {
  return {
    deviations: [...headers.deviations, ...body.deviations],
    hidden: [...headers.hidden, ...body.hidden],
  };
}

/** An answer whose status is one of those that conform. */
function judgeRight(
  { probe, operation, controls }: Sent,
  { status, unread }: Received,
  headers: JudgedHeaders,
  body: JudgedBody,
): Outcome {
  // That something is refused, or is not there, says nothing where what is right is not answered either.
  const failing = failingControl(probe, controls);
  const inconclusive = failing && inconclusiveAfter(failing);
  const isBodyHidden = inconclusive?.cause !== undefined && probe.validity !== 'invalid';
  const { deviations, hidden } = both(headers, body);
  const due = statusMet(probe, operation, documentedStatus(operation, status), failing === undefined);
  return {
    met: [HTTP, ...headers.met, ...due, ...(isBodyHidden ? [] : body.met)],
    deviations: isBodyHidden ? headers.deviations : deviations,
    hidden: isBodyHidden ? [...hidden, ...body.deviations] : hidden,
    answered: true,
    sound: !isBodyHidden && body.value !== undefined && body.deviations.length === 0,
    ...(inconclusive ? { inconclusive } : {}),
    ...(unread === undefined ? {} : { inconclusive: { reason: unread } }),
  };
}

function statusMet(
  probe: Probe,
  operation: Operation,
  status: string | undefined,
  isConclusive: boolean,
): string[] {
  const met = [`${operation.id}.responses`];
  if (status !== undefined && probe.acceptable.includes(status))
    met.push(statusRequirement(operation, status));
  if (probe.rule && isConclusive && probe.acceptable.length > 0) met.push(probe.rule);
  return met;
}

/** From the day of its removal on, an operation may be gone: whatever is neither its success nor an error of the server. */
function isRemoved({ operation, probe, controls }: Sent, status: number, today: number): boolean {
  if (operation.removal === undefined || today < Date.parse(operation.removal) - DAY_MS) return false;
  if (status < 300 || status >= 500 || status === 429) return false;
  return (
    probe.stage === 'read' ||
    !probe.acceptable.includes(String(status)) ||
    controls.some(({ removed }) => removed)
  );
}
