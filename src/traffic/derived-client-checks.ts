import { describe } from '../contract/describe.ts';
import { type Field, fieldsOf } from '../contract/schema.ts';
import { newestOf, sinceOf } from '../contract/sets.ts';
import type { Contract, Operation, Requirement } from '../model/contract.ts';
import type { DeviationKind } from '../model/finding.ts';
import type { ProblemKind, RequestProblem } from './classify.ts';
import {
  type ClientCheck,
  type ClientRequest,
  eachRequest,
  FIRST_OF_CLIENTS,
  type RequestDeviation,
} from './client-check.ts';

/**
 * The checks that the OpenAPI document implies: one for each parameter, each body, and each field of a body that a client
 * sends. Operations that share a component share its requirements.
 */
export function derivedClientChecks({ operations }: Pick<Contract, 'operations'>): ClientCheck[] {
  const checks = new Map<string, ClientCheck>();
  for (const operation of operations)
    for (const check of checksOf(operation))
      if (!checks.has(check.requirement.id)) checks.set(check.requirement.id, check);
  return [...checks.values()];
}

function checksOf(operation: Operation): ClientCheck[] {
  const { id, method, path, section, parameters, body } = operation;
  const request = `${method} ${path}`;
  const parameterChecks = parameters.map((parameter) =>
    checkOf(
      `${id}.${parameter.name}`,
      section,
      [operation.since, parameter.since],
      `${parameter.name} in a request for ${request} is ${describe(parameter.schema)}.`,
      id,
    ),
  );
  if (!body) return parameterChecks;
  const owner = body.schema['x-component'] ?? `${id}.body`;
  return [
    ...parameterChecks,
    checkOf(
      `${id}.body`,
      section,
      [operation.since],
      `A request for ${request} has a body that is declared as ${body.mediaType} and is a JSON object.`,
      id,
    ),
    ...fieldsOf(body.schema, owner).map((field) => fieldCheck(field, section, id)),
  ];
}

function fieldCheck(
  { id, schema, required, section, since }: Field,
  otherwise: string,
  operation: string,
): ClientCheck {
  const presence = required ? 'required' : 'or absent';
  return checkOf(
    id,
    section ?? otherwise,
    since,
    `${id} in a request is ${describe(schema)}, ${presence}.`,
    operation,
  );
}

function checkOf(
  rule: string,
  section: string,
  since: readonly unknown[],
  statement: string,
  operation: string,
): ClientCheck {
  const id = `client.${rule}`;
  const requirement: Requirement = {
    id,
    level: 'must',
    section,
    operation,
    statement,
    source: 'openapi',
    since: newestOf([
      FIRST_OF_CLIENTS,
      ...since.map((version) => sinceOf(typeof version === 'object' ? undefined : version, id)),
    ]),
  };
  return eachRequest(requirement, `send ${rule}`, ({ classified }) => {
    const problem = classified.problems.find((candidate) => candidate.rule === rule);
    if (problem) return deviationOf(problem);
    return carries(classified, rule) ? 'held' : undefined;
  });
}

/** Whether a request has a value for a rule. Values of a body show that its media type and its JSON are right. */
function carries({ operation, values }: ClientRequest['classified'], rule: string): boolean {
  if (values.some((value) => value.rule === rule)) return true;
  return rule === `${operation?.id}.body` && values.length > 0;
}

const KINDS: Readonly<Record<ProblemKind, DeviationKind>> = {
  parameter: 'meaning',
  'media-type': 'media-type',
  json: 'json',
  shape: 'shape',
};

function deviationOf(problem: RequestProblem): RequestDeviation {
  const { kind, reason, detail, expected, received, pointer } = problem;
  return {
    kind: KINDS[kind],
    reason: detail === undefined ? reason : `${reason}: ${detail}`,
    expected,
    received,
    pointer,
    headers: kind === 'media-type' ? ['Content-Type'] : undefined,
  };
}
