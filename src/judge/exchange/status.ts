import { keyRequirement } from '../../contract/requirements.ts';
import type { Operation } from '../../model/contract.ts';
import { headerValues, type Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { dueStatus, expectedStatuses, isExpected } from '../../model/http/expectation.ts';
import { isPrecondition, isPreconditionStatus } from '../../model/http/preconditions.ts';
import type { Probe } from '../../model/probe.ts';
import { quote } from '../../model/visible.ts';
import type { Judged } from '../evidence/judged.ts';

/** The documented response for a status: for this status, for its class (`4XX`), or `default`. */
export function documentedStatus({ responses }: Operation, status: number): string | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT'];
  return names.find((name) => responses.some((response) => response.status === name));
}

/**
 * Whether a response says only that the service does not do now what the request asks for: a 4xx where the document does
 * not say when it comes, or a redirect or a 5xx that the document lists.
 */
export function isRefusedForNow(probe: Probe, operation: Operation, status: number): boolean {
  if (!operation.mayRefuse || status < 300) return false;
  const key = documentedStatus(operation, status);
  const isListed = key !== undefined && key !== 'DEFAULT';
  if (isListed && isExpected(probe.expectation, key)) return false;
  // The status is about the version that the request named, and says nothing about the rest of the request.
  if (isPreconditionStatus(status) && hasPrecondition(probe)) return probe.expectation.kind !== 'open';
  if (isAnyRejection(probe, status)) return false;
  if (status < 400 || status >= 500) return isListed;
  // A parameter that the document allows must not be refused as a wrong parameter.
  if (probe.rule !== undefined && probe.validity === 'valid') return status !== 400 && status !== 422;
  return probe.expectation.kind !== 'open';
}

function hasPrecondition({ headers = [] }: Probe): boolean {
  return headers.some(([name]) => isPrecondition(name));
}

/** Whether a status rejects a wrong key, if the document states no status for that. A 429 says nothing about the key. */
function isAnyRejection(probe: Probe, status: number): boolean {
  const { expectation } = probe;
  const isOfClass = isExpected(expectation, `${Math.floor(status / 100)}XX`);
  return expectation.kind === 'some-refusal' && status !== 429 && isOfClass;
}

/** Statuses that say that the operation does not exist. */
export const ABSENT: readonly number[] = [404, 405, 410];

export function isAbsent(status: number): boolean {
  return ABSENT.includes(status);
}

/** Whether a status is acceptable for a probe. If the probe names none, every status below 500 is. */
export function isAcceptable(probe: Probe, operation: Operation, status: number): boolean {
  const key = documentedStatus(operation, status);
  if (probe.expectation.kind === 'open') return status < 500;
  if (probe.expectation.kind === 'some-refusal') return isAnyRejection(probe, status);
  // `default` also stands for errors, and an error is no success.
  if (status >= 400 && key === 'DEFAULT') return false;
  return isExpected(probe.expectation, key);
}

/** The requirement that is about when this status is due. */
export function statusRequirement(operation: Operation, status: string | undefined): string {
  return (
    operation.responses.find((listed) => listed.status === status)?.requirement ?? `${operation.id}.responses`
  );
}

/**
 * Everything that a wrong status contradicts; the first deviation belongs to the requirement that owns it. If something
 * wrong was accepted (a key, a body), the rule against it is the owner; otherwise the status that was due. If a parameter
 * that its rule allows was refused, the rule is the owner.
 * @param response undefined if none came
 */
export function statusDeviations(
  probe: Probe,
  operation: Operation,
  response: Pick<Received, 'status' | 'headers'> | undefined,
  controls: readonly Judged[],
): [Deviation, ...Deviation[]] {
  const [owner, ...others] = contradicted(probe, operation, response?.status, controls);
  const expected = expectedStatus(probe);
  const received = response ? receivedStatus(response) : 'no response';
  const reason = `${probe.title}: ${wordsFor(probe, operation, response?.status)}`;
  const wrong = (requirement: string): Deviation => ({
    requirement,
    kind: 'status',
    reason,
    expected,
    received,
  });
  return [wrong(owner), ...others.filter((requirement) => requirement !== owner).map(wrong)];
}

/** The requirements that a wrong status contradicts, the owner first. */
function contradicted(
  probe: Probe,
  operation: Operation,
  status: number | undefined,
  controls: readonly Judged[],
): [string, ...string[]] {
  const responses = `${operation.id}.responses`;
  const serverError = status !== undefined && status >= 500 ? [responses] : [];
  const due = keyRejection(probe, operation) ?? statusRequirement(operation, dueStatus(probe.expectation));
  const { rule = due } = probe;
  const isAccepted = isSuccess(status);
  if (probe.expectation.kind === 'open') return [responses];
  // The document does not say which rejection is due, so a 5xx is a single fault.
  if (probe.expectation.kind === 'some-refusal' && serverError.length > 0) return [responses];
  if (probe.key === 'absent') {
    // The request was refused for another mistake, so the service looked at that before the key.
    return isRefusal(status) ? [rule, due] : [due, rule, ...serverError];
  }
  if (probe.key !== 'valid') {
    if (!isAccepted) return [due, ...serverError];
    return isOpenToAll(controls) ? [due, rule] : [rule, due];
  }
  if (probe.validity === 'invalid') {
    if (isAccepted) return [rule, due];
    // The document does not say which refusal is due, so a 5xx is a single fault.
    if (operation.mayRefuse && serverError.length > 0) return [responses];
    // Any response but a refusal also contradicts the rule that the request breaks.
    return isRefusal(status) ? [due] : [due, rule, ...serverError];
  }
  // The document leaves open what is due, so a 5xx is a single fault.
  if (operation.mayRefuse && probe.validity === 'open' && serverError.length > 0) return [responses];
  // The success is due only where nothing is refused.
  if (operation.mayRefuse && isRefusal(status)) return [rule];
  if (probe.expectation.kind === 'either' && !operation.mayRefuse)
    return [lenientOwner(probe, operation, status), ...serverError];
  return [rule, due, ...serverError];
}

/** The requirement that a wrong key is rejected, if the document states no status for that. */
function keyRejection(probe: Probe, operation: Operation): string | undefined {
  return probe.expectation.kind === 'some-refusal' ? keyRequirement(operation) : undefined;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status <= 499;
}

/** Whether an operation asks for no key at all. That is a single fault, however many wrong keys it accepts. */
function isOpenToAll(controls: readonly Judged[]): boolean {
  return controls.some(
    ({ probe, exchange }) => probe.key === 'absent' && isSuccess(exchange.response?.status),
  );
}

function wordsFor(probe: Probe, { needsNoKey }: Operation, status: number | undefined): string {
  if (status === undefined) return 'no response';
  if (status === 401 && needsNoKey && probe.validity === 'valid')
    return `rejected with 401, although its \`security: []\` says that it needs no key`;
  if (isSuccess(status) && probe.validity === 'invalid') return `accepted with ${status}`;
  return isRefusal(status) ? `rejected with ${status}` : `returned ${status}`;
}

function receivedStatus({ status, headers }: Pick<Received, 'status' | 'headers'>): string {
  const [location] = status >= 300 && status <= 399 ? headerValues(headers, 'Location') : [];
  // petspec follows no redirect: the key is only for this target.
  return `status ${status}${location === undefined ? '' : ` to ${quote(location)}`}`;
}

/**
 * If a success and a refusal both conform, another 4xx is a refusal with the wrong status. But a 409 that says that a text
 * is taken refuses something valid: the success was due.
 */
function lenientOwner(probe: Probe, operation: Operation, status: number | undefined): string {
  if (status !== undefined && status >= 500) return `${operation.id}.responses`;
  const isTaken = probe.isDuplicate === true && status === 409;
  const isWrongRefusal = isRefusal(status) && !isTaken && isExpected(probe.expectation, '400');
  return statusRequirement(operation, isWrongRefusal ? '400' : dueStatus(probe.expectation));
}

function expectedStatus(probe: Probe): string {
  if (probe.expectation.kind === 'open') return 'a status below 500';
  return `status ${expectedStatuses(probe.expectation)}`;
}
