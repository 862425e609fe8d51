import { isSequential, itemsOf } from '../../contract/openapi/sequences.ts';
import { documentedStatus } from '../../judge/exchange/status.ts';
import type { Contract, DocumentedResponse, Operation } from '../../model/contract.ts';
import { type Exchange, headerValue, headerValues } from '../../model/exchange.ts';
import { isJson, mediaTypeOf } from '../../model/http/media-type.ts';
import { type Json, parseJson } from '../../model/json.ts';
import { operationsById } from '../../model/large/lookups.ts';
import { atOnce, type Steps } from '../../model/large/steps.ts';
import {
  type Coverage,
  isCovered,
  type OperationCoverage,
  type ParameterCoverage,
  type Share,
} from '../../model/report/coverage.ts';
import { type Classified, classify, isMediaType } from '../classify.ts';
import type { Servers } from '../match-operation.ts';
import { readText } from '../parameter-values.ts';
import { countingKeywords, type Keywords } from './keywords.ts';
import { type OperationPlaces, places, type SchemaPlaces } from './places.ts';
import {
  countUndocumented,
  exampleOf,
  type UndocumentedCounter,
  undocumentedFields,
  undocumentedParameters,
} from './undocumented.ts';

/** The parts of an exchange that are counted. */
type CountedExchange = Pick<Exchange, 'operation' | 'requestHeaders' | 'response'>;

/** Counts what exchanges cover of an interface, one exchange at a time. */
export interface CoverageCounter {
  /**
   * @param classified the result of {@link classify}. An exchange without an operation is not counted.
   * @returns the body of the response, if it has the documented media type
   */
  add(exchange: CountedExchange, classified: Classified): Json | undefined;
  result(): Coverage;
}

type TrafficExchange = CountedExchange & Pick<Exchange, 'method' | 'url' | 'recorded'>;

/** Also counts what the interface does not describe. */
export interface TrafficCoverageCounter extends CoverageCounter {
  add(exchange: TrafficExchange, classified: Classified): Json | undefined;
  /** Adds requests without an operation. @param name the result of {@link unlistedName} */
  unlisted(name: string, times: number): void;
}

/** Counts what traffic covers of an interface, and what the interface does not describe. */
export function countTrafficCoverage(contract: Pick<Contract, 'operations'>): TrafficCoverageCounter {
  const covered = countCoverage(contract);
  const undocumented = countUndocumented();
  const byId = operationsById(contract.operations);
  const schemaPlaces = places();
  return {
    add(exchange, classified) {
      const value = covered.add(exchange, classified);
      const operation = byId.get(exchange.operation);
      if (operation) addUndocumented(undocumented, schemaPlaces, operation, exchange, value);
      return value;
    },
    unlisted: (name, times) => undocumented.count({ kind: 'operation', name, example: name }, times),
    result: () => ({ ...covered.result(), undocumented: undocumented.result() }),
  };
}

function addUndocumented(
  undocumented: UndocumentedCounter,
  schemaPlaces: SchemaPlaces,
  operation: Operation,
  exchange: TrafficExchange,
  value: Json | undefined,
): void {
  const { response, url, recorded } = exchange;
  const example = exampleOf(exchange);
  // A run sends parameters that no client would, and gets the statuses for them.
  const isOfClient = recorded !== 'run';
  for (const name of isOfClient ? undocumentedParameters(operation, url) : [])
    undocumented.count({ kind: 'parameter', name: `${operation.id}.${name}`, example });
  if (!response) return;
  const status = documentedStatus(operation, response.status);
  const documented = operation.responses.find((candidate) => candidate.status === status);
  if (!documented && isOfClient)
    undocumented.count({ kind: 'status', name: `${operation.id} ${response.status}`, example });
  if (!documented?.schema || value === undefined) return;
  const place = schemaPlaces.of(documented.schema, documented.bodyRequirement ?? operation.id);
  for (const name of undocumentedFields(schemaPlaces, place, value))
    undocumented.count({ kind: 'field', name, example });
}

/** Limits for the lists of a coverage: an interface may have thousands of operations. */
const MAX_OPERATIONS = 1_000;
const MAX_KEYWORDS = 2_000;

/** Counts what exchanges cover of an interface. Memory is bounded by the interface, not by the exchanges. */
export function countCoverage(contract: Pick<Contract, 'operations'>): CoverageCounter {
  return atOnce(countingCoverage(contract));
}

/** The same in steps, one for each operation. */
export function* countingCoverage({ operations }: Pick<Contract, 'operations'>): Steps<CoverageCounter> {
  const keywords = yield* countingKeywords(operations);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const counts = new Map(operations.map((operation) => [operation.id, emptyCoverageOf(operation)]));
  return {
    add(exchange, classified) {
      const operation = byId.get(exchange.operation);
      const counted = counts.get(exchange.operation);
      if (!operation || !counted) return undefined;
      counted.requests += 1;
      const schemas = keywords.of(operation);
      const isOwn = classified.operation?.id === operation.id && !classified.isMisplaced;
      const sent = isOwn ? countRequest(counted, classified, schemas, keywords) : [];
      const { response } = exchange;
      if (!response) return undefined;
      const status = documentedStatus(operation, response.status) ?? String(response.status);
      countStatus(counted, status);
      for (const { byStatus } of sent) byStatus[status] = (byStatus[status] ?? 0) + 1;
      return countResponse(operation, status, response, schemas, keywords);
    },
    result: () => resultOf([...counts.values()], keywords),
  };
}

/** Classifies the request of an exchange for {@link CoverageCounter}. Without a recorded body, it has none. */
export function classifyExchange(
  contract: Contract,
  servers: Servers,
  { method, url, requestHeaders, requestBody = '' }: Exchange,
): Classified {
  return classify(contract, servers, { method, url, headers: requestHeaders, body: requestBody });
}

function emptyCoverageOf({ id, responses, parameters, body }: Operation): OperationCoverage {
  return {
    operation: id,
    requests: 0,
    responses: responses.map(({ status }) => ({ status, documented: true, exchanges: 0 })),
    parameters: [
      ...parameters.map((parameter) => emptyParameter(parameter.name, parameter.in)),
      ...(body ? [emptyParameter('body', 'body')] : []),
    ],
  };
}

function emptyParameter(name: string, place: ParameterCoverage['in']): ParameterCoverage {
  return { name, in: place, valid: 0, invalid: 0, byStatus: {} };
}

/** Undocumented statuses that are listed for an operation. */
const MAX_UNDOCUMENTED = 20;

function countStatus({ responses }: OperationCoverage, status: string): void {
  const listed = responses.find((response) => response.status === status);
  if (listed) listed.exchanges += 1;
  else if (responses.filter(({ documented }) => !documented).length < MAX_UNDOCUMENTED)
    responses.push({ status, documented: false, exchanges: 1 });
}

/** Counts the parameters and the body of a request. @returns those that were sent */
function countRequest(
  { parameters }: OperationCoverage,
  { operation, values, problems, body }: Classified,
  schemas: OperationPlaces,
  keywords: Keywords,
): ParameterCoverage[] {
  return parameters.filter((counted) => {
    const isBody = counted.in === 'body';
    const rule = `${operation?.id}.${counted.name}`;
    const carried = values.filter(
      ({ parameter }) => parameter?.name === counted.name && parameter.in === counted.in,
    );
    const wrong = problems.filter(({ kind, ...problem }) =>
      isBody ? kind !== 'parameter' : kind === 'parameter' && problem.rule === rule,
    );
    const schema = isBody ? schemas.body : schemas.parameters.get(`${counted.in} ${counted.name}`);
    const sent = isBody ? [body?.value] : carried.map(({ value }) => value);
    for (const value of sent) if (schema && value !== undefined) keywords.sent(schema, value, wrong);
    for (const problem of wrong) keywords.wrong(problem);
    const isSent = isBody ? body !== undefined : carried.length > 0;
    if (wrong.length > 0) counted.invalid += 1;
    else if (isSent) counted.valid += 1;
    return isSent;
  });
}

/** Counts the keywords of the headers and of the body of a response. @returns the value of the body */
function countResponse(
  operation: Operation,
  status: string,
  response: NonNullable<Exchange['response']>,
  { responses }: OperationPlaces,
  keywords: Keywords,
): Json | undefined {
  const schemas = responses.get(status);
  const documented = operation.responses.find((candidate) => candidate.status === status);
  if (!schemas || !documented) return undefined;
  for (const [name, place] of schemas.headers) {
    const value = headerValue(response.headers, name);
    keywords.received(place, value === undefined ? undefined : readText(place.schema, value));
  }
  const value = shapedValue(documented, response);
  if (schemas.body && value !== undefined) keywords.received(schemas.body, value);
  return value;
}

/** The value of a body that has the media type of its schema. */
function shapedValue(
  { mediaType }: DocumentedResponse,
  { headers, body }: NonNullable<Exchange['response']>,
): Json | undefined {
  if (mediaType === undefined) return undefined;
  const isRange = mediaTypeOf(mediaType).type.includes('*');
  const isSequence = isSequential(mediaType);
  const isDeclared = (type: string) =>
    (isSequence || isJson(type)) && (isRange || isMediaType(type, mediaType));
  if (!headerValues(headers, 'Content-Type').some(isDeclared)) return undefined;
  const parsed = isSequence ? itemsOf(mediaType, body) : parseJson(body);
  return parsed.ok ? parsed.value : undefined;
}

function resultOf(operations: readonly OperationCoverage[], keywords: Keywords): Coverage {
  const byKeyword = keywords.result();
  const leftOut = {
    operations: Math.max(0, operations.length - MAX_OPERATIONS),
    keywords: Math.max(0, byKeyword.length - MAX_KEYWORDS),
  };
  const responses = operations.flatMap((operation) =>
    operation.responses.filter(({ documented }) => documented),
  );
  const parameters = operations.flatMap((operation) => operation.parameters);
  return {
    operations: shareOf(operations, ({ requests }) => requests > 0),
    responses: shareOf(responses, ({ exchanges }) => exchanges > 0),
    parameters: shareOf(parameters, ({ valid }) => valid > 0),
    keywords: shareOf(byKeyword, isCovered),
    byOperation: structuredClone(first(operations, MAX_OPERATIONS, ({ requests }) => requests > 0)),
    byKeyword: structuredClone(
      first(byKeyword, MAX_KEYWORDS, ({ applied, violated }) => applied || violated === true),
    ),
    leftOut: leftOut.operations + leftOut.keywords > 0 ? leftOut : undefined,
  };
}

function shareOf<T>(items: readonly T[], covers: (item: T) => boolean): Share {
  return { covered: items.filter(covers).length, of: items.length };
}

/** So many items at most, in their order; those that matter are preferred. */
function first<T>(items: readonly T[], most: number, matters: (item: T) => boolean): T[] {
  if (items.length <= most) return [...items];
  const chosen = new Set(
    [...items.filter(matters), ...items.filter((item) => !matters(item))].slice(0, most),
  );
  return items.filter((item) => chosen.has(item));
}
