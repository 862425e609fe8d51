import type { Operation } from '../../model/contract.ts';
import { headerValues, type Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import type { Probe } from '../../model/probe.ts';
import type { Judged } from '../judged.ts';
import { quote } from '../quote.ts';

/** The documented status that a status stands for: itself, or its class. */
export function documentedStatus(operation: Operation, status: number): string | undefined {
  const own = operation.responses.find((each) => each.status === String(status));
  return (own ?? operation.responses.find((each) => each.status === `${Math.floor(status / 100)}XX`))?.status;
}

/** Statuses by which a service says that there is no such operation. */
export function isAbsent(status: number): boolean {
  return status === 404 || status === 405 || status === 410;
}

/** Whether a status is among the acceptable ones of a probe; without any, whatever is no 5xx. */
export function isAcceptable(probe: Probe, operation: Operation, status: number): boolean {
  const key = documentedStatus(operation, status);
  if (probe.acceptable.length === 0) return status < 500;
  return key !== undefined && probe.acceptable.includes(key);
}

/** The requirement that a response of this status is given where it is due. */
export function statusRequirement(operation: Operation, status: string | undefined): string {
  return (
    operation.responses.find((each) => each.status === status)?.requirement ?? `${operation.id}.responses`
  );
}

/**
 * All that a wrong status contradicts, first the requirement that owns it; `undefined` is no answer at all. A wrong key
 * that is let in, or a wrong body that is accepted, belongs to what was wrong with it; any other status belongs to the
 * one that was due; what a parameter's rule allows belongs to the rule.
 */
export function statusDeviations(
  probe: Probe,
  operation: Operation,
  response: Pick<Received, 'status' | 'headers'> | undefined,
  controls: readonly Judged[],
): [Deviation, ...Deviation[]] {
  const [owner, ...others] = contradicted(probe, operation, response?.status, controls);
  const expected = expectedStatus(probe);
  const received = response ? receivedStatus(response) : 'no answer';
  const reason = `${probe.title}: ${wordsFor(probe, response?.status)}`;
  const wrong = (requirement: string): Deviation => ({
    requirement,
    kind: 'status',
    reason,
    expected,
    received,
  });
  return [wrong(owner), ...others.filter((each) => each !== owner).map(wrong)];
}

/** The requirements that a wrong status contradicts, the one that owns it first. */
function contradicted(
  probe: Probe,
  operation: Operation,
  status: number | undefined,
  controls: readonly Judged[],
): [string, ...string[]] {
  const responses = `${operation.id}.responses`;
  const atFault = status !== undefined && status >= 500 ? [responses] : [];
  const due = statusRequirement(operation, probe.acceptable.at(-1));
  const { rule = due } = probe;
  const isAccepted = isSuccess(status);
  if (probe.acceptable.length === 0) return [responses];
  if (probe.key === 'absent') {
    // What was refused for what else is wrong with it was looked at before the key was.
    const isLookedAt = isRefusal(status);
    return isLookedAt ? [rule, due] : [due, rule, ...atFault];
  }
  if (probe.key !== 'valid') {
    if (!isAccepted) return [due, ...atFault];
    return isOpenToAll(controls) ? [due, rule] : [rule, due];
  }
  if (probe.validity === 'invalid') {
    if (isAccepted) return [rule, due];
    // Whatever is no refusal contradicts that what is wrong is refused.
    return isRefusal(status) ? [due] : [due, rule, ...atFault];
  }
  if (probe.acceptable.length > 1) return [lenientOwner(probe, operation, status), ...atFault];
  return [rule, due, ...atFault];
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status <= 499;
}

/** That an operation asks for no key at all is one fault, however many wrong keys it takes. */
function isOpenToAll(controls: readonly Judged[]): boolean {
  return controls.some(
    ({ probe, exchange }) => probe.key === 'absent' && isSuccess(exchange.response?.status),
  );
}

function wordsFor(probe: Probe, status: number | undefined): string {
  if (status === undefined) return 'no answer';
  if (probe.acceptable.length !== 1) return 'a status that is not documented';
  if (probe.key === 'valid' && probe.validity !== 'invalid') return 'not answered as documented';
  if (isSuccess(status)) return 'accepted';
  return probe.key === 'valid' ? 'answered with another status' : 'not answered as it should be';
}

function receivedStatus({ status, headers }: Pick<Received, 'status' | 'headers'>): string {
  const [location] = status >= 300 && status <= 399 ? headerValues(headers, 'Location') : [];
  // A redirect is not followed: the key is for nobody else.
  return `status ${status}${location === undefined ? '' : ` to ${quote(location)}`}`;
}

/**
 * If a success and a refusal both conform, another 4xx is a refusal with the wrong status. But a 409 that says that a text
 * is taken refuses something valid: the success was due.
 */
function lenientOwner(probe: Probe, operation: Operation, status: number | undefined): string {
  if (status !== undefined && status >= 500) return `${operation.id}.responses`;
  const isTaken = probe.isDuplicate === true && status === 409;
  const isWrongRefusal = isRefusal(status) && !isTaken && probe.acceptable.includes('400');
  return statusRequirement(operation, isWrongRefusal ? '400' : probe.acceptable[0]);
}

function expectedStatus(probe: Probe): string {
  return probe.acceptable.length === 0 ? 'a status below 500' : `status ${probe.acceptable.join(' or ')}`;
}
