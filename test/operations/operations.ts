import type {
  Contract,
  DocumentedResponse,
  Operation,
  Parameter,
  Requirement,
  Schema,
} from '../../src/model/contract.ts';

/** An operation as a document describes it: a read without parameters, unless `change` says otherwise. */
export function operation(change: Partial<Operation> = {}): Operation {
  return {
    id: 'listThings',
    method: 'GET',
    path: '/things',
    address: 'baseUrl',
    section: 'Things',
    secured: false,
    deprecated: false,
    parameters: [],
    responses: [response('200')],
    ...change,
  };
}

/** A response without headers and body, unless `change` says otherwise. */
export function response(status: string, change: Partial<DocumentedResponse> = {}): DocumentedResponse {
  return { status, requirement: status, description: '', section: '', headers: [], links: [], ...change };
}

/** A parameter that is not required: of the query, unless `change` says otherwise. */
export function parameter(name: string, schema: Schema, change: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', required: false, schema, ...change };
}

/** A required parameter of the path. */
export function pathParameter(name: string, schema: Schema, change: Partial<Parameter> = {}): Parameter {
  return parameter(name, schema, { in: 'path', required: true, ...change });
}

/** A required body in JSON. */
export function body(schema: Schema): NonNullable<Operation['body']> {
  return { required: true, mediaType: 'application/json', schema, unspecified: [] };
}

/** An operation that creates a thing with a JSON body. */
export function creation(schema: Schema, change: Partial<Operation> = {}): Operation {
  return operation({
    id: 'createThing',
    method: 'POST',
    body: body(schema),
    responses: [response('201'), response('400')],
    ...change,
  });
}

/** An interface that has only these operations. */
export function contractOf(operations: readonly Operation[], change: Partial<Contract> = {}): Contract {
  return {
    title: 'Things',
    version: '1',
    digest: '',
    earlierDigests: { interface: [], set: [] },
    operations,
    requirements: [],
    set: '1',
    sets: ['1'],
    newer: [],
    ratePlans: {},
    stated: [],
    noun: 'thing',
    gaps: [],
    ...change,
  };
}

/** A requirement that a document implies. */
export function requirement(id: string): Requirement {
  return { id, level: 'must', section: '', statement: '', source: 'openapi', since: '1' };
}
