import { schemaErrors } from '../contract/validation/schema-validator.ts';
import type { Contract, Operation, Schema } from '../model/contract.ts';
import { type Exchange, isSuccess, type Received } from '../model/exchange.ts';
import { isJson } from '../model/http/media-type.ts';
import { parseJson } from '../model/json.ts';
import type { Probe } from '../model/probe.ts';
import { quote, visible } from '../model/visible.ts';
import { isMoved, isPage, isUnavailable, locationOf, mediaTypeOf, placeOf } from './evidence/same-failure.ts';
import { documentedStatus } from './exchange/status.ts';
import { isLogin } from './hints.ts';
import { firstLineOf, listed } from './root-cause.ts';

/** What answered the first reads of a run in place of the service. */
export interface SetUpProblem {
  kind: SameResponse['kind'];
  /** The responses, in one line. */
  message: string;
  /** Seconds after which the responses ask to come back. */
  retryAfter?: number;
}

/** A response that several requests got in place of the service's own. */
interface SameResponse {
  kind: 'redirect' | 'page' | 'absent' | 'unavailable' | 'no-json';
  isMet(exchanges: readonly Exchange[], pathOf: (exchange: Exchange) => string): boolean;
}

const statusOf = ({ response }: Exchange) => response?.status ?? 0;
const isSameStatus = (exchanges: readonly Exchange[]) => new Set(exchanges.map(statusOf)).size === 1;

const MANNERS: readonly SameResponse[] = [
  { kind: 'redirect', isMet: leadToOnePlace },
  { kind: 'unavailable', isMet: (exchanges) => exchanges.every(isUnavailable) },
  {
    kind: 'absent',
    // A service that is up may lack the record with this id.
    isMet: (exchanges, pathOf) =>
      exchanges.every(({ response }) => response?.status === 404) &&
      exchanges.some((exchange) => !pathOf(exchange).includes('{')),
  },
  { kind: 'page', isMet: (exchanges) => exchanges.every(({ response }) => isPage(response)) },
  {
    kind: 'no-json',
    isMet: (exchanges) => isSameStatus(exchanges) && exchanges.every(isNoJson),
  },
];

/** Whether a response is not JSON, and no redirect. */
function isNoJson({ response }: Exchange): boolean {
  return response !== undefined && (response.status < 300 || response.status >= 400) && !hasJson(response);
}

/**
 * What answers in place of the service, if the first reads of a run all got the same response without a sign of the service. A
 * service that refuses the key is up. JSON is judged, unless its status says that nothing is there.
 * @param exchanges with the right key; a refusal by the limit says nothing
 */
export function setUpProblem(
  exchanges: readonly Exchange[],
  contract: Contract,
  baseUrl: string,
): SetUpProblem | undefined {
  const telling = exchanges.filter(({ response }) => response?.status !== 429);
  if (telling.length === 0 || telling.some(({ response }) => !response || response.status === 401))
    return undefined;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const pathOf = ({ operation }: Exchange) => operations.get(operation)?.path ?? '';
  const manner = MANNERS.find(({ isMet }) => isMet(telling, pathOf));
  if (!manner) return undefined;
  const lacking = lackingPath(contract, baseUrl);
  const isElsewhere = manner.kind === 'absent' && lacking !== undefined;
  if (!isElsewhere && telling.some((exchange) => showsService(exchange, contract))) return undefined;
  const retryAfter = Math.max(0, ...telling.map(({ rate }) => rate.retryAfter ?? 0));
  const asked = new Set(telling.map(({ operation }) => operations.get(operation)));
  return {
    kind: manner.kind,
    message: `no sign of the service: ${namesOf(asked)} got ${whatCame(manner, telling)}`,
    ...(manner.kind === 'unavailable' && retryAfter > 0 ? { retryAfter } : {}),
  };
}

/**
 * The exchanges from before the service was up: the first reads, if each was sent again after the time that a 503 stated. They are
 * not held against the service.
 * @param starting the probes with which a run begins
 */
export function beforeService(
  exchanges: readonly Exchange[],
  starting: readonly Probe[],
  contract: Contract,
  baseUrl: string,
): ReadonlySet<Exchange> {
  const sent = starting.map(({ id }) => exchanges.filter(({ probe }) => probe === id));
  const first = sent.flatMap((ofProbe) => (ofProbe.length > 1 ? ofProbe.slice(0, 1) : []));
  const isWaitedFor =
    first.length === sent.length && setUpProblem(first, contract, baseUrl)?.retryAfter !== undefined;
  return new Set(isWaitedFor ? first : []);
}

/**
 * Whether all redirects lead to one address, or each to the same path at one other origin. The query is ignored: it may name the
 * address to come back to.
 */
function leadToOnePlace(exchanges: readonly Exchange[]): boolean {
  const places = exchanges.map((exchange) => placeOf(locationOf(exchange)));
  if (places.includes(undefined)) return false;
  return new Set(places).size === 1 || isMoved(exchanges);
}

/** The end of every base address, if this one lacks it. */
function lackingPath({ basePath }: Contract, baseUrl: string): string | undefined {
  if (basePath === undefined || !URL.canParse(baseUrl)) return undefined;
  return new URL(baseUrl).pathname.replace(/\/+$/, '').endsWith(basePath) ? undefined : basePath;
}

function namesOf(operations: ReadonlySet<Operation | undefined>): string {
  return listed(
    [...operations].flatMap((operation) => (operation ? [`${operation.method} ${operation.path}`] : [])),
    'and',
  );
}

/** The responses in words: statuses, and the target of a redirect, or the media type and the first words. */
function whatCame({ kind }: SameResponse, exchanges: readonly Exchange[]): string {
  const statuses = listed([...new Set(exchanges.map((exchange) => String(statusOf(exchange))))].sort(), 'or');
  const [first] = exchanges;
  if (!first?.response) return statuses;
  if (kind === 'redirect') {
    const to = isMoved(exchanges) ? locationOf(first)?.origin : placeOf(locationOf(first));
    return visible(`a redirect (${statuses}) to ${quote(to ?? '')}`);
  }
  const type = mediaTypeOf(first.response);
  const line = firstLineOf(first.response) ?? '';
  const words = line.replace(/<[^<>]*>/g, '').trim() || line;
  // Of a body that petspec did not read, nothing is kept.
  const isBodiless = first.response.body === '' && first.response.unread === undefined;
  const body = isBodiless ? 'without a body' : (type ?? 'without a Content-Type');
  const came = visible(`${statuses} ${quote(body)}${words === '' ? '' : ` "${clipped(words)}"`}`);
  return exchanges.some(isLogin) ? `a login page (${came})` : came;
}

/** The longest beginning of a body that is shown, in characters. */
const MAX_WORDS = 60;

function clipped(words: string): string {
  const characters = [...words];
  return characters.length <= MAX_WORDS ? words : `${characters.slice(0, MAX_WORDS).join('')}…`;
}

/** Headers of a rate limit, in any dialect. A proxy or gateway rarely sends one. */
const RATE_LIMIT = /rate-?limit/i;

/**
 * Whether a response is a sign of the service: it has a header of the rate limit, an error body that the interface
 * documents, or, with a success, JSON of any shape or whatever else the operation documents.
 */
export function showsService({ response, operation }: Exchange, contract: Contract): boolean {
  if (!response) return false;
  const { headers, status } = response;
  if (headers.some(([name]) => RATE_LIMIT.test(name))) return true;
  const asked = contract.operations.find(({ id }) => id === operation);
  if (!asked) return false;
  if (status >= 400) return isError(response, contract);
  return isListed(response, asked) || (isSuccess({ response }) && hasJson(response));
}

/** Whether a body is JSON, or says so. */
function hasJson(response: Received): boolean {
  const isDeclared = isJson(mediaTypeOf(response) ?? '');
  return isDeclared || response.unread !== undefined || parseJson(response.body).ok;
}

/** Whether a document lists the status, and of a body that should be JSON the media type. */
function isListed(response: Received, operation: Operation): boolean {
  const key = documentedStatus(operation, response.status);
  const listed = operation.responses.find((response) => response.status === key && key !== 'DEFAULT');
  if (!listed) return false;
  const { mediaType, otherMediaTypes = [] } = listed;
  if (mediaType === undefined) return response.body === '';
  return [mediaType, ...otherMediaTypes].some((type) => !isJson(type));
}

const errorSchemas = new WeakMap<Contract, readonly Schema[]>();

/** Whether a body has a shape that the interface documents for an error, whichever operation has it. */
function isError({ body }: Received, contract: Contract): boolean {
  const schemas = errorSchemas.get(contract) ?? schemasOf(contract);
  errorSchemas.set(contract, schemas);
  const parsed = parseJson(body);
  return parsed.ok && schemas.some((schema) => schemaErrors(schema, parsed.value).length === 0);
}

function schemasOf({ operations }: Contract): readonly Schema[] {
  const errors = operations.flatMap(({ responses }) =>
    responses.filter(({ status }) => /^[45D]/.test(status)),
  );
  return [...new Set(errors.flatMap(({ schema }) => (schema ? [schema] : [])))];
}
