import type { CreatedId, Sources } from './probe.ts';

/**
 * A JSON Schema without references: each is replaced by the component that it names. A component is the same object
 * wherever it is referred to, and inside itself it is `x-circular`.
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
  /** Facets of this field for which the interface does not say what a wrong value gets. */
  'x-unspecified'?: readonly string[];
  /** Which field says of which member of `anyOf` a value is, as in OpenAPI. */
  'x-discriminator'?: { propertyName?: unknown; mapping?: unknown };
  /** Which field names the component that a value is, of a base class that others have in `allOf`. */
  'x-named-by'?: { propertyName?: unknown; mapping?: unknown };
  /** The value refers to something that petspec cannot see; a valid one is learned from the list. */
  'x-reference'?: boolean;
  /** The value equals a property of its response. */
  'x-equals'?: 'http-status';
  /** The value is the id of what a run creates. */
  'x-created-id'?: CreatedId;
  /** Where responses show the value that it has now, of what a run created. */
  'x-current'?: Sources;
  /** The version of petspec that introduced this field, or, by keyword, some of its rules. */
  'x-since'?: string | Readonly<Record<string, string>>;
  /** The fields that belong only into the other direction, such as what is write-only in a response. */
  'x-other-direction'?: readonly string[];
  /** Set if petspec leaves out a keyword of it, so that it allows more than the document does. */
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
  /** The others. */
  examples?: readonly unknown[];
  /** Set if reserved characters of its value stay as they are in a query. */
  allowReserved?: boolean;
  /** How a list is written, as in OpenAPI; by default as OpenAPI has it. */
  style?: string | undefined;
  explode?: boolean | undefined;
  /** Set if the value is written as JSON (`content` in place of `schema`). */
  isJson?: boolean;
  /** Set if the user stated the example, which then comes before everything else. */
  isStated?: true;
  since?: string | undefined;
}

export interface Header {
  name: string;
  /** Id of the requirement that it is present, where something else has the name as its id. */
  requirement?: string;
  required: boolean;
  section: string;
  description: string;
  schema: Schema;
  /** Set if the value is written as JSON (`content` in place of `schema`). */
  isJson?: boolean;
  /** Set if petspec cannot tell whether a value has the schema. */
  isUnjudged?: boolean;
  since?: string | undefined;
}

/** A value of a response that is a parameter of another operation (an OpenAPI link). */
export interface Link {
  operation: string;
  parameter: string;
  /** JSON Pointer into the response body. */
  pointer: string;
}

/** A body in one of the media types of a response. */
export interface ShapedBody {
  mediaType: string;
  schema: Schema;
  /** Id of the requirement that a body with an entirely different shape violates. */
  bodyRequirement: string;
}

export interface DocumentedResponse {
  /** `200`, a class such as `2XX`, or `DEFAULT` for all that have no entry of their own. */
  status: string;
  /** Id of the requirement that this response comes when it should. */
  requirement: string;
  /** Whether operations share it, as a component of the document. */
  isShared?: boolean;
  description: string;
  section: string;
  headers: readonly Header[];
  mediaType?: string | undefined;
  /** Other media types that conform; the schema is not theirs. */
  otherMediaTypes?: readonly string[];
  /** Those of them that have a schema of their own which petspec can judge. */
  otherBodies?: readonly ShapedBody[];
  schema?: Schema;
  /** Id of the requirement that a body with an entirely different shape violates. */
  bodyRequirement?: string;
  links: readonly Link[];
  since?: string | undefined;
}

/** How a field of a form is written, as in OpenAPI; by default as OpenAPI has it. */
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
  /** Of the fields of a form, by their names. */
  encoding?: Readonly<Record<string, FieldEncoding>> | undefined;
  /** The example of the document, or its first one. */
  example?: unknown;
  /** Set if the user stated the example, which is then the only body that is sent as valid. */
  isStated?: true;
}

/** Where an operation is served: `baseUrl` is the target, any other is a server of the interface by its name. */
export type Address = string;

/** What an operation does to the things of a service. */
export type Effect = 'read' | 'create' | 'replace' | 'remove' | 'unknown';

export interface Operation {
  id: string;
  method: string;
  path: string;
  address: Address;
  section: string;
  secured: boolean;
  /** Set if it takes a key and needs none. */
  isKeyOptional?: boolean;
  /** Set if the document says of this very operation that it needs no key. */
  needsNoKey?: boolean;
  /** By default a bearer token in the Authorization header. */
  credential?: Credential | undefined;
  /** The other keys, if a request needs several together. */
  furtherCredentials?: readonly Credential[] | undefined;
  deprecated: boolean;
  /** The day from which the operation may be gone, `YYYY-MM-DD`. */
  removal?: string | undefined;
  parameters: readonly Parameter[];
  body?: RequestBody | undefined;
  responses: readonly DocumentedResponse[];
  since?: string | undefined;
  /**
   * Set if the document says what may come, not when: a valid request may be refused, for example for lack of a permission.
   */
  mayRefuse?: boolean | undefined;
  /** Set if the target is disposable: it may be sent to anything there, whatever it does. */
  isUnguarded?: true;
  /** Set if the user stated values for it: with them it may be sent, whatever it does. */
  isAllowed?: true;
}

/** Where an operation takes the key: a header, which may say a scheme before it, a cookie, or the query. */
export interface Credential {
  in: 'header' | 'cookie' | 'query';
  name: string;
  scheme?: 'Bearer' | 'Basic';
  /** The name of the scheme in the document, if a request needs several keys together. */
  key?: string;
}

/** An operation of which petspec judges nothing. */
export interface Unjudged extends Pick<Operation, 'method' | 'path' | 'address'> {
  /** It answers with a stream of events or lines. */
  isStream: boolean;
}

/** Something that a document says and petspec does not judge. */
export interface Gap {
  /** `GET /books`; undefined if it concerns the whole document. */
  operation?: string;
  /** Whether nothing is judged of the operation. */
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

/** `spec/`, loaded: all that petspec knows about the interface. */
export interface Contract {
  /** The name of the interface. */
  title: string;
  version: string;
  /** SHA-256 over the files of `spec/`, hexadecimal. */
  digest: string;
  /** Digests of older interfaces, and of this set before it was reworded: files that name them remain valid. */
  earlierDigests: { interface: readonly string[]; set: readonly string[] };
  operations: readonly Operation[];
  /** The end of the path of every base address, if the interface says so: `/v1`. */
  basePath?: string | undefined;
  /** The same for each address, where the interface is of several documents. */
  bases?: Readonly<Record<Address, string>>;
  requirements: readonly Requirement[];
  /** The version of petspec whose requirements these are. */
  set: string;
  /** The versions that introduced requirements, oldest first. */
  sets: readonly string[];
  /** Requirements that newer sets add. */
  newer: readonly Requirement[];
  ratePlans: Readonly<Record<string, RatePlan>>;
  /** Ids of the requirements that requirements.yaml lists, those that the document implies as well included. */
  stated: readonly string[];
  /** What a run may create, in the singular: `book`. */
  noun: string;
  /** Set if the document and the sentences say when each documented response comes: a valid request is never refused. */
  isComplete?: boolean;
  /** The day as which its dates are read, `YYYY-MM-DD`. Default: that of each request. */
  asOf?: string;
  /** Absolute path of the OpenAPI document; undefined for the bundled interface. */
  file?: string | undefined;
  /** What the document says and petspec does not judge. */
  gaps: readonly Gap[];
  /** The operations of the document that are not among `operations`. */
  unjudged?: readonly Unjudged[];
}

/** petspec cannot use the interface's files: the message says what is wrong, where, and what to do. */
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
