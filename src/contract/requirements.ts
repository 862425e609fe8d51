import {
  ContractError,
  type Level,
  type Operation,
  type Requirement,
  type Schema,
} from '../model/contract.ts';
import { type Field, fieldsOf, isObject, ruleIdOf, ruleVersions } from './schema.ts';
import { compareVersions, newestOf, sinceOf } from './sets.ts';

/** Bounds of a query parameter that make a requirement of their own, with how each reads in a sentence. */
export const PARAMETER_RULES: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (value) => `at its minimum of ${value}`,
  maximum: (value) => `at its maximum of ${value}`,
  minLength: (value) => `of its minimum length, ${value}`,
  maxLength: (value) => `of its maximum length, ${value}`,
  enum: (value) => `with each of its values (${(value as unknown[]).join(', ')})`,
};

/**
 * The requirements that the OpenAPI document implies: one a status, a parameter's rule, a field, a header property.
 * What several operations share (a response, a component, a header) is one requirement, as it is one fix.
 */
export function derivedRequirements(operations: readonly Operation[]): Requirement[] {
  const found = new Map<string, Requirement>();
  const adding =
    (...outer: readonly unknown[]): Add =>
    (id, section, statement, operation, ...inner) => {
      const since = newestOf([...outer, ...inner].map((each) => sinceOf(each, id)));
      const known = found.get(id);
      if (known) {
        // What operations share is as old as the first that has it.
        if (compareVersions(since, known.since) < 0) found.set(id, { ...known, since });
        return;
      }
      const owner = operation ? { operation } : {};
      found.set(id, { id, level: 'must', section, ...owner, statement, source: 'openapi', since });
    };
  for (const operation of operations) {
    const name = `${operation.method} ${operation.path}`;
    const addOfOperation = adding(operation.since);
    for (const response of operation.responses) {
      const add = adding(operation.since, response.since);
      const own = response.requirement.startsWith(`${operation.id}.`) ? operation.id : undefined;
      add(
        response.requirement,
        response.section,
        `${own ? name : 'Every operation'} returns ${response.status} when the interface requires it: ${sentence(response.description)}`,
        own,
      );
      if (response.schema && response.bodyRequirement) {
        addShape(response.schema, response.bodyRequirement, response.section, response.description, own, add);
      }
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
          `${header.name}.schema`,
          header.section,
          `${header.name} is ${describe(header.schema)}, sent once or always with the same value.`,
          undefined,
          header.since,
        );
      }
    }
    addOfOperation(
      `${operation.id}.responses`,
      operation.section,
      `${name} never returns a 5xx status: the interface documents none.`,
      operation.id,
    );
    for (const parameter of operation.parameters) {
      if (parameter.in !== 'query') continue;
      for (const [rule, words] of Object.entries(PARAMETER_RULES)) {
        const value = parameter.schema[rule];
        if (value === undefined) continue;
        addOfOperation(
          `${operation.id}.${parameter.name}.${rule}`,
          operation.section,
          `${name} accepts ${parameter.name} ${words(value)}.`,
          operation.id,
          parameter.since,
          ruleVersions(parameter.schema)?.[rule],
        );
      }
    }
    if (operation.body) {
      addOfOperation(
        `${operation.id}.body`,
        operation.section,
        `${name} rejects a body that is not a JSON object.`,
        operation.id,
      );
      const owner = operation.body.schema['x-component'] ?? `${operation.id}.body`;
      for (const field of fieldsOf(operation.body.schema, owner)) {
        const states = (words: string) =>
          `${operation.id} rejects a body with an invalid ${field.id} (valid: ${words}).`;
        addField(field, field.section ?? operation.section, states, operation.id, addOfOperation);
      }
    }
  }
  return [...found.values()];
}

type Add = (id: string, section: string, statement: string, operation?: string, ...since: unknown[]) => void;

/** A field's requirement, and one for each of its rules that came later. */
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

/** The requirements that requirements.yaml lists. @throws ContractError where an entry is not one */
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

/** A schema in words, as requirements and findings state it. */
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
