import type {
  DocumentedResponse,
  Header,
  Level,
  Operation,
  Parameter,
  RequestBody,
  Requirement,
  Schema,
  ShapedBody,
} from '../model/contract.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { remembering } from '../model/remembering.ts';
import { article, describe, sentence } from './describe.ts';
import { type Field, fieldsOf, ruleIdOf, ruleVersions } from './schema.ts';
import { compareVersions, newestOf, sinceOf } from './sets.ts';
import { valuesAt } from './validation/parameter-bounds.ts';

/** Keywords of query parameters that are separate requirements, and their words in a sentence. */
export const PARAMETER_RULES: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (value) => `at its minimum of ${value}`,
  maximum: (value) => `at its maximum of ${value}`,
  minLength: (value) => `of its minimum length, ${value}`,
  maxLength: (value) => `of its maximum length, ${value}`,
  enum: (value) => `with each of its values (${(value as unknown[]).join(', ')})`,
};

/** The id of the requirement that a required header is present: its name. */
export function headerRequirement({ name, requirement }: Pick<Header, 'name' | 'requirement'>): string {
  return requirement ?? name;
}

/** The id of the requirement that a header has the documented value. */
export function valueRequirement(header: Pick<Header, 'name' | 'requirement'>): string {
  return `${headerRequirement(header)}.schema`;
}

/**
 * The id of the requirement that an operation rejects requests without a valid key; undefined if it needs none, or if the
 * requirement of its 401 says so.
 */
export function keyRequirement({ id, mayRefuse, secured, responses }: Operation): string | undefined {
  const isImplied = mayRefuse && secured && !responses.some(({ status }) => status === '401');
  return isImplied ? `${id}.key` : undefined;
}

/**
 * The requirements that the OpenAPI document implies: one for each status, rule of a parameter, field, and property of a
 * header. Operations that share a response, a component or a header share its requirement, as it is one fix.
 */
export function derivedRequirements(operations: readonly Operation[]): Requirement[] {
  return atOnce(derivingRequirements(operations));
}

/** The same in steps, one for each operation. */
export function* derivingRequirements(operations: readonly Operation[]): Steps<Requirement[]> {
  const namedSince = new Map<string, Set<Schema>>();
  const requirements = new Map<string, Requirement>();
  const carriers = carriersIn(operations);
  const addSince =
    (...outer: readonly unknown[]): AddRequirement =>
    ({ level = 'must', ...implied }, ...inner) => {
      const { id } = implied;
      const since = newestOf([...outer, ...inner].map((version) => sinceOf(version, id)));
      const earlier = requirements.get(id);
      if (!earlier) requirements.set(id, { ...implied, level, source: 'openapi', since });
      // A shared requirement is as old as the first operation that has it, and as strict as the strictest.
      else if (compareVersions(since, earlier.since) < 0) requirements.set(id, { ...earlier, since });
      else if (RANKS[level] > RANKS[earlier.level]) requirements.set(id, { ...earlier, level });
    };
  for (const operation of operations) {
    const add = addSince(operation.since);
    // A component is as old as the oldest response that has it.
    const namedBy = (...since: readonly (string | undefined)[]) => {
      const version = newestOf(since);
      const named = namedSince.get(version) ?? new Set<Schema>();
      namedSince.set(version, named);
      return named;
    };
    for (const response of operation.responses) {
      const since = [operation.since, response.since];
      addResponse(operation, response, carriers, addSince(...since), namedBy(...since));
    }
    add({
      id: `${operation.id}.responses`,
      section: operation.section,
      statement: `${nameOf(operation)} never returns a 5xx status: the interface documents none.`,
      operation: operation.id,
    });
    const key = keyRequirement(operation);
    if (key !== undefined)
      add({
        id: key,
        section: operation.section,
        statement: `${nameOf(operation)} rejects a request without a valid key.`,
        operation: operation.id,
      });
    for (const parameter of operation.parameters) addParameter(operation, parameter, add);
    if (operation.body) addRequestBody(operation, operation.body, add, namedBy(operation.since));
    yield;
  }
  return [...requirements.values()];
}

/** Adds a requirement, by default of level must. Its version is the newest of those given. */
type AddRequirement = (
  implied: Pick<Requirement, 'id' | 'section' | 'statement' | 'operation'> & { level?: Level | undefined },
  ...since: unknown[]
) => void;

/** How much each level binds. */
export const RANKS: Readonly<Record<Level, number>> = { open: 0, should: 1, must: 2 };

/**
 * The level of the status of a response. If the document says what may come and not when, petspec knows when a success is due,
 * and when a missing key is refused; 404 for an unknown id is good practice.
 */
function statusLevel({ mayRefuse, secured, parameters, responses }: Operation, status: string): Level {
  if (!mayRefuse || status.startsWith('2')) return 'must';
  if (status === '401' && secured) return 'must';
  if (status === '404' && parameters.some((parameter) => parameter.in === 'path')) return 'should';
  const isOnlySuccess = !responses.some((response) => response.status.startsWith('2'));
  return (status === 'DEFAULT' && isOnlySuccess) || isRedirectDue({ responses }, status) ? 'must' : 'open';
}

/** Whether an operation must redirect: its document lists no success. A 304 needs a condition, so it is no redirect. */
export function isRedirectDue({ responses }: Pick<Operation, 'responses'>, status: string): boolean {
  const isSuccess = (code: string) => code.startsWith('2') || code === 'DEFAULT';
  return /^3(?!04)/.test(status) && !responses.some((response) => isSuccess(response.status));
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The end of a statement, with the description in the document, if any. */
function described(description: string): string {
  return description.trim() === '' ? '.' : `: ${sentence(description)}`;
}

/** Total length of the header names that are remembered, in characters. */
const MAX_NAMES = 1_000_000;

/** Which responses carry a header, in words, by its name. */
type Carriers = (name: string) => string;

/** Additions of later versions leave the words as they were: requirements are not rewritten. */
function carriersIn(operations: readonly Operation[]): Carriers {
  const responses = operations.flatMap((operation) =>
    operation.responses.map((response) => ({
      ...response,
      operation,
      version: newestOf([operation.since, response.since]),
    })),
  );
  return remembering((name) => {
    const isCarrier = ({ headers }: DocumentedResponse) =>
      headers.some((header) => header.name === name && header.required);
    const [first, ...further] = responses
      .filter(isCarrier)
      .toSorted((left, right) => compareVersions(left.version, right.version));
    const earliest = responses.filter(
      (response) => first && compareVersions(response.version, first.version) <= 0,
    );
    if (!first || earliest.every(isCarrier)) return 'Every response';
    const status = first.status === 'DEFAULT' ? 'status that is not listed' : first.status;
    if (further.length === 0) return `The ${status} of ${nameOf(first.operation)}`;
    const isOfStatus = earliest.every(
      (response) => isCarrier(response) === (response.status === first.status),
    );
    return isOfStatus ? `Every ${status}` : 'Every response that is documented with it';
  }, MAX_NAMES);
}

function addResponse(
  operation: Operation,
  response: DocumentedResponse,
  carriers: Carriers,
  add: AddRequirement,
  named: Set<Schema>,
): void {
  const { requirement, section, status, description } = response;
  const defaults = response.isShared ? {} : { operation: operation.id };
  const who = response.isShared ? 'Every operation' : nameOf(operation);
  const when = status === 'DEFAULT' ? 'a status that is not listed' : status;
  add({
    id: requirement,
    section,
    statement: `${who} returns ${when} when the interface requires it${described(description)}`,
    ...defaults,
    level: statusLevel(operation, status),
  });
  for (const { schema, bodyRequirement } of shapedBodies(response))
    addShape(schema, bodyRequirement, section, description, defaults, add, named);
  for (const header of response.headers) {
    if (header.required) {
      const statement = `${carriers(header.name)} carries ${header.name}${described(header.description)}`;
      add({ id: headerRequirement(header), section: header.section, statement }, header.since);
    }
    if (header.isUnjudged) continue;
    const form = header.isJson ? ' that is written as JSON' : '';
    const statement = `${header.name} is ${describe(header.schema)}${form}, sent once or always with the same value.`;
    add({ id: valueRequirement(header), section: header.section, statement }, header.since);
  }
}

/** The bodies of a response that have a shape, in one media type or in several. */
export function shapedBodies({
  schema,
  bodyRequirement,
  otherBodies = [],
}: DocumentedResponse): Pick<ShapedBody, 'schema' | 'bodyRequirement'>[] {
  return [...(schema && bodyRequirement ? [{ schema, bodyRequirement }] : []), ...otherBodies];
}

function addParameter(operation: Operation, parameter: Parameter, add: AddRequirement): void {
  if (parameter.in !== 'query') return;
  for (const [rule, words] of Object.entries(PARAMETER_RULES)) {
    const value = parameter.schema[rule];
    if (value === undefined) continue;
    // A service need not accept what the rest of the schema forbids.
    if (operation.mayRefuse && valuesAt(parameter.schema, rule)?.length === 0) continue;
    add(
      {
        id: `${operation.id}.${parameter.name}.${rule}`,
        section: operation.section,
        statement: `${nameOf(operation)} accepts ${parameter.name} ${words(value)}.`,
        operation: operation.id,
        level: operation.mayRefuse ? 'should' : 'must',
      },
      parameter.since,
      ruleVersions(parameter.schema)?.[rule],
    );
  }
}

function addRequestBody(
  operation: Operation,
  { schema }: RequestBody,
  add: AddRequirement,
  named: Set<Schema>,
): void {
  const id = `${operation.id}.body`;
  const what = operation.mayRefuse ? 'as documented' : 'a JSON object';
  const statement = `${nameOf(operation)} rejects a body that is not ${what}.`;
  const defaults: RequirementDefaults = {
    operation: operation.id,
    level: operation.mayRefuse ? 'should' : 'must',
  };
  add({ id, section: operation.section, statement, ...defaults });
  // A field of a request may also be one of a response, where it binds more.
  if (operation.mayRefuse) return;
  for (const field of fieldsOf(schema, schema['x-component'] ?? id, [], named)) {
    const states = (words: string) =>
      `${operation.id} rejects a body with an invalid ${field.id} (valid: ${words}).`;
    addField(field, field.section ?? operation.section, states, defaults, add);
  }
}

/** The common properties of requirements of one place. */
interface RequirementDefaults {
  operation?: string | undefined;
  level?: Level | undefined;
}

/** Adds the requirement of a field, and one for each rule that was added later. */
function addField(
  field: Field,
  section: string,
  states: (words: string) => string,
  defaults: RequirementDefaults,
  add: AddRequirement,
): void {
  const { id, schema, since } = field;
  const versions = ruleVersions(schema) ?? {};
  const atFirst = Object.entries(schema).filter(([keyword]) => versions[keyword] === undefined);
  const first = { ...field, schema: Object.fromEntries(atFirst) };
  add({ id, section, statement: states(fieldWords(first)), ...defaults }, ...since);
  for (const [keyword, version] of Object.entries(versions)) {
    const rule = { type: schema.type ?? 'value', [keyword]: schema[keyword] };
    const level = schema['x-level']?.[keyword];
    const ruleId = ruleIdOf(id, schema, keyword);
    const statement = states(describe(rule));
    add({ id: ruleId, section, statement, ...defaults, level: level ?? defaults.level }, ...since, version);
  }
}

function addShape(
  schema: Schema,
  owner: string,
  section: string,
  description: string,
  defaults: RequirementDefaults,
  add: AddRequirement,
  named: Set<Schema>,
): void {
  const component = schema['x-component'];
  const statement = component
    ? `A body that must be ${article(component)} is ${article(component)}.`
    : `The body is as documented${described(description)}`;
  // A requirement that operations may share belongs to none of them.
  add({
    id: owner,
    section: schema['x-section'] ?? component ?? section,
    statement,
    ...(component ? {} : defaults),
  });
  if (schema.items?.['x-component']) {
    addShape(schema.items, schema.items['x-component'], section, description, defaults, add, named);
    return;
  }
  for (const field of fieldsOf(schema, owner, [], named))
    addField(field, field.section ?? section, (words) => `${field.id} is ${words}.`, {}, add);
}

function fieldWords(field: Field): string {
  return `${describe(field.schema)}, ${field.required ? 'required' : 'or absent'}${field.schema['x-equals'] === 'http-status' ? ', equal to the HTTP status' : ''}`;
}
