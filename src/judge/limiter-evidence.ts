import type { Evidence } from './check.ts';
import { type Finding, notTested } from './finding.ts';
import type { Judged } from './judged.ts';

/** Seconds that rounding in either direction, and a second more than needed, can explain. */
export const ROUNDING = 3;

/** Exchanges with the key that were answered and whose status is right, in the order in which they were sent. */
export function answered({ judged }: Evidence): Judged[] {
  return judged.filter(
    ({ exchange, probe, deviations }) =>
      probe.key === 'valid' &&
      exchange.response &&
      !deviations.some(({ expected }) => expected.startsWith('status ')),
  );
}

/** Why nothing is there to be judged: the header is absent, or every answer is wrong. */
export function nothingToJudge(evidence: Evidence, header: string): Finding {
  const absent = evidence.judged
    .flatMap(({ deviations }) => deviations)
    .find(({ requirement }) => requirement.startsWith(header));
  if (absent) return notTested(`cannot be judged: ${absent.reason}`, absent.requirement);
  const wrong = evidence.judged.flatMap(({ deviations }) => deviations)[0];
  if (wrong) return notTested(`cannot be judged: ${wrong.reason}`, wrong.requirement);
  return notTested('no request of this run looks at it');
}

/** Requests with the key that the rate limit refused. */
export function refusals({ judged }: Evidence): Judged[] {
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.response?.status === 429);
}
