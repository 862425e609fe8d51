/** How many of all were covered. */
export interface Share {
  covered: number;
  of: number;
}

/** How much of an interface the exchanges put to the test. */
export interface Coverage {
  /** Operations that were requested. */
  operations: Share;
  /** Documented responses that came. */
  responses: Share;
  /** Parameters and request bodies that were sent with a valid value. */
  parameters: Share;
  /** Keywords of schemas: of a request, a valid and an invalid value were sent; of a response, one came that it applies to. */
  keywords: Share;
  /** In the order of the interface. */
  byOperation: OperationCoverage[];
  /** Those of request bodies and responses that operations share are named once. */
  byKeyword: KeywordCoverage[];
  /** Entries that the lists leave out, because there are too many. */
  leftOut?: { operations: number; keywords: number } | undefined;
  /** Of traffic: what came and the document does not describe. Absent of a run. */
  undocumented?: Undocumented[];
}

/** Something of requests or responses that the document does not describe. */
export interface Undocumented {
  kind: 'operation' | 'parameter' | 'field' | 'status';
  /** `GET /pets/count`, `listPets.sort`, `Pet.color`, `listPets 418`. */
  name: string;
  /** Exchanges that have it. */
  count: number;
  /** Such an exchange, without secrets: `GET /v1/pets -> 418`. */
  example: string;
}

/** What was sent to an operation, and what came back. */
export interface OperationCoverage {
  operation: string;
  requests: number;
  /** The documented responses, and then the statuses that came and are not documented. */
  responses: ResponseCoverage[];
  parameters: ParameterCoverage[];
}

/** A response of an operation: `200`, `4XX`, or `DEFAULT` for all that have no entry of their own. */
export interface ResponseCoverage {
  status: string;
  documented: boolean;
  exchanges: number;
}

/** A parameter of an operation, or its request body. Numbers are requests. */
export interface ParameterCoverage {
  name: string;
  in: 'query' | 'path' | 'header' | 'cookie' | 'body';
  valid: number;
  /** Sent with an invalid value, or missing although it is required. */
  invalid: number;
  /** How many requests that had it got each response. */
  byStatus: Record<string, number>;
}

/** A keyword of a schema, and which values put it to the test. */
export interface KeywordCoverage {
  /** The place of the schema: `NewPet.name`, `listPets.limit`, `X-RateLimit-Limit`. */
  place: string;
  keyword: string;
  in: 'request' | 'response';
  /** Of a request: a value was sent that fulfills it. Of a response: a value came that it applies to. */
  applied: boolean;
  /** Of a request: a value was sent that violates it. */
  violated?: boolean;
}

/** Whether a keyword was put to the test. */
export function isCovered({ applied, violated = true }: KeywordCoverage): boolean {
  return applied && violated;
}

/**
 * Which faults of the catalogue of the bundled reference the exchanges would have shown: mistakes that somebody thought of. It says
 * nothing of others.
 */
export interface Sensitivity {
  /** Faults of the catalogue that violate a requirement of the set. */
  faults: number;
  /** How many of them the exchanges would have shown. */
  shown: number;
  /** How many of them no traffic of others shows, whatever is sent. Absent for a run. */
  onlyInRuns?: number;
  /** The same by section of the interface, in its order. */
  sections: readonly { section: string; faults: number; shown: number }[];
  /** Probes that were not sent, or whose requirement was not put to the test, and how many further faults each shows. */
  missing: readonly { probe: string; faults: number }[];
}
