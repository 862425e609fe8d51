import { PARAMETER_RULES } from '../../contract/requirements.ts';
import { isObject, ruleIdOf } from '../../contract/schema.ts';
import type { Operation } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { expecting } from '../../model/http/expectation.ts';
import { parseJson } from '../../model/json.ts';
import { documented, success } from '../../probes/probe.ts';
import { INT64_MAX } from '../../requests/plain-values.ts';
import type { Classified, RequestProblem } from '../../traffic/classify.ts';
import { owedByDocument } from './owed-by-document.ts';
import { isPartial, type Owed, PARTIAL, type RecordedRequest, UNDECIDED } from './request.ts';

/** The response is not judged. */
const UNJUDGED: Owed = { ...UNDECIDED, spelling: 'encoded' };

/** Unnecessary escapes: of letters, digits, and `-._~` (RFC 3986 section 2.3). */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;

/** Escapes in a path that many gateways refuse: of control characters, and of slashes. */
const REFUSED = /%(?:[01][\da-f]|2f|5c|7f)/i;

/** Whether a request has another spelling of an address, which is another address. */
export function isSpelled({
  exchange,
  classified,
}: Pick<RecordedRequest, 'exchange' | 'classified'>): boolean {
  const { url } = exchange;
  return classified.isMisplaced || REFUSED.test(new URL(url).pathname) || NEEDLESS.test(url);
}

/**
 * The expected response to a recorded request. Where a service may have a reason to refuse it that the recording does not show,
 * a refusal conforms.
 */
export function owedTo(request: RecordedRequest): Owed {
  const { exchange, classified, standing } = request;
  const { operation, problems } = classified;
  if (isSpelled(request)) return { ...UNDECIDED, key: exchange.key };
  if (isKeylessAndRefused(exchange)) return { ...UNDECIDED, key: exchange.key };
  if (operation.mayRefuse) return owedByDocument(request);
  if (isTooLarge(exchange)) return UNJUDGED;
  if (exchange.recorded === 'run' && exchange.key !== 'valid') return owedToWrongKey(request);
  const expectation = expecting([], documented(operation, '401'));
  if (operation.secured && expectation.kind !== 'open') {
    const refused: Owed = { validity: 'invalid', expectation };
    const { misused } = standing;
    if (misused) return { ...refused, key: misused, rule: 'authentication.scheme' };
    if (exchange.key === 'absent') return { ...refused, key: 'absent' };
    if (exchange.key === 'empty') return { ...refused, key: 'empty', rule: 'authentication.key' };
    // It is unknown whether the key was valid at that time.
    if (exchange.response?.status === 401 && !standing.isKeySteady) return { ...refused, key: 'unknown' };
  }
  return problems.length === 0 ? owedToValid(request) : owedToInvalid(request, problems);
}

/** Whether traffic without a key was refused with another status than 401: a gateway may have had another reason. */
function isKeylessAndRefused({ recorded, key, response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return recorded === 'traffic' && key === 'absent' && status >= 300 && status !== 401;
}

/** Statuses for a body, a target or headers that are too large. */
const TOO_LARGE = [413, 414, 431];

/** Whether a request of traffic was too large: whatever reads it first, such as a gateway, refuses it in its own words. */
function isTooLarge({ recorded, response }: Exchange): boolean {
  return recorded !== 'run' && response !== undefined && TOO_LARGE.includes(response.status);
}

/** A run of petspec says which wrong key it sent. */
function owedToWrongKey({ exchange, classified: { operation, problems } }: RecordedRequest): Owed {
  const expectation = expecting([], documented(operation, '401'));
  const { key } = exchange;
  if (!operation.secured || expectation.kind === 'open') return { ...UNDECIDED, key };
  const isWrongAnyway = problems.length > 0 || isById(operation);
  const isOfScheme = key === 'scheme' || key === 'bare';
  const rule = isOfScheme ? 'authentication.scheme' : 'authentication.key';
  if (key !== 'absent') return { key, validity: 'invalid', expectation, rule };
  return { key, validity: 'invalid', expectation, rule: isWrongAnyway ? 'authentication.first' : undefined };
}

function isById({ parameters }: Operation): boolean {
  return parameters.some((parameter) => parameter.in === 'path');
}

function owedToValid(request: RecordedRequest): Owed {
  const { exchange, classified, standing, isReferenceProven, isLengthProven } = request;
  if (isPartial(exchange)) return PARTIAL;
  const { operation } = classified;
  const status = exchange.response?.status ?? 0;
  const due = success(operation);
  // A gateway in front of the service may have refused it.
  if (
    status >= 400 &&
    status < 500 &&
    status !== 429 &&
    !standing.isFormProven &&
    exchange.recorded !== 'run'
  )
    return UNJUDGED;
  if (due.length === 0 || hasUnknown(classified, exchange)) return UNDECIDED;
  // The stage shows that petspec made the id up.
  if (isById(operation) && isMadeUp(request))
    return hasLargest(classified)
      ? UNDECIDED
      : { validity: 'invalid', expectation: expecting([], documented(operation, '404')) };
  const refused = documented(operation, '400');
  const isCreation = operation.body !== undefined;
  const rule = request.isPlainAccepted ? ruleOf(request) : undefined;
  const owed = (refusals: readonly string[] = []): Owed => ({
    validity: 'valid',
    expectation: expecting(due, refusals),
    rule,
  });
  // The id may not exist.
  if (isById(operation) && status >= 500 && !request.source) return UNDECIDED;
  const isUsual = !hasExtreme(classified) && !hasUnknownField(classified, exchange);
  if (status < 300 || status >= 500 || status === 429)
    // A 5xx for a value that may be refused is an undocumented status.
    return status >= 500 && isCreation && !isUsual ? owed(refused) : owed();
  if (isById(operation) && status === 404 && !request.isOwnCreation)
    return owed(documented(operation, '404'));
  if (isCreation && !isUsual && status !== 400) return UNJUDGED;
  if (
    isCreation &&
    status === 400 &&
    !(isReferenceProven && isLengthProven && standing.isFormProven && isUsual)
  )
    return owed(refused);
  const isCertain =
    isReasonRecorded(request, status) &&
    standing.isFormProven &&
    standing.isKeyProven &&
    (!isCreation || status < 400 || isReferenceProven || (exchange.recorded === 'run' && status === 409));
  return isCertain ? owed() : UNDECIDED;
}

/** Refusals whose reasons no recording shows: who asks, how often, in which state. */
const UNRECORDED_REASONS = [403, 408, 409, 412, 413, 414, 415, 417, 421, 423, 424, 425, 426, 428, 431, 451];

/** Whether the recording shows the reason of a refusal. Nobody else acts while petspec runs. */
function isReasonRecorded({ exchange, standing, isOperationOpen }: RecordedRequest, status: number): boolean {
  if (exchange.recorded === 'run') return true;
  if (standing.isKeyBanned) return false;
  return [403, 415].includes(status) ? isOperationOpen : !UNRECORDED_REASONS.includes(status);
}

/** Undocumented and repeated parameters may have any meaning. */
function hasUnknown({ operation }: Classified, exchange: Exchange): boolean {
  const names = [...new URL(exchange.url).searchParams.keys()];
  const listed =
    operation?.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [];
  return names.length !== new Set(names).size || names.some((name) => !listed.includes(name));
}

function hasUnknownField({ operation }: Classified, { requestBody = '' }: Exchange): boolean {
  const parsed = parseJson(requestBody);
  const listed = Object.keys(operation?.body?.schema.properties ?? {});
  return (
    parsed.ok && isObject(parsed.value) && Object.keys(parsed.value).some((name) => !listed.includes(name))
  );
}

/** The requirement that a valid parameter is accepted, at a bound or as a member of its enumeration. */
function ruleOf({ classified, exchange, areParametersAccepted }: RecordedRequest): string | undefined {
  const { operation, values } = classified;
  const query = new URL(exchange.url).searchParams;
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && query.has(parameter.name),
  );
  const member = parameters.find(({ schema }) => schema.enum !== undefined);
  const [only, ...further] = parameters;
  if (member && (further.length === 0 || areParametersAccepted)) return `${operation.id}.${member.name}.enum`;
  if (!only || further.length > 0) return undefined;
  const value = values.find(({ rule }) => rule === `${operation.id}.${only.name}`)?.value;
  // The value of a redacted parameter is unknown.
  if (value === undefined) return undefined;
  const bound = Object.keys(PARAMETER_RULES).find((keyword) => only.schema[keyword] === value);
  return bound === undefined ? undefined : `${operation.id}.${only.name}.${bound}`;
}

/** The number of digits of ids that petspec makes up. */
const MADE_UP = 18;

/** Whether petspec made an id up: by the stage, or because no response has it. */
function isMadeUp({ exchange, source, classified }: RecordedRequest): boolean {
  if (exchange.recorded !== 'run') return false;
  const isLong = classified.values.some(({ value }) => String(value).length >= MADE_UP);
  return exchange.stage === 'invalid' || (exchange.stage === 'surplus' && !source && isLong);
}

function hasLargest({ values }: Classified): boolean {
  return values.some(({ value }) => value === INT64_MAX);
}

/** A service may have reason to refuse longer texts and other numbers. */
const USUAL_LENGTH = 255;
const USUAL_NUMBER = 2 ** 31 - 1;

function hasExtreme({ values }: Classified): boolean {
  return values.some(({ value }) =>
    typeof value === 'string'
      ? value.length >= USUAL_LENGTH
      : (typeof value === 'number' || typeof value === 'bigint') && (value <= 0 || value > USUAL_NUMBER),
  );
}

function owedToInvalid(request: RecordedRequest, problems: readonly RequestProblem[]): Owed {
  const { exchange, classified, standing, isOperationOpen } = request;
  const { operation } = classified;
  const refused = documented(operation, '400');
  const status = exchange.response?.status ?? 0;
  const [first, ...further] = problems.map((problem) => facetOf(operation, problem));
  if (!first || refused.length === 0 || [first, ...further].some(({ isOpen }) => isOpen)) return UNDECIDED;
  // A 404 or 405 may mean that this service has the operation elsewhere, or not for this key.
  const isElsewhere = [404, 405, 410].includes(status) && !isOperationOpen;
  const isRedirect = status >= 300 && status < 400;
  if (exchange.recorded !== 'run' && (isElsewhere || isRedirect)) return UNDECIDED;
  // It is unknown whether the service failed at the key or at the body.
  if (!isReasonRecorded(request, status) || (status >= 500 && !standing.isKeyProven)) return UNDECIDED;
  const keys = standing.isKeyProven ? [] : documented(operation, '401');
  const rule = further.length === 0 ? { rule: first.rule } : {};
  return { validity: 'invalid', expectation: expecting([], [...keys, ...refused]), ...rule };
}

/** The requirement of a request problem, and whether the interface leaves open what the request gets. */
function facetOf(operation: Operation, problem: RequestProblem): { rule: string; isOpen: boolean } {
  const { body } = operation;
  const { kind, keyword = '', pointer = '', rule, whole } = problem;
  const isOpen = (unspecified: readonly string[] = [], facet: string) => unspecified.includes(facet);
  if (kind === 'media-type' || kind === 'parameter' || !body) return { rule, isOpen: true };
  if (whole === 'other') return { rule, isOpen: body.unspecified.length > 0 };
  if (kind === 'json') return { rule, isOpen: isOpen(body.unspecified, 'malformed') };
  if (whole !== undefined) return { rule, isOpen: isOpen(body.unspecified, whole) };
  const [, name = '', ...deeper] = pointer.split('/');
  const field = body.schema.properties?.[name];
  if (!field || deeper.length > 0) return { rule, isOpen: true };
  if (keyword === 'required') return { rule, isOpen: false };
  const facet = keyword === 'type' || keyword === 'format' || keyword === 'enum' ? keyword : 'bound';
  return { rule: ruleIdOf(rule, field, keyword), isOpen: isOpen(field['x-unspecified'], facet) };
}
