import type { Operation } from '../../model/contract.ts';
import type { Exchange, FailureKind, Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { isExpected } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { quote } from '../../model/visible.ts';
import type {
  Circumstances,
  Judged,
  JudgedExchange,
  JudgedPart,
  ResponseOutcome,
} from '../evidence/judged.ts';
import { bodyFor, type JudgedBody, judgeBody } from './body.ts';
import { explainedBy, failingControl, guessedIn, inconclusiveAfter, isGuessRefused } from './controls.ts';
import { headersFor, judgeHeaders } from './headers.ts';
import { asksForNeedlessKey, judgeSpelled, perhapsOtherKey } from './keys.ts';
import {
  documentedStatus,
  isAcceptable,
  isRefusedForNow,
  statusDeviations,
  statusRequirement,
} from './status.ts';

const HTTP = 'service.http';

/** An operation may be gone one day before the date of its removal in UTC: the day begins up to 14 hours earlier elsewhere. */
const DAY_MS = 86_400_000;

/** Failures that say nothing about the service. */
const NOT_ITS_FAULT: ReadonlySet<FailureKind> = new Set([
  'refused',
  'unreachable',
  'tls',
  'interrupted',
  'too-large',
]);

/** An exchange of a probe, and the judged exchanges of the probe's controls. */
export interface ControlledExchange {
  exchange: Exchange;
  probe: Probe;
  operation: Operation;
  controls: readonly Judged[];
}

/** The fields that judging adds to an exchange. */
type Judgment = Omit<JudgedExchange, 'exchange' | 'probe' | 'operation'> & ResponseOutcome;

/**
 * Judges one exchange layer by layer: transport, status, headers and body. The first deviation owns the exchange and
 * hides the others; so does a control that did not get the response it should.
 */
export function judgeExchange(sent: ControlledExchange, circumstances: Circumstances): Judged {
  const { exchange, probe, operation, controls } = sent;
  const { response } = exchange;
  if (probe.spelling)
    return { exchange, probe, operation, ...judgeSpelled(probe, operation, response, controls) };
  const judgment = response
    ? judgeAnswer(sent, response, circumstances)
    : judgeFailure(sent, circumstances.goneSince);
  return { exchange, probe, operation, ...judgment };
}

/** A failure is held against the service, unless the service was gone. The response that was due is missing, too. */
function judgeFailure(
  { exchange, probe, operation, controls }: ControlledExchange,
  goneSince?: number,
): Judgment {
  const { failure } = exchange;
  const isGone = goneSince !== undefined && exchange.receivedAt >= goneSince;
  if (!failure || isGone || NOT_ITS_FAULT.has(failure.kind)) {
    const reason = failure?.message ?? 'no response';
    return { outcome: 'inconclusive', inconclusive: { reason }, met: [], deviations: [], hidden: [] };
  }
  const isDue = probe.expectation.kind === 'due';
  return {
    outcome: 'deviant',
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

function judgeAnswer(sent: ControlledExchange, response: Received, circumstances: Circumstances): Judgment {
  const { probe, operation } = sent;
  const { status } = response;
  if (circumstances.isKeyRefused && probe.key === 'valid' && status === 401) {
    const inconclusive = { reason: 'every operation refused the key' };
    return { outcome: 'inconclusive', inconclusive, met: [], deviations: [], hidden: [] };
  }
  const key = documentedStatus(operation, status);
  const headers = judgeHeaders(headersFor(operation, key), response.headers);
  if (isRemoved(sent, status, todayOf(circumstances)))
    return { outcome: 'removed', ...headers, met: [HTTP, ...headers.met] };
  const documented = operation.responses.find((response) => response.status === key);
  const isLimited =
    status === 429 && documented !== undefined && !isExpected(probe.expectation, documented.status);
  const isRefused =
    !isLimited && !isKeyNeedless(sent, circumstances) && isRefusedForNow(probe, operation, status);
  const whole = isLimited ? documented : bodyFor(operation, status, isBodyOpen(probe, status));
  const body = judgeBody(response, probe.isPartial ? {} : whole);
  const carried = { documented, value: body.value };
  if (isLimited || isRefused) {
    const inconclusive = {
      reason: isLimited
        ? 'the rate limit refused the request'
        : `${probe.title}: ${status < 400 ? 'redirected' : 'refused'} with ${status}${perhapsOtherKey(sent, status, circumstances.contract)}`,
    };
    const met = [HTTP, ...headers.met, ...body.met];
    return { ...carried, ...both(headers, body), met, outcome: 'inconclusive', inconclusive };
  }
  if (isAcceptable(probe, operation, status))
    return { ...carried, ...judgeRightStatus(sent, response, headers, body) };
  return { ...carried, ...judgeWrongStatus(sent, response, headers, body, circumstances) };
}

/** Whether a valid request was asked for a key that it does not need. */
function isKeyNeedless(
  { exchange, probe, operation }: ControlledExchange,
  circumstances: Circumstances,
): boolean {
  const { contract, isAnyLetIn = false } = circumstances;
  return probe.validity === 'valid' && asksForNeedlessKey(exchange, operation, contract, isAnyLetIn);
}

/** Whether the interface leaves the body of a refusal open: for an open probe, and for a redirect to a login. */
function isBodyOpen(probe: Probe, status: number): boolean {
  if (probe.validity === 'open' || probe.hasOpenRefusal) return true;
  return probe.expectation.kind === 'some-refusal' && status < 400;
}

/** The deviations of headers and body. Each part is judged even if the other is wrong. */
function both(headers: JudgedPart, body: JudgedBody): Pick<Judged, 'deviations' | 'hidden'> {
  return {
    deviations: [...headers.deviations, ...body.deviations],
    hidden: [...headers.hidden, ...body.hidden],
  };
}

function judgeRightStatus(
  { probe, operation, controls }: ControlledExchange,
  { status, unread }: Received,
  headers: JudgedPart,
  body: JudgedBody,
): Judgment {
  // A refusal or a 404 is inconclusive if the valid request does not get its response, either.
  const failing = failingControl(probe, controls);
  const inconclusive = failing && inconclusiveAfter(failing);
  const isBodyHidden = inconclusive?.cause !== undefined && probe.validity !== 'invalid';
  const { deviations, hidden } = both(headers, body);
  const due = statusMet(probe, operation, documentedStatus(operation, status), failing === undefined);
  return {
    outcome: 'answered',
    isSound: !isBodyHidden && body.value !== undefined && body.deviations.length === 0,
    met: [HTTP, ...headers.met, ...due, ...(isBodyHidden ? [] : body.met)],
    deviations: isBodyHidden ? headers.deviations : deviations,
    hidden: isBodyHidden ? [...hidden, ...body.deviations] : hidden,
    ...(inconclusive ? { inconclusive } : {}),
    ...(unread === undefined ? {} : { inconclusive: { reason: unread } }),
  };
}

/** A response whose status does not conform: the status hides everything else. */
function judgeWrongStatus(
  { probe, operation, controls }: ControlledExchange,
  response: Received,
  headers: JudgedPart,
  body: JudgedBody,
  circumstances: Circumstances,
): Judgment {
  const { status } = response;
  if (isGuessRefused(probe, status, circumstances)) {
    const met = [HTTP, ...headers.met];
    return {
      ...both(headers, body),
      met,
      outcome: 'inconclusive',
      inconclusive: guessedIn(probe, circumstances),
    };
  }
  const [owner, ...others] = statusDeviations(probe, operation, response, controls);
  const { deviations, hidden } = both(headers, body);
  const beneath = [...others, ...deviations, ...hidden];
  const inconclusive = explainedBy(probe, status, controls);
  if (!inconclusive) return { outcome: 'deviant', met: [HTTP], deviations: [owner], hidden: beneath };
  return { outcome: 'inconclusive', inconclusive, met: [HTTP], deviations: [], hidden: [owner, ...beneath] };
}

function statusMet(
  probe: Probe,
  operation: Operation,
  status: string | undefined,
  isConclusive: boolean,
): string[] {
  const met = [`${operation.id}.responses`];
  if (status !== undefined && isExpected(probe.expectation, status))
    met.push(statusRequirement(operation, status));
  if (probe.rule && isConclusive && probe.expectation.kind !== 'open') met.push(probe.rule);
  return met;
}

/** The day by which dates of the document are judged, in ms since the epoch. */
function todayOf({ contract, today }: Circumstances): number {
  return contract.asOf === undefined ? today : Date.parse(contract.asOf);
}

/** From the day of its removal an operation may be gone, and then answer anything but a success or a 5xx. */
function isRemoved(
  { operation, probe, controls }: ControlledExchange,
  status: number,
  today: number,
): boolean {
  if (operation.removal === undefined || today < Date.parse(operation.removal) - DAY_MS) return false;
  if (status < 300 || status >= 500 || status === 429) return false;
  return (
    probe.stage === 'read' ||
    !isExpected(probe.expectation, String(status)) ||
    controls.some(({ outcome }) => outcome === 'removed')
  );
}
