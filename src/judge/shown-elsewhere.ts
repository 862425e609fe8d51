import { headerRequirement, valueRequirement } from '../contract/requirements.ts';
import type { Contract, DocumentedResponse, Header } from '../model/contract.ts';
import { vacuous } from '../model/finding.ts';
import { isExpected } from '../model/http/expectation.ts';
import { addTo, exchangesFor } from '../model/large/lookups.ts';
import { type Probe, usesUpLimit } from '../model/probe.ts';
import { rememberingEach } from '../model/remembering.ts';
import { type Check, idsOf } from './evidence/check.ts';
import { isSound, type Judged } from './evidence/judged.ts';

/** Statuses of documented responses, by operation. */
export type Statuses = ReadonlyMap<string, readonly string[]>;

/** Whether only error responses have a part of a body. */
export function isOfErrors(contract: Contract, statuses: Statuses): boolean {
  const succeeding = succeedingIn(contract);
  const areErrors = [...statuses].every(([id, listed]) =>
    listed.every((status) => /^[45]/.test(status) || (status === 'DEFAULT' && succeeding.has(id))),
  );
  // No response shows the rule of a parameter.
  return areErrors && statuses.size > 0;
}

/** The operations that document a success or a redirect. */
const succeedingIn = rememberingEach(({ operations }: Contract) => {
  const succeeding = operations.filter(({ responses }) =>
    responses.some(({ status }) => /^[23]/.test(status)),
  );
  return new Set(succeeding.map(({ id }) => id));
});

/**
 * The check of a field of a body. If any response has the field and it is right, responses without the field are no evidence. If
 * only error responses have the field, a refused request is no evidence either.
 */
export function shownElsewhere(check: Check, statuses: Statuses, isInErrorsAlone: boolean): Check {
  const hasPart = ({ operation, documented }: Judged) =>
    documented && statuses.get(operation.id)?.includes(documented.status);
  return {
    ...check,
    judge(evidence) {
      const finding = check.judge(evidence);
      if (finding.status !== 'not-tested') return finding;
      const isFree = isInErrorsAlone && finding.untested === 'inconclusive';
      const candidates = exchangesFor(evidence.judged, check).filter(
        (result) =>
          (isSound(result) && hasPart(result)) || (isFree && isRefused(result) && check.probes(result.probe)),
      );
      return candidates.length === 0
        ? finding
        : vacuous('no response could have shown a violation', idsOf(candidates));
    },
  };
}

/**
 * The check of a header. A wrong response hides the header only if a response with the header was due: a 429, for example, is due only
 * over the limit.
 */
export function headerShownElsewhere(check: Check, statuses: Statuses): Check {
  const shownCheck = shownElsewhere(check, statuses, false);
  return {
    ...shownCheck,
    judge(evidence) {
      const finding = shownCheck.judge(evidence);
      if (finding.status !== 'not-tested') return finding;
      const results = exchangesFor(evidence.judged, check).filter(({ probe }) => check.probes(probe));
      const sound = results.filter(isSound);
      const isDue = results.some((result) => !isSound(result) && isDueOneOf(result.probe, statuses));
      return isDue || sound.length === 0
        ? finding
        : vacuous('no response could have shown a violation', idsOf(sound));
    },
  };
}

/** Whether a conforming response to this request may have one of these statuses. */
function isDueOneOf({ operation, stage, expectation }: Probe, statuses: Statuses): boolean {
  const isAny = expectation.kind === 'open';
  return (statuses.get(operation) ?? []).some((status) =>
    status === '429'
      ? usesUpLimit(stage)
      : isAny || !/^\d{3}$/.test(status) || isExpected(expectation, status),
  );
}

function isRefused({ outcome, exchange: { response }, deviations }: Judged): boolean {
  return (
    outcome === 'inconclusive' && response !== undefined && response.status !== 429 && deviations.length === 0
  );
}

interface HeaderCarrier {
  operation: string;
  response: DocumentedResponse;
}

/** The documented responses with a header, by the requirements that are about the header. */
export function carriersByRequirement({
  operations,
}: Contract): ReadonlyMap<string, readonly HeaderCarrier[]> {
  const carriers = new Map<string, HeaderCarrier[]>();
  for (const { id: operation, responses } of operations)
    for (const response of responses) {
      const ids = response.headers.flatMap((header) => [headerRequirement(header), valueRequirement(header)]);
      for (const id of new Set(ids)) addTo(carriers, id, { operation, response });
    }
  return carriers;
}

/** The headers of these responses that a requirement is about. */
export function headersOf(carriers: readonly HeaderCarrier[], id: string): Header[] {
  const isAbout = (header: Header) => headerRequirement(header) === id || valueRequirement(header) === id;
  return carriers.flatMap(({ response }) => response.headers.filter(isAbout));
}

/** The statuses of these responses, by operation. */
export function statusesOf(carriers: readonly HeaderCarrier[]): Statuses {
  const statuses = new Map<string, string[]>();
  for (const { operation, response } of carriers) addTo(statuses, operation, response.status);
  return statuses;
}
