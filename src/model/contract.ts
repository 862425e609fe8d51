import type { CreatedId, Sources } from './probe.ts';

/**
 * A JSON Schema whose references are replaced by the components that they name. A component is the same object wherever it is
 * referred to, and `x-circular` inside itself.
 */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** An example of the document, or its first one. */
  example?: unknown;
  /** The types, if there are several; then `type` is missing. */
  'x-types'?: readonly string[];
  /** Whether a text holds the bytes of a file. */
  'x-binary'?: boolean;
  /** Whether null is allowed as well. */
  'x-nullable'?: boolean;
  /** The name of the component, if a reference was replaced. */
  'x-component'?: string;
  /** The component that this place refers to, which contains this place. */
  'x-circular'?: Schema;
  /** Heading of the interface document. */
  'x-section'?: string;
  /** Facets of this field for which the interface does not say which response a wrong value gets. */
  'x-unspecified'?: readonly string[];
  /** The field that tells which member of `anyOf` a value matches, as in OpenAPI. */
  'x-discriminator'?: { propertyName?: unknown; mapping?: unknown };
  /** Of a base class that other components have in `allOf`: the field that names the component of a value. */
  'x-named-by'?: { propertyName?: unknown; mapping?: unknown };
  /** The value refers to something that petspec cannot see; a valid one is learned from the list. */
  'x-reference'?: boolean;
  /** The value equals a property of its response. */
  'x-equals'?: 'http-status';
  /** The value is the id of a resource that a run creates. */
  'x-created-id'?: CreatedId;
  /** Of a resource that a run created: where responses show its current value. */
  'x-current'?: Sources;
  /** The version of petspec that introduced this field, or, by keyword, some of its rules. */
  'x-since'?: string | Readonly<Record<string, string>>;
  /** The fields of the other direction only, such as write-only fields in a response. */
  'x-other-direction'?: readonly string[];
  /** Set if petspec ignores a keyword, so that the schema allows more than the document does. */
  'x-unjudged'?: boolean;
  /** The level of the keywords whose requirement is not `must`. */
  'x-level'?: Readonly<Record<string, Level>>;
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header' | 'cookie';
  required: boolean;
  schema: Schema;
  /** The example of the document, or its first one. */
  example?: unknown;
  /** Further examples. */
  examples?: readonly unknown[];
  /** Set if reserved characters of its value are not escaped in a query. */
  allowReserved?: boolean;
  /** How a list is written, as in OpenAPI, with its defaults. */
  style?: string | undefined;
  explode?: boolean | undefined;
  /** Set if the value is written as JSON (`content` in place of `schema`). */
  isJson?: boolean;
  /** Set if the user stated the example, which then has priority. */
  isStated?: true;
  since?: string | undefined;
}

export interface Header {
  name: string;
  /** Id of the requirement that it is present, if the name is the id of another requirement. */
  requirement?: string;
  required: boolean;
  section: string;
  description: string;
  schema: Schema;
  /** Set if the value is written as JSON (`content` in place of `schema`). */
  isJson?: boolean;
  /** Set if petspec cannot validate its value. */
  isUnjudged?: boolean;
  since?: string | undefined;
}

/** An OpenAPI link: a value of a response is a parameter of another operation. */
export interface Link {
  operation: string;
  parameter: string;
  /** JSON Pointer into the response body. */
  pointer: string;
}

/** A media type of a response with its schema. */
export interface ShapedBody {
  mediaType: string;
  schema: Schema;
  /** Id of the requirement that a body with an entirely different shape violates. */
  bodyRequirement: string;
}

export interface DocumentedResponse {
  /** `200`, a class such as `2XX`, or `DEFAULT` for all statuses without an entry. */
  status: string;
  /** Id of the requirement that this response comes when it should. */
  requirement: string;
  /** Whether it is a component of the document, which operations share. */
  isShared?: boolean;
  description: string;
  section: string;
  headers: readonly Header[];
  mediaType?: string | undefined;
  /** Other media types that conform, with different schemas or none. */
  otherMediaTypes?: readonly string[];
  /** Those of them with a schema that petspec can judge. */
  otherBodies?: readonly ShapedBody[];
  schema?: Schema;
  /** Id of the requirement that a body with an entirely different shape violates. */
  bodyRequirement?: string;
  links: readonly Link[];
  since?: string | undefined;
}

/** How a field of a form is written, as in OpenAPI, with its defaults. */
export interface FieldEncoding {
  contentType?: string | undefined;
  style?: string | undefined;
  explode?: boolean | undefined;
}

export interface RequestBody {
  required: boolean;
  mediaType: string;
  schema: Schema;
  unspecified: readonly string[];
  /** Of a form, by the names of its fields. */
  encoding?: Readonly<Record<string, FieldEncoding>> | undefined;
  /** The example of the document, or its first one. */
  example?: unknown;
  /** Set if the user stated the example, which is then the only valid body. */
  isStated?: true;
}

/** Where an operation is served: `baseUrl` is the target; other values are names of servers of the interface. */
export type Address = string;

/** What an operation does to the resources of a service. */
export type Effect = 'read' | 'create' | 'replace' | 'remove' | 'unknown';

export interface Operation {
  id: string;
  method: string;
  path: string;
  address: Address;
  section: string;
  secured: boolean;
  /** Set if it accepts a key but does not need one. */
  isKeyOptional?: boolean;
  /** Set if the document says explicitly that this operation needs no key. */
  needsNoKey?: boolean;
  /** By default a bearer token in the Authorization header. */
  credential?: Credential | undefined;
  /** Further keys, if a request needs several together. */
  furtherCredentials?: readonly Credential[] | undefined;
  deprecated: boolean;
  /** The day from which the operation may be gone, `YYYY-MM-DD`. */
  removal?: string | undefined;
  parameters: readonly Parameter[];
  body?: RequestBody | undefined;
  responses: readonly DocumentedResponse[];
  since?: string | undefined;
  /** Set if the document does not say when each response comes: a valid request may be refused, for lack of a permission for example. */
  mayRefuse?: boolean | undefined;
  /** Set if the target is disposable: it may be sent with any id, whatever it does. */
  isUnguarded?: true;
  /** Set if the user stated values for it: it may be sent with these, whatever it does. */
  isAllowed?: true;
}

/** Where an operation takes the key: in a header, perhaps after a scheme, in a cookie, or in the query. */
export interface Credential {
  in: 'header' | 'cookie' | 'query';
  name: string;
  scheme?: 'Bearer' | 'Basic';
  /** The name of the scheme in the document, if a request needs several keys together. */
  key?: string;
}

/** An operation that petspec does not judge. */
export interface Unjudged extends Pick<Operation, 'method' | 'path' | 'address'> {
  /** It answers with a stream of events or lines. */
  isStream: boolean;
}

/** Something in a document that petspec does not judge. */
export interface Gap {
  /** `GET /books`; undefined if it concerns the whole document. */
  operation?: string;
  /** Whether the operation is not judged at all. */
  isWhole: boolean;
  reason: string;
}

export type Level = 'must' | 'should' | 'open';

export interface Requirement {
  id: string;
  level: Level;
  /** Heading of the interface document. */
  section: string;
  operation?: string | undefined;
  statement: string;
  /** The OpenAPI document implies it, or requirements.yaml lists it. */
  source: 'openapi' | 'listed';
  /** The version of petspec that introduced it. */
  since: string;
}

export interface RatePlan {
  minute?: number;
  day?: number;
}

/** All that petspec knows about the interface: `spec/`, or the document of the user, loaded. */
export interface Contract {
  /** The name of the interface. */
  title: string;
  version: string;
  /** SHA-256 over the files of `spec/`, hexadecimal. */
  digest: string;
  /** Digests of older interfaces, and of this set before rewordings: files with these digests remain valid. */
  earlierDigests: { interface: readonly string[]; set: readonly string[] };
  operations: readonly Operation[];
  /** The end of the path of every base address, if the interface states it: `/v1`. */
  basePath?: string | undefined;
  /** The same for each address, if the interface has several documents. */
  bases?: Readonly<Record<Address, string>>;
  requirements: readonly Requirement[];
  /** The version of petspec whose requirements these are. */
  set: string;
  /** The versions that introduced requirements, oldest first. */
  sets: readonly string[];
  /** Requirements that newer sets add. */
  newer: readonly Requirement[];
  ratePlans: Readonly<Record<string, RatePlan>>;
  /** Ids of the requirements in requirements.yaml, including those that the document implies. */
  stated: readonly string[];
  /** What a run may create, in the singular: `book`. */
  noun: string;
  /** Set if the interface says when each response comes, so that a valid request is never refused. */
  isComplete?: boolean;
  /** The day on which its dates are evaluated, `YYYY-MM-DD`. Default: the day of each request. */
  asOf?: string;
  /** Absolute path of the OpenAPI document; undefined for the bundled interface. */
  file?: string | undefined;
  /** What the document says and petspec does not judge. */
  gaps: readonly Gap[];
  /** The operations of the document that are not among `operations`. */
  unjudged?: readonly Unjudged[];
}

/** The files of the interface are unusable. The message says what is wrong, where, and what to do. */
export class ContractError extends Error {
  override name = 'ContractError';

  /** @param message reduced to one bounded line, as it quotes the files */
  constructor(message: string) {
    super(message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300));
  }
}

/** The requested set of requirements does not exist. The message begins with the request. */
export class UnknownSet extends ContractError {
  override name = 'UnknownSet';
}
