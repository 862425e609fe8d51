import type { Operation } from '../contract/types.ts';
import type { Probe } from '../probes/types.ts';
import type { Deviation } from './finding.ts';
import type { Judged } from './judged.ts';

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
 * with it; any other status belongs to the one that was due; a bound belongs to its rule, unless the operation fails
 * without it as well.
 */
export function statusDeviation(
  probe: Probe,
  operation: Operation,
  status: number,
  control: Judged | undefined,
): Deviation {
  const expected = expectedStatus(probe);
  const received = `status ${status}`;
  const wrong = (requirement: string, reason: string): Deviation => ({
    requirement,
    reason,
    expected,
    received,
  });
  const isSuccess = status >= 200 && status <= 299;
  const due = statusRequirement(operation, probe.acceptable.at(-1));
  if (probe.acceptable.length === 0)
    return wrong(`${operation.id}.responses`, `${probe.title}: a status that is not documented`);
  if (probe.key !== 'valid') {
    const letIn = control && (control.exchange.response?.status ?? 500) < 300;
    return wrong(
      isSuccess && probe.rule && !letIn ? probe.rule : due,
      `${probe.title} ${isSuccess ? 'is accepted' : 'is not answered as it should be'}`,
    );
  }
  if (probe.validity === 'invalid') {
    return wrong(
      isSuccess && probe.rule ? probe.rule : due,
      `${probe.title}: ${isSuccess ? 'accepted' : 'answered with another status'}`,
    );
  }
  if (probe.acceptable.length > 1) {
    return wrong(
      status >= 500 ? `${operation.id}.responses` : due,
      `${probe.title}: a status that is not documented`,
    );
  }
  return wrong(
    probe.rule && control?.answered ? probe.rule : due,
    `${probe.title}: not answered as documented`,
  );
}

function expectedStatus(probe: Probe): string {
  return probe.acceptable.length === 0 ? 'a status below 500' : `status ${probe.acceptable.join(' or ')}`;
}
