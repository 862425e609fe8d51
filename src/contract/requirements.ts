import {
  ContractError,
  type DocumentedResponse,
  type Header,
  type Level,
  type Operation,
  type Parameter,
  type RequestBody,
  type Requirement,
  type Schema,
} from '../model/contract.ts';
import { type Field, fieldsOf, isObject, ruleIdOf, ruleVersions } from './schema.ts';
import { compareVersions, newestOf, sinceOf } from './sets.ts';

/** Rules of a query parameter that are requirements of their own, and how each reads in a sentence. */
export const PARAMETER_RULES: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (value) => `at its minimum of ${value}`,
  maximum: (value) => `at its maximum of ${value}`,
  minLength: (value) => `of its minimum length, ${value}`,
  maxLength: (value) => `of its maximum length, ${value}`,
  enum: (value) => `with each of its values (${(value as unknown[]).join(', ')})`,
};

/** The requirement that a header has the documented value. That a required header is present is the requirement of its name. */
export function valueRequirement({ name }: Pick<Header, 'name'>): string {
  return `${name}.schema`;
}

/**
 * The requirements that the OpenAPI document implies: one for each status, rule of a parameter, field, and property of a
 * header. What several operations share (a response, a component, a header) is one requirement, as it is one fix.
 */
export function derivedRequirements(operations: readonly Operation[]): Requirement[] {
  const found = new Map<string, Requirement>();
  const addSince =
    (...outer: readonly unknown[]): Add =>
    (id, section, statement, operation, ...inner) => {
      const since = newestOf([...outer, ...inner].map((each) => sinceOf(each, id)));
      const known = found.get(id);
      const owner = operation ? { operation } : {};
      if (!known)
        found.set(id, { id, level: 'must', section, ...owner, statement, source: 'openapi', since });
      // What operations share is as old as the first operation that has it.
      else if (compareVersions(since, known.since) < 0) found.set(id, { ...known, since });
    };
  for (const operation of operations) {
    const add = addSince(operation.since);
    for (const response of operation.responses)
      addResponse(operation, response, addSince(operation.since, response.since));
    add(
      `${operation.id}.responses`,
      operation.section,
      `${nameOf(operation)} never returns a 5xx status: the interface documents none.`,
      operation.id,
    );
    for (const parameter of operation.parameters) addParameter(operation, parameter, add);
    if (operation.body) addRequestBody(operation, operation.body, add);
  }
  return [...found.values()];
}

/** Adds a requirement. Its version is the newest of those that are given. */
type Add = (id: string, section: string, statement: string, operation?: string, ...since: unknown[]) => void;

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function addResponse(operation: Operation, response: DocumentedResponse, add: Add): void {
  const { requirement, section, status, description, schema, bodyRequirement } = response;
  const own = response.isShared ? undefined : operation.id;
  add(
    requirement,
    section,
    `${own ? nameOf(operation) : 'Every operation'} returns ${status} when the interface requires it: ${sentence(description)}`,
    own,
  );
  if (schema && bodyRequirement) addShape(schema, bodyRequirement, section, description, own, add);
  for (const header of response.headers) {
    const carriers = header.name === 'Retry-After' ? 'Every 429' : 'Every response';
    if (header.required)
      add(
        header.name,
        header.section,
        `${carriers} carries ${header.name}: ${sentence(header.description)}`,
        undefined,
        header.since,
      );
    add(
      valueRequirement(header),
      header.section,
      `${header.name} is ${describe(header.schema)}, sent once or always with the same value.`,
      undefined,
      header.since,
    );
  }
}

function addParameter(operation: Operation, parameter: Parameter, add: Add): void {
  if (parameter.in !== 'query') return;
  for (const [rule, words] of Object.entries(PARAMETER_RULES)) {
    const value = parameter.schema[rule];
    if (value === undefined) continue;
    add(
      `${operation.id}.${parameter.name}.${rule}`,
      operation.section,
      `${nameOf(operation)} accepts ${parameter.name} ${words(value)}.`,
      operation.id,
      parameter.since,
      ruleVersions(parameter.schema)?.[rule],
    );
  }
}

function addRequestBody(operation: Operation, { schema }: RequestBody, add: Add): void {
  const id = `${operation.id}.body`;
  const statement = `${nameOf(operation)} rejects a body that is not a JSON object.`;
  add(id, operation.section, statement, operation.id);
  for (const field of fieldsOf(schema, schema['x-component'] ?? id)) {
    const states = (words: string) =>
      `${operation.id} rejects a body with an invalid ${field.id} (valid: ${words}).`;
    addField(field, field.section ?? operation.section, states, operation.id, add);
  }
}

/** Adds the requirement of a field, and one for each of its rules that came later. */
function addField(
  field: Field,
  section: string,
  states: (words: string) => string,
  operation: string | undefined,
  add: Add,
): void {
  const { id, schema, since } = field;
  const versions = ruleVersions(schema) ?? {};
  const atFirst = Object.entries(schema).filter(([keyword]) => versions[keyword] === undefined);
  const first = { ...field, schema: Object.fromEntries(atFirst) };
  add(id, section, states(fieldWords(first)), operation, ...since);
  for (const [keyword, version] of Object.entries(versions)) {
    const rule = { type: schema.type ?? 'value', [keyword]: schema[keyword] };
    add(ruleIdOf(id, schema, keyword), section, states(describe(rule)), operation, ...since, version);
  }
}

function addShape(
  schema: Schema,
  owner: string,
  section: string,
  description: string,
  operation: string | undefined,
  add: Add,
): void {
  const component = schema['x-component'];
  add(
    owner,
    schema['x-section'] ?? section,
    component
      ? `A body that must be ${article(component)} is ${article(component)}.`
      : `The body is as documented: ${sentence(description)}`,
    component ? undefined : operation,
  );
  if (schema.items?.['x-component']) {
    addShape(schema.items, schema.items['x-component'], section, description, operation, add);
    return;
  }
  for (const field of fieldsOf(schema, owner))
    addField(field, field.section ?? section, (words) => `${field.id} is ${words}.`, undefined, add);
}

/** The requirements that requirements.yaml lists. @throws ContractError for an incomplete entry */
export function listedRequirements(source: unknown): Requirement[] {
  if (!Array.isArray(source)) throw new ContractError('requirements.yaml: `requirements` is not a list');
  return source.map((entry, index) => {
    const each = isObject(entry) ? entry : {};
    const { id, level, section, statement, operation, since } = each;
    if (
      typeof id !== 'string' ||
      typeof section !== 'string' ||
      typeof statement !== 'string' ||
      !isLevel(level)
    ) {
      throw new ContractError(
        `requirements.yaml: entry ${index + 1} (${typeof id === 'string' ? id : 'no id'}) needs id, level, section and statement`,
      );
    }
    return {
      id,
      level,
      section,
      statement,
      source: 'listed',
      since: newestOf([sinceOf(since, `requirements.yaml: ${id}`)]),
      ...(typeof operation === 'string' ? { operation } : {}),
    };
  });
}

function isLevel(value: unknown): value is Level {
  return value === 'must' || value === 'should' || value === 'open';
}

function fieldWords(field: Field): string {
  return `${describe(field.schema)}, ${field.required ? 'required' : 'or absent'}${field.schema['x-equals'] === 'http-status' ? ', equal to the HTTP status' : ''}`;
}

/** A schema in words, for requirements and findings. */
export function describe(schema: Schema): string {
  if (Array.isArray(schema.oneOf)) return (schema.oneOf as Schema[]).map(describe).join(' or ');
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  const bounds = [
    schema.minimum === undefined ? '' : ` of at least ${schema.minimum}`,
    schema.maximum === undefined ? '' : ` of at most ${schema.maximum}`,
    schema.minLength === undefined ? '' : ` of at least ${schema.minLength} characters`,
    schema.maxLength === undefined ? '' : ` of at most ${schema.maxLength} characters`,
  ].join('');
  const format = schema.format ? ` (${schema.format})` : '';
  return `${article(schema.type ?? 'value')}${format}${bounds}`;
}

function article(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

function sentence(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}
