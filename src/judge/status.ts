import type { Operation } from '../contract/types.ts';
import type { Probe } from '../probes/types.ts';
import { headerValues, type Received } from '../session/exchange.ts';
import type { Deviation } from './finding.ts';
import type { Judged } from './judged.ts';
import { quote } from './quote.ts';

/** The documented status that a status stands for: itself, or its class. */
export function documentedStatus(operation: Operation, status: number): string | undefined {
  const own = operation.responses.find((each) => each.status === String(status));
  return (own ?? operation.responses.find((each) => each.status === `${Math.floor(status / 100)}XX`))?.status;
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
 * Whose a wrong status is. A wrong key that is let in, or a wrong body that is accepted, belongs to what was wrong
 * with it; any other status belongs to the one that was due; what a parameter's rule allows belongs to the rule.
 */
export function statusDeviation(
  probe: Probe,
  operation: Operation,
  response: Pick<Received, 'status' | 'headers'>,
  controls: readonly Judged[],
): Deviation {
  const { status } = response;
  const expected = expectedStatus(probe);
  const [location] = status >= 300 && status <= 399 ? headerValues(response.headers, 'Location') : [];
  // A redirect is not followed: the key is for nobody else.
  const received = `status ${status}${location === undefined ? '' : ` to ${quote(location)}`}`;
  const wrong = (requirement: string, reason: string): Deviation => ({
    requirement,
    kind: 'status',
    reason: `${probe.title}: ${reason}`,
    expected,
    received,
  });
  const isSuccess = status >= 200 && status <= 299;
  const due = statusRequirement(operation, probe.acceptable.at(-1));
  if (probe.acceptable.length === 0)
    return wrong(`${operation.id}.responses`, 'a status that is not documented');
  if (probe.key !== 'valid') {
    const isOpenToAll = controls.some(
      ({ probe: { key }, exchange }) => key === 'absent' && (exchange.response?.status ?? 500) < 300,
    );
    return wrong(
      isSuccess && probe.rule && !isOpenToAll ? probe.rule : due,
      isSuccess ? 'accepted' : 'not answered as it should be',
    );
  }
  if (probe.validity === 'invalid')
    return wrong(
      isSuccess && probe.rule ? probe.rule : due,
      isSuccess ? 'accepted' : 'answered with another status',
    );
  if (probe.acceptable.length > 1)
    return wrong(lenientOwner(probe, operation, status), 'a status that is not documented');
  return wrong(probe.rule ?? due, 'not answered as documented');
}

/** Where a success and a refusal both conform: another 4xx is a refusal with the wrong status, but for a conflict. */
function lenientOwner(probe: Probe, operation: Operation, status: number): string {
  if (status >= 500) return `${operation.id}.responses`;
  const isRefusal = status >= 400 && status !== 409 && probe.acceptable.includes('400');
  return statusRequirement(operation, isRefusal ? '400' : probe.acceptable[0]);
}

function expectedStatus(probe: Probe): string {
  return probe.acceptable.length === 0 ? 'a status below 500' : `status ${probe.acceptable.join(' or ')}`;
}
