import type { Clock } from '../model/clock.ts';
import type { Contract, RatePlan } from '../model/contract.ts';
import { delayed } from '../reference/changes/wire-changes.ts';
import { type Change, type Reference, startReference } from '../reference/index.ts';
import { dialectOf, type RateLimitDialect } from './answers.ts';
import { generalFaults } from './faults.ts';
import { servedDocument } from './served-document.ts';

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
