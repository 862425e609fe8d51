export interface Share {
  covered: number;
  of: number;
}

/** How much of an interface the exchanges test. */
export interface Coverage {
  /** Operations that were requested. */
  operations: Share;
  /** Documented responses that came. */
  responses: Share;
  /** Parameters and request bodies that were sent with a valid value. */
  parameters: Share;
  /** Keywords of schemas: of requests, a valid and an invalid value were sent; of responses, a value came that it applies to. */
  keywords: Share;
  /** In the order of the interface. */
  byOperation: OperationCoverage[];
  /** Keywords of request bodies and responses that operations share are listed once. */
  byKeyword: KeywordCoverage[];
  /** Entries omitted from the lists, because there are too many. */
  leftOut?: { operations: number; keywords: number } | undefined;
  /** Of traffic: what the document does not describe. Absent for a run. */
  undocumented?: Undocumented[];
}

/** Something of requests or responses that the document does not describe. */
export interface Undocumented {
  kind: 'operation' | 'parameter' | 'field' | 'status';
  /** `GET /pets/count`, `listPets.sort`, `Pet.color`, `listPets 418`. */
  name: string;
  /** Exchanges with it. */
  count: number;
  /** One of them, without secrets: `GET /v1/pets -> 418`. */
  example: string;
}

/** The requests of an operation, and their responses. */
export interface OperationCoverage {
  operation: string;
  requests: number;
  /** The documented responses, then the undocumented statuses that came. */
  responses: ResponseCoverage[];
  parameters: ParameterCoverage[];
}

/** A response of an operation: `200`, `4XX`, or `DEFAULT` for all statuses without an entry. */
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
  /** Sent with an invalid value, or required and missing. */
  invalid: number;
  /** How many requests with it got each response. */
  byStatus: Record<string, number>;
}

/** A keyword of a schema, and which values tested it. */
export interface KeywordCoverage {
  /** The place of the schema: `NewPet.name`, `listPets.limit`, `X-RateLimit-Limit`. */
  place: string;
  keyword: string;
  in: 'request' | 'response';
  /** Of a request: a value was sent that satisfies it. Of a response: a value came that it applies to. */
  applied: boolean;
  /** Of a request: a value was sent that violates it. */
  violated?: boolean;
}

export function isCovered({ applied, violated = true }: KeywordCoverage): boolean {
  return applied && violated;
}

/** How many faults of the bundled reference's catalogue the exchanges would have shown. It says nothing about other faults. */
export interface Sensitivity {
  /** Faults of the catalogue that violate a requirement of the set. */
  faults: number;
  /** How many of them the exchanges would have shown. */
  shown: number;
  /** How many of them only a run shows, and no recorded traffic. Absent for a run. */
  onlyInRuns?: number;
  /** The same by section of the interface, in its order. */
  sections: readonly { section: string; faults: number; shown: number }[];
  /** Probes that were not sent, or whose requirement was not tested, and how many further faults each would show. */
  missing: readonly { probe: string; faults: number }[];
}
