import { effectOf, namesIn, type Resource, resourcesOf } from '../../contract/resources.ts';
import type { Contract, Gap, Operation } from '../../model/contract.ts';
import { findReads, isReadOperation } from '../../probes/reads/find-reads.ts';
import { exampleGaps, isUsable } from '../../probes/reads/usable-examples.ts';
import { type UsefulExample, usefulExamples } from '../../probes/reads/useful-examples.ts';
import { exceededValues, wrongField } from '../../probes/writes/bodies.ts';
import { writeValues } from '../../probes/writes/write-request.ts';
import { addressIn } from '../../requests/request.ts';
import type { RunOptions } from '../options.ts';
import type { RunPlan } from '../plan.ts';

/** The operations that a run leaves out. */
export interface Unplanned {
  /** Operations without a request, with the reason, and rules that petspec cannot derive. */
  gaps: readonly Gap[];
  /** The values for `--example` that would help most. */
  useful: readonly UsefulExample[];
}

/** What a run by the user's document leaves out; nothing if the interface is complete. */
export function unplannedOf(
  contract: Contract,
  plan: Pick<RunPlan, 'probes'>,
  options: RunOptions,
): Unplanned {
  if (contract.isComplete) return { gaps: [], useful: [] };
  const planned = new Set(plan.probes.map(({ operation }) => operation));
  const unsent = contract.operations
    .filter(({ id }) => !planned.has(id))
    .map((operation) => ({
      operation: nameOf(operation),
      isWhole: false,
      reason: reasonOf(operation, contract, options),
    }));
  return { gaps: [...unsent, ...contract.gaps, ...exampleGaps(contract)], useful: usefulExamples(contract) };
}

export type { UsefulExample };

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** Why nothing is sent to an operation: what the user left out, then what petspec lacks. */
function reasonOf(operation: Operation, contract: Contract, options: RunOptions): string {
  const { address } = operation;
  if (addressIn({ ...options, baseUrl: options.baseUrl ?? '' }, address) === undefined)
    return address === 'apiUrl'
      ? 'not sent: it has a server of its own; state its address with --api-url'
      : `not sent: it has a server of its own; state its address with --server ${address}=<url>`;
  const missing = isReadOperation(operation)
    ? findReads(contract).missing.get(operation.id)
    : options.write
      ? lackingIn(operation, contract)
      : 'not sent: petspec only reads (--write)';
  return missing ?? 'not sent: no requirement that is judged needs it';
}

const WITH_EXAMPLE = '--example with its values allows it';

/** What a run that writes lacks for an operation; undefined if it lacks nothing. */
function lackingIn(operation: Operation, contract: Contract): string | undefined {
  const lacking = bodyLacks(operation) ?? parameterLacks(operation);
  if (lacking !== undefined) return `not sent: ${lacking}`;
  const effect = effectOf(operation, contract);
  if (effect === 'unknown')
    return `not sent: the document does not say what it creates, changes or removes; ${WITH_EXAMPLE}`;
  const resource = resourcesOf(contract).find((candidate) => isOf(candidate, operation));
  if (!resource)
    return `not sent: no operation of the document creates what it ${effect === 'remove' ? 'removes' : 'changes'}; ${WITH_EXAMPLE}`;
  if (resource.create === operation) {
    const unknown = unknownIn(resource);
    return unknown && `not sent: no value known for {${unknown}}; ${WITH_EXAMPLE}`;
  }
  const { create } = resource;
  const before = lackingIn(create, contract);
  return before && `not sent: it needs what ${nameOf(create)} creates, which is not sent`;
}

function isOf({ create, replace, parts, remove }: Resource, operation: Operation): boolean {
  return [create, ...replace, ...parts, remove].includes(operation);
}

/** The first parameter of the path of a creation that neither its parent nor the user has a value for. */
function unknownIn({ create, parent }: Resource): string | undefined {
  const givenNames = new Set(parent && namesIn(create.path).slice(0, namesIn(parent.item).length));
  return namesIn(create.path).find(
    (name) =>
      !givenNames.has(name) &&
      !create.parameters.some((parameter) => parameter.name === name && parameter.isStated),
  );
}

function bodyLacks(operation: Operation): string | undefined {
  const { body } = operation;
  if (!body?.required) return undefined;
  const most = exceededValues(operation);
  if (most !== undefined) return `the body needs more than ${most} values; state the body with --example`;
  const field = wrongField(operation);
  if (field === undefined) return undefined;
  const example = body.example ?? body.schema.example;
  if (isUsable(body.schema, example)) return undefined;
  const unused = example === undefined ? '' : 'the example of the body violates its schema, and ';
  return `${unused}petspec found no valid value for ${field} of the body; state the body with --example`;
}

function parameterLacks(operation: Operation): string | undefined {
  const values = writeValues(operation, operation.id);
  return typeof values === 'string'
    ? `no valid value known for the required parameter ${values}; give it an example in the document, or with --example`
    : undefined;
}
