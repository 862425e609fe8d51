import { valueRequirement } from '../contract/requirements.ts';
import { fieldsOf, ruleIdOf, ruleVersions } from '../contract/schema.ts';
import type { Contract, DocumentedResponse, Header } from '../model/contract.ts';
import { met, notTested, violated } from '../model/finding.ts';
import type { Probe } from '../model/probe.ts';
import { type Check, idsOf, unexercised } from './check.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { repetitionOfIntermittent } from './intermittent.ts';
import type { Judged } from './judged.ts';
import { noRefusal } from './limiter/refusals.ts';

/**
 * The checks of the requirements that the OpenAPI document implies. Each collects what judging the exchanges found for its
 * requirement. No operation is known by name here.
 */
export function derivedChecks(contract: Contract): Check[] {
  const limited = limitedResponse(contract);
  return contract.requirements
    .filter(({ source, id }) => source === 'openapi' && id !== limited)
    .map(({ id }) => {
      const carriers = carriersOf(contract, id);
      const phase = carriers.length > 0 ? 'every-exchange' : 'functional';
      const isOfLimited = carriers.length > 0 && carriers.every(({ status }) => status === '429');
      const probes = carriers.length > 0 ? () => true : probesFor(contract, id);
      if (!isOfLimited) return ownedCheck(id, probes, phase);
      return needsRefusal(
        ownedCheck(id, ({ stage }) => stage === 'exhaust', phase),
        limited,
        headersOf(carriers, id)[0]?.name,
      );
    });
}

/** Only a refusal by the rate limit shows this: without one the requirement is not tested. */
function needsRefusal(check: Check, limited: string, name: string | undefined): Check {
  return {
    ...check,
    needs: [limited],
    judge(evidence) {
      const finding = check.judge(evidence);
      if (finding.status !== 'met' || finding.exercised) return finding;
      const absent = evidence.judged
        .flatMap(({ deviations }) => deviations)
        .find(({ headers = [], requirement }) => requirement === name && headers.includes(name));
      return absent
        ? notTested('blocked', `cannot be judged: ${absent.reason}`, absent.requirement)
        : noRefusal(evidence);
    },
  };
}

/** The requirement of a refusal by the rate limit. When that is due cannot be derived. */
function limitedResponse({ operations }: Contract): string {
  return (
    operations.flatMap(({ responses }) => responses).find(({ status }) => status === '429')?.requirement ?? ''
  );
}

/** The documented responses with the header that a requirement is about; none if it is about something else. */
function carriersOf({ operations }: Contract, id: string): DocumentedResponse[] {
  const responses = operations.flatMap((operation) => operation.responses);
  return responses.filter((response) => headersOf([response], id).length > 0);
}

/** The headers of these responses that a requirement is about. */
function headersOf(responses: readonly DocumentedResponse[], id: string): Header[] {
  const isAbout = (header: Header) => header.name === id || valueRequirement(header) === id;
  return responses.flatMap(({ headers }) => headers.filter(isAbout));
}

/** A check that collects the deviations that its requirement owns. */
export function ownedCheck(
  requirement: string,
  probes: Check['probes'],
  phase: Check['phase'] = 'functional',
): Check {
  return {
    requirement,
    phase,
    probes,
    needs: [],
    judge(evidence) {
      const wrong = evidence.judged.filter(
        ({ deviations }) =>
          deviations.length > 0 && deviations.some((deviation) => deviation.requirement === requirement),
      );
      const deviation = wrong[0]?.deviations.find((each) => each.requirement === requirement);
      if (deviation) {
        const operations = [...new Set(wrong.map(({ operation }) => operation.id))];
        const where = wrong.length > 1 ? ` (${wrong.length} responses: ${operations.join(', ')})` : '';
        const deviating = wrong.flatMap((judged) =>
          judged.deviations
            .filter((each) => each.requirement === requirement)
            .map((each) => ({ judged, deviation: each })),
        );
        const repetition = repetitionOfIntermittent(deviation.kind, wrong, evidence.judged);
        return violated(
          {
            ...(repetition ? { repetition } : {}),
            ...deviation,
            reason: `${deviation.reason}${where}`,
          },
          idsOf(wrong),
          fingerprintsOf(deviating),
        );
      }
      const held = meeting(evidence.judged).get(requirement);
      return held ? met(held) : unexercised(evidence, probes);
    },
  };
}

const meetings = new WeakMap<readonly Judged[], ReadonlyMap<string, number[]>>();

/** Ids of the exchanges that fulfill each requirement: collected once for all checks. */
function meeting(judged: readonly Judged[]): ReadonlyMap<string, number[]> {
  const known = meetings.get(judged);
  if (known) return known;
  const found = new Map<string, number[]>();
  for (const each of judged) {
    for (const requirement of new Set(each.met)) {
      const ids = found.get(requirement);
      if (ids) ids.push(each.exchange.id);
      else found.set(requirement, [each.exchange.id]);
    }
  }
  meetings.set(judged, found);
  return found;
}

/** Which probes can test a derived requirement. */
function probesFor(contract: Contract, id: string): Check['probes'] {
  const operations = new Map(contract.operations.map((each) => [each.id, each]));
  const responses = new Map<string, string[]>();
  for (const operation of contract.operations) {
    responses.set(
      operation.id,
      operation.responses.filter((each) => concerns(each, id)).map(({ status }) => status),
    );
  }
  return (probe: Probe) => {
    if (probe.rule === id) return true;
    if (id === `${probe.operation}.responses`) return operations.has(probe.operation);
    return (responses.get(probe.operation) ?? []).some((status) => probe.acceptable.includes(status));
  };
}

/** Whether a documented response can fulfil or violate a requirement. */
function concerns(response: DocumentedResponse, id: string): boolean {
  if (response.requirement === id || response.bodyRequirement === id) return true;
  if (!response.schema || !response.bodyRequirement) return false;
  if (response.schema.items?.['x-component'] === id) return true;
  return fieldsOf(response.schema, response.bodyRequirement).some(
    ({ id: field, schema }) =>
      field === id ||
      Object.keys(ruleVersions(schema) ?? {}).some((keyword) => ruleIdOf(field, schema, keyword) === id),
  );
}
