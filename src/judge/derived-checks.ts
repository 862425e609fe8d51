import { shapedBodies } from '../contract/requirements.ts';
import { entriesOf, fieldsOf, ruleIdOf, ruleVersions } from '../contract/schema.ts';
import type { Contract, DocumentedResponse, Schema } from '../model/contract.ts';
import { met, notTested, violated } from '../model/finding.ts';
import { isExpected } from '../model/http/expectation.ts';
import { addTo, operationsById } from '../model/large/lookups.ts';
import type { Steps } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { rememberingEach } from '../model/remembering.ts';
import { RARE } from './attribution/failed-reads.ts';
import { type Check, type Evidence, idsOf, plainFirst, unexercised } from './evidence/check.ts';
import { fingerprintsOf } from './evidence/fingerprints.ts';
import { repetitionOfIntermittent } from './evidence/intermittent.ts';
import { isReadWithKey, type Judged } from './evidence/judged.ts';
import { noRefusal } from './limiter/refusals.ts';
import {
  carriersByRequirement,
  headerShownElsewhere,
  headersOf,
  isOfErrors,
  type Statuses,
  shownElsewhere,
  statusesOf,
} from './shown-elsewhere.ts';

/**
 * The checks of the requirements that the OpenAPI document implies. Each check collects the deviations of its
 * requirement. This file names no operation.
 */
export function* derivingChecks(contract: Contract): Steps<Check[]> {
  const { isComplete } = contract;
  const limited = isComplete ? limitedResponse(contract) : '';
  const allCarriers = carriersByRequirement(contract);
  yield;
  const allResponses = responsesByRequirement(contract);
  const operations = operationsById(contract.operations);
  const due = new Set(
    contract.operations.flatMap((operation) => operation.responses.map(({ requirement }) => requirement)),
  );
  const checkOf = (id: string): Check => {
    const carriers = allCarriers.get(id) ?? [];
    const phase = carriers.length > 0 ? 'every-exchange' : 'functional';
    const isOfLimited = carriers.length > 0 && carriers.every(({ response }) => response.status === '429');
    const statuses: Statuses = allResponses.get(id) ?? NO_STATUSES;
    if (!isComplete && carriers.length > 0) return headerCheck(id, statusesOf(carriers));
    const seenProbes: SeenProbes =
      carriers.length > 0
        ? { probes: () => true }
        : seenFor(operations, id, statuses, isComplete || due.has(id));
    if (!isComplete && !due.has(id))
      return shownElsewhere(collecting(id, seenProbes, phase), statuses, isOfErrors(contract, statuses));
    if (!isOfLimited || !isComplete) return collecting(id, seenProbes, phase);
    return needsRefusal(
      ownedCheck(id, ({ stage }) => stage === 'exhaust', phase),
      limited,
      headersOf(carriers, id)[0]?.name,
    );
  };
  const checks: Check[] = [];
  for (const { source, id, level } of contract.requirements) {
    yield;
    // A user's document may list a response without a condition: such a response is observed.
    if (source === 'openapi' && id !== limited && (isComplete || level !== 'open')) checks.push(checkOf(id));
  }
  return checks;
}

/** A check that needs a 429: without one, its requirement is not tested. */
function needsRefusal(check: Check, limited: string, name: string | undefined): Check {
  return {
    ...check,
    needs: [limited],
    judge(evidence) {
      const finding = check.judge(evidence);
      // A 429 before the limit is used up shows the header, too.
      const isUnplanned = finding.untested === 'not-planned';
      if ((finding.status !== 'met' || finding.exercised) && !isUnplanned) return finding;
      // If all headers are absent, the first of them owns the deviation.
      const absent = evidence.judged
        .flatMap(({ deviations }) => deviations)
        .find(({ headers = [] }) => headers.some((header) => header === name));
      if (absent) return notTested('blocked', `cannot be judged: ${absent.reason}`, absent.requirement);
      return isUnplanned ? finding : noRefusal(evidence);
    },
  };
}

/** The requirement of a 429. The document does not say when one is due. */
function limitedResponse({ operations }: Contract): string {
  return (
    operations.flatMap(({ responses }) => responses).find(({ status }) => status === '429')?.requirement ?? ''
  );
}

/** The check of a header in a user's document: only operations with the header show it. */
function headerCheck(id: string, statuses: Statuses): Check {
  const probes: Check['probes'] = ({ operation }) => statuses.has(operation);
  return headerShownElsewhere(collecting(id, { probes, operations: statuses }, 'every-exchange'), statuses);
}

/** A check that collects the deviations that its requirement owns. */
export function ownedCheck(
  requirement: string,
  probes: Check['probes'],
  phase: Check['phase'] = 'functional',
): Check {
  return collecting(requirement, { probes }, phase);
}

/** A document may imply a hundred thousand checks, so they share these constants. */
const NOTHING: readonly string[] = [];
const NO_STATUSES: Statuses = new Map();

type SeenProbes = Pick<Check, 'probes' | 'operations'>;

function collecting(requirement: string, seenProbes: SeenProbes, phase: Check['phase']): Check {
  return {
    requirement,
    phase,
    ...seenProbes,
    isCollecting: true,
    needs: NOTHING,
    judge(evidence) {
      const wrong = plainFirst(violating(evidence.judged).get(requirement) ?? []);
      const deviation = wrong[0]?.deviations.find((deviation) => deviation.requirement === requirement);
      if (deviation) {
        const deviating = wrong.flatMap((judged) =>
          judged.deviations
            .filter((deviation) => deviation.requirement === requirement)
            .map((owned) => ({ judged, deviation: owned })),
        );
        const repetition = repetitionOfIntermittent(deviation.kind, wrong, evidence.judged);
        return violated(
          {
            ...deviation,
            repetition: deviation.repetition ?? repetition,
            reason: `${deviation.reason}${rarely(wrong, evidence)}${alsoWrong(requirement, wrong)}`,
          },
          idsOf(wrong),
          fingerprintsOf(deviating, evidence.judged),
        );
      }
      const held = meeting(evidence.judged).get(requirement);
      return held ? met(idsOf(held)) : unexercised(evidence, { requirement, ...seenProbes });
    },
  };
}

/** Fewer reads do not show how often an operation fails. */
const MIN_READS = 25;

/** In words: how many reads are wrong, if only a few are. */
function rarely(wrong: readonly Judged[], { judged }: Evidence): string {
  const operations = new Set(wrong.map(({ operation }) => operation));
  const isOfThese = (result: Judged) => isReadWithKey(result) && operations.has(result.operation);
  const reads = judged.filter(isOfThese).length;
  const isRare = reads > MIN_READS && wrong.every(isOfThese) && wrong.length <= RARE * reads;
  return isRare ? ` (${wrong.length} of ${reads} reads)` : '';
}

/** The largest number of further bodies that a finding names. */
const MAX_ALSO = 5;

/**
 * In words: the other wrong bodies with the same violation, such as another missing property. In a user's document, the bodies of an
 * operation share one requirement.
 */
function alsoWrong(requirement: string, wrong: readonly Judged[]): string {
  const [first, ...others] = wrong.filter(
    ({ probe, operation }) =>
      operation.mayRefuse && probe.rule === requirement && requirement === `${operation.id}.body`,
  );
  const titles = new Set(
    others.map(({ probe }) => probe.title).filter((title) => title !== first?.probe.title),
  );
  if (titles.size === 0) return '';
  const more = titles.size > MAX_ALSO ? ', ...' : '';
  return `; also ${[...titles].slice(0, MAX_ALSO).join(', ')}${more}`;
}

/** The exchanges that fulfill each requirement, and those that violate it: collected once for all checks. */
const meeting = rememberingEach((judged: readonly Judged[]) => byRequirement(judged, ({ met }) => met));
const violating = rememberingEach((judged: readonly Judged[]) =>
  byRequirement(judged, ({ deviations }) => deviations.map(({ requirement }) => requirement)),
);

function byRequirement(
  judged: readonly Judged[],
  requirementsOf: (judged: Judged) => readonly string[],
): ReadonlyMap<string, readonly Judged[]> {
  const results = new Map<string, Judged[]>();
  for (const result of judged)
    for (const requirement of new Set(requirementsOf(result))) addTo(results, requirement, result);
  return results;
}

/**
 * Which probes can test a derived requirement.
 * @param isDue whether the interface says which requests get these statuses; otherwise any request may
 */
function seenFor(
  operations: Pick<ReadonlySet<string>, 'has'>,
  id: string,
  statuses: Statuses,
  isDue: boolean,
): SeenProbes {
  const owner = id.replace(/\.responses$/, '');
  const isOfAll = owner !== id && operations.has(owner);
  const probes = (probe: Probe) => {
    if (probe.rule === id) return true;
    if (isOfAll && probe.operation === owner) return true;
    // The response to a wrong request does not show what a right request gets.
    if (!isDue) return statuses.has(probe.operation) && probe.validity !== 'invalid';
    return (statuses.get(probe.operation) ?? []).some((status) => isExpected(probe.expectation, status));
  };
  return { probes, operations: isOfAll ? new Set([owner, ...statuses.keys()]) : statuses };
}

/** The documented responses that can fulfil or violate each requirement. */
export function responsesByRequirement({ operations }: Contract): ReadonlyMap<string, Statuses> {
  const statusesById = new Map<string, Statuses>();
  const shared = new Map<string, Map<string, string[]>>();
  for (const { id: operation, responses } of operations) {
    for (const response of responses) {
      // Most requirements belong to a single response: they share this map.
      const only: Statuses = new Map([[operation, [response.status]]]);
      for (const id of new Set(concernsOf(response))) {
        const earlier = statusesById.get(id);
        const statuses = earlier ? (shared.get(id) ?? copyOf(earlier)) : undefined;
        if (statuses) {
          addTo(statuses, operation, response.status);
          shared.set(id, statuses);
        }
        statusesById.set(id, statuses ?? only);
      }
    }
  }
  return statusesById;
}

const copyOf = (statuses: Statuses) =>
  new Map([...statuses].map(([operation, names]) => [operation, [...names]]));

/** The requirements that a documented response can fulfil or violate. */
function concernsOf(response: DocumentedResponse): string[] {
  const ofBodies = shapedBodies(response).flatMap(({ schema, bodyRequirement }) => {
    const entries = entriesOf(schema).flatMap((entry) => entry['x-component'] ?? []);
    return [bodyRequirement, ...entries, ...fieldRules(schema, bodyRequirement)];
  });
  return [response.requirement, ...ofBodies];
}

const rulesOfComponents = new WeakMap<Schema, readonly string[]>();

/** The requirements of the fields of a schema. A component has the same ones wherever it is used. */
function fieldRules(schema: Schema, owner: string): readonly string[] {
  const cached = rulesOfComponents.get(schema);
  if (cached) return cached;
  const rules = fieldsOf(schema, owner).flatMap(({ id, schema: field }) => [
    id,
    ...Object.keys(ruleVersions(field) ?? {}).map((keyword) => ruleIdOf(id, field, keyword)),
  ]);
  if (schema['x-component'] !== undefined) rulesOfComponents.set(schema, rules);
  return rules;
}
