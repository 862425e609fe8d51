import type { Clock } from '../model/clock.ts';
import type { Contract, Credential, Operation, RatePlan } from '../model/contract.ts';
import type { HeaderLine } from '../model/exchange.ts';
import { credentialsIn, valuesAt } from '../model/http/credential.ts';
import { operationsById } from '../model/large/lookups.ts';
import { delayed } from '../reference/changes/wire-changes.ts';
import type { Answer, HeaderField } from '../reference/http/answer.ts';
import type { Call, KeyVerdict, OperationId } from '../reference/http/call.ts';
import {
  type Change,
  type Reference,
  type RequestHead,
  type Served,
  startReference,
} from '../reference/index.ts';
import { classify } from '../traffic/classify.ts';
import { matchOperation, type Servers } from '../traffic/match-operation.ts';
import { dialectOf, limitHeaders, type RateLimitDialect, refusal } from './answers.ts';
import { DocumentStore } from './document-store.ts';
import { generalFaults } from './faults.ts';
import type { ThingsOptions } from './things.ts';

/** How a document is served. */
export interface DocumentServerSettings {
  clock: Clock;
  /** The only key that is accepted, where the document wants a key. */
  apiKey: string;
  /** Default: no limit. */
  limits?: RatePlan | undefined;
  /** Length of the window of the requests per minute, in ms. Default: a minute. */
  minute?: number | undefined;
  /** How responses tell the limit. Default: as the document lists it, or else `x-ratelimit` if there is a limit. */
  dialect?: RateLimitDialect | undefined;
  /** Draws ids. Default: 1. */
  seed?: number | undefined;
  /** Default: any free port. */
  port?: number;
  /** Ids of general faults. */
  faults?: readonly string[];
  /** ms that each response takes. */
  latency?: number | undefined;
  /** Whether pages of other origins may send requests. */
  cors?: boolean | undefined;
  changes?: readonly Change[];
  /** Whether ids of type int64 are beyond 2^53. */
  largeIds?: boolean;
}

/** As good as no limit. */
const UNLIMITED = 1_000_000_000;

/**
 * Serves a document on 127.0.0.1: what is created is kept, and everything else is an example of its schema.
 * @throws PortUnavailable
 */
export function startDocumentServer(
  contract: Contract,
  { clock, apiKey, limits, seed = 1, port = 0, ...settings }: DocumentServerSettings,
): Promise<Reference> {
  const { minute = 60_000, faults = [], latency = 0, cors = false, changes = [] } = settings;
  const stated = settings.dialect ?? dialectOf(contract);
  const isLimited = limits?.minute !== undefined || limits?.day !== undefined;
  const dialect = stated === 'none' && isLimited && settings.dialect === undefined ? 'x-ratelimit' : stated;
  const chosen = generalFaults.filter(({ id }) => faults.includes(id));
  const forgets = Object.assign({}, ...chosen.map((fault) => fault.forgets ?? {}));
  return startReference({
    ...{ clock, apiKey, port },
    plan: { minute: limits?.minute ?? UNLIMITED, day: limits?.day ?? UNLIMITED },
    settings: { animals: 0, limiter: { minute, windows: limits?.day === undefined ? 'minute' : 'both' } },
    changes: [
      ...chosen.flatMap(({ change }) => change ?? []),
      ...(latency > 0 ? [delayed({}, latency)] : []),
      ...(cors ? [forOtherOrigins] : []),
      ...changes,
    ],
    served: servedDocument(contract, {
      ...{ apiKey, seed, dialect, minute, forgets },
      largeIds: settings.largeIds ?? false,
    }),
  });
}

/** Lets pages of any origin read responses, and answers their preflight requests (Fetch, section 3.2). */
const forOtherOrigins: Change = {
  around: async (call, next) => {
    const {
      'access-control-request-method': method,
      'access-control-request-headers': requestedHeaders = '*',
    } = call.headers;
    const isPreflight = call.method === 'OPTIONS' && method !== undefined;
    const answer = isPreflight ? { status: 204, headers: [], body: undefined } : await next(call);
    const allowed = isPreflight
      ? [
          ['Access-Control-Allow-Methods', String(method)] as [string, string],
          ['Access-Control-Allow-Headers', String(requestedHeaders)] as [string, string],
        ]
      : [['Access-Control-Expose-Headers', '*'] as [string, string]];
    return { ...answer, headers: [...answer.headers, ['Access-Control-Allow-Origin', '*'], ...allowed] };
  },
};

/** How a document is served. */
interface DocumentServerOptions extends ThingsOptions {
  apiKey: string;
  dialect: RateLimitDialect;
  /** Length of the window of its limit, in ms. */
  minute: number;
}

/** The origin of the URLs that are matched with the document. Nothing listens there. */
const ORIGIN = 'http://server.invalid';

/** The service of a document, with the things that clients create, for {@link startReference}. */
function servedDocument(contract: Contract, options: DocumentServerOptions): Served {
  const { basePath = '', operations, title } = contract;
  const byId = operationsById(operations);
  const servers: Servers = Object.fromEntries(
    ['baseUrl', ...operations.map(({ address }) => address)].map((address) => [address, ORIGIN + basePath]),
  );
  const store = new DocumentStore(contract, options);
  const operationOf = ({ operation }: Pick<Call, 'operation'>) =>
    operation === undefined ? undefined : byId.get(operation);
  const matched = (method: string, target: string) => {
    const match = matchOperation(contract, servers, method, new URL(ORIGIN + target));
    return match?.isMisplaced ? undefined : match;
  };
  const methods = [...new Set(operations.map(({ method }) => method))];
  return {
    basePath,
    route({ method, target }) {
      const match = matched(method, target) ?? (method === 'HEAD' ? matched('GET', target) : undefined);
      const allowed = methods.filter((allowedMethod) => matched(allowedMethod, target));
      // The ids of the operations are those of the document.
      return { operation: match?.operation.id as OperationId, allowed, params: match?.path ?? {} };
    },
    judgeKey: (request: RequestHead, { operation }) =>
      keyVerdict(operationOf({ operation }), request, options.apiKey),
    operate(call) {
      const operation = operationOf(call);
      if (!operation) return unknown(call);
      const method = call.method === 'HEAD' ? 'GET' : call.method;
      const classified = classify(contract, servers, {
        method,
        url: ORIGIN + call.target,
        headers: Object.entries(call.headers).flatMap(([name, value = '']) =>
          [value].flat().map((line) => [name, line] as const),
        ),
        body: call.bodyText ?? '?',
        undecodable: call.bodyText === undefined ? 'not UTF-8' : undefined,
      });
      return store.answer(operation, classified, call);
    },
    refuse(call, status, message, headers) {
      const operation = operationOf(call);
      const kept = headers.filter(([name]) => name !== 'WWW-Authenticate');
      const challenge: HeaderField[] =
        status === 401 ? [['WWW-Authenticate', challengeOf(operation ?? {}, title)]] : [];
      return refusal(operation, status, message, [...kept, ...challenge]);
    },
    limitHeaders: (verdict, now) => limitHeaders(options.dialect, verdict, now, options.minute),
  };
}

function unknown({ allowed }: Call): Answer {
  if (allowed.length === 0) return refusal(undefined, 404, 'nothing is found at this path');
  const allow = allowed.join(', ');
  return refusal(undefined, 405, `this path allows ${allow}`, [['Allow', allow]]);
}

/** Judges the key of a request, in the place that the document states. Without an operation there is no key to judge. */
function keyVerdict(operation: Operation | undefined, request: RequestHead, apiKey: string): KeyVerdict {
  if (!operation) return 'missing';
  const values = credentialsIn(operation).map((credential) => sentKey(credential, request));
  if (values.some((key) => key === undefined || key === ''))
    return operation.isKeyOptional ? 'valid' : 'missing';
  return values.every((key) => key === apiKey) ? 'valid' : 'invalid';
}

/** The key of a request, or what is in its place instead; undefined if nothing is. */
function sentKey(credential: Credential, { target, headers }: RequestHead): string | undefined {
  const lines = Object.entries(headers).flatMap(([name, values = []]) =>
    values.map((value): HeaderLine => [name, value]),
  );
  const [value, second] = valuesAt(credential, target, lines);
  const { scheme } = credential;
  if (value === undefined || second !== undefined || scheme === undefined) return value;
  const [, credentials] = new RegExp(`^${scheme} +(.+)$`, 'i').exec(value) ?? [];
  if (credentials === undefined) return `not ${scheme}`;
  return scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString() : credentials;
}

/** The challenge that a 401 carries (RFC 9110 section 11.6.1). */
function challengeOf({ credential }: Pick<Operation, 'credential'>, title: string): string {
  const { scheme = credential === undefined ? 'Bearer' : 'ApiKey' } = credential ?? {};
  return `${scheme} realm="${title.replaceAll(/[^\w .-]/g, '')}"`;
}
