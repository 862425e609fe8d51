import { max } from 'd3-array';
import type { Repetition } from '../../model/repetition.ts';
import { afterRefusal, limitsInTurn, untilRefused } from './loops.ts';
import type { SentRequest } from './sent-request.ts';
import type { Run } from './steps.ts';
import { allOf, type Cost, many } from './warning.ts';

/** The lines of a script and their cost. */
export interface Script extends Cost {
  lines: string[];
}

/** The largest limit that a script believes if only the service states it. */
const LARGEST = 10_000;

/** A script for what only shows at the limit: the refusal, what comes instead, or what comes after it. */
export function rateLimitScript(
  first: SentRequest,
  cited: readonly SentRequest[],
  repetition: Repetition | undefined,
  run: Run,
): Script | undefined {
  const isAfter = repetition?.kind === 'after-refusal' || first.stage === 'recover';
  const isRefused = first.status === 429 && first.key === 'valid';
  if (!isAfter && !isRefused && first.stage !== 'exhaust') return undefined;
  const request = harmless(first, run);
  const limit = limitOf(first, run);
  const ordinal = max(cited, (each) => each.ordinal) ?? 0;
  // If a request was refused, the key may have been partly used before the run.
  const times = Math.max(isRefused || isAfter ? 2 * ordinal : ordinal, limit + 2);
  if (isAfter) {
    const refusal = run.requests.all().find(({ status, key }) => status === 429 && key === 'valid');
    const isDate = /[a-z]/i.test(refusal?.retryAfter ?? '');
    const lines = afterRefusal(request, times, isDate, run);
    return { lines, sent: many(request, times + 1, run), usesUpLimit: true };
  }
  const other = isRefused ? undefined : otherRead(request, run);
  return {
    lines: untilRefused(request, times, run, other),
    sent: many(request, times, run),
    usesUpLimit: true,
  };
}

/** The limit of a minute, as the plan of the run or else a response states it. */
function limitOf({ limit = 0 }: SentRequest, { contract, plan }: Run): number {
  return contract.ratePlans[plan ?? '']?.minute ?? Math.min(limit, LARGEST);
}

/**
 * Sends the requests in order, and the last one again until this many with the key went to its address. If it changes
 * something, one like it is sent again. What shows near the limit may need the whole limit.
 */
export function inTurnAndAgain(
  requests: readonly SentRequest[],
  times: number,
  run: Run,
): Script | undefined {
  const last = requests.at(-1);
  if (!last) return undefined;
  const isRefused = last.status === 429;
  const limit = limitOf(last, run);
  const counted = Math.max(times, isRefused || last.stage === 'exhaust' ? limit + 2 : 0);
  const again = harmless(last, run);
  const once = (isRefused ? requests.slice(0, -1) : requests).filter(({ id }) => id !== again.id);
  const sent = allOf([...once, again], run);
  const others = sent.filter(({ request: { key, address } }) => key !== 'valid' || address !== last.address);
  const total = Math.max(counted + others.length, sent.length);
  return {
    lines: limitsInTurn([...once, again], run, total),
    sent: [...sent.slice(0, -1), { request: again, times: total - sent.length + 1 }],
    usesUpLimit: counted >= limit,
  };
}

/** A similar request that changes nothing: a read, or one of the same operation that was refused as invalid. */
function harmless(request: SentRequest, run: Run): SentRequest {
  if (request.method === 'GET') return request;
  const refused = run.requests
    .all()
    .find(
      ({ operation, status = 0, key }) =>
        operation === request.operation && key === 'valid' && status >= 400 && status < 500 && status !== 429,
    );
  return refused ?? request;
}

/** A read of the same operation that only differs in its query. */
function otherRead({ operation, method, url }: SentRequest, run: Run): SentRequest | undefined {
  const pathOf = (address: string) => address.split('?')[0];
  return run.requests
    .all()
    .find(
      (each) =>
        each.stage === 'first' &&
        each.operation === operation &&
        method === 'GET' &&
        each.url !== url &&
        pathOf(each.url) === pathOf(url),
    );
}
