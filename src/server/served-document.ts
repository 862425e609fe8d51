import type { Contract } from '../model/contract.ts';
import { operationsById } from '../model/large/operations.ts';
import type { Answer, HeaderField } from '../reference/http/answer.ts';
import type { Call, OperationId } from '../reference/http/call.ts';
import type { RequestHead, Served } from '../reference/index.ts';
import { classify } from '../traffic/classify.ts';
import { matchOperation, type Servers } from '../traffic/match-operation.ts';
import { refusal } from './answers.ts';
import { DocumentStore } from './document-store.ts';
import { challengeOf, keyVerdict } from './keys.ts';
import { limitHeaders, type RateLimitDialect } from './limits.ts';
import type { ThingsOptions } from './things.ts';

/** How a document is served. */
export interface DocumentServerOptions extends ThingsOptions {
  apiKey: string;
  dialect: RateLimitDialect;
  /** Length of the window of its limit, in ms. */
  minute: number;
}

/** Where requests are compared with the document. Nothing listens there. */
const ORIGIN = 'http://server.invalid';

/** A service that a document describes, with what its clients create: for {@link startReference}. */
export function servedDocument(contract: Contract, options: DocumentServerOptions): Served {
  const { basePath = '', operations, title } = contract;
  const byId = operationsById(operations);
  const servers: Servers = Object.fromEntries(
    ['baseUrl', ...operations.map(({ address }) => address)].map((each) => [each, ORIGIN + basePath]),
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
      const found = matched(method, target) ?? (method === 'HEAD' ? matched('GET', target) : undefined);
      const allowed = methods.filter((each) => matched(each, target));
      // The ids of the operations are those of the document.
      return { operation: found?.operation.id as OperationId, allowed, params: found?.path ?? {} };
    },
    judgeKey: (asked: RequestHead, { operation }) =>
      keyVerdict(operationOf({ operation }), asked, options.apiKey),
    operate(call) {
      const operation = operationOf(call);
      if (!operation) return unknown(call);
      const method = call.method === 'HEAD' ? 'GET' : call.method;
      const classified = classify(contract, servers, {
        method,
        url: ORIGIN + call.target,
        headers: Object.entries(call.headers).flatMap(([name, value = '']) =>
          [value].flat().map((each) => [name, each] as const),
        ),
        body: call.bodyText ?? '?',
        undecodable: call.bodyText === undefined ? 'not UTF-8' : undefined,
      });
      return store.answer(operation, classified, call);
    },
    refuse(call, status, message, headers) {
      const operation = operationOf(call);
      const others = headers.filter(([name]) => name !== 'WWW-Authenticate');
      const challenge: HeaderField[] =
        status === 401 ? [['WWW-Authenticate', challengeOf(operation ?? {}, title)]] : [];
      return refusal(operation, status, message, [...others, ...challenge]);
    },
    limitHeaders: (verdict, now) => limitHeaders(options.dialect, verdict, now, options.minute),
  };
}

function unknown({ allowed }: Call): Answer {
  if (allowed.length === 0) return refusal(undefined, 404, 'nothing is found at this path');
  const allow = allowed.join(', ');
  return refusal(undefined, 405, `this path allows ${allow}`, [['Allow', allow]]);
}
