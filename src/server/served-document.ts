import type { Contract, Credential, Operation } from '../model/contract.ts';
import type { HeaderLine } from '../model/exchange.ts';
import { credentialsIn, valuesAt } from '../model/http/credential.ts';
import { operationsById } from '../model/large/operations.ts';
import type { Answer, HeaderField } from '../reference/http/answer.ts';
import type { Call, KeyVerdict, OperationId } from '../reference/http/call.ts';
import type { RequestHead, Served } from '../reference/index.ts';
import { classify } from '../traffic/classify.ts';
import { matchOperation, type Servers } from '../traffic/match-operation.ts';
import { limitHeaders, type RateLimitDialect, refusal } from './answers.ts';
import { DocumentStore } from './document-store.ts';
import type { ThingsOptions } from './things.ts';

/** How a document is served. */
export interface DocumentServerOptions extends ThingsOptions {
  apiKey: string;
  dialect: RateLimitDialect;
  /** Length of the window of its limit, in ms. */
  minute: number;
}

/** The origin of the URLs that are matched with the document. Nothing listens there. */
const ORIGIN = 'http://server.invalid';

/** The service of a document, with the things that clients create, for {@link startReference}. */
export function servedDocument(contract: Contract, options: DocumentServerOptions): Served {
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
