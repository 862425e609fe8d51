import type { Repetition } from '../../model/repetition.ts';
import { afterRefusal, untilRefused } from './loops.ts';
import type { Sent } from './sent-request.ts';
import type { Run } from './steps.ts';
import { type Cost, many } from './warning.ts';

/** A script, line by line, and what it costs. */
export interface Draft extends Cost {
  lines: string[];
}

/** A limit that only the service states is believed up to here. */
const LARGEST = 10_000;

/** What only the used up limit shows: the refusal, what comes instead of it, or what comes after it. */
export function aboutTheLimit(
  first: Sent,
  cited: readonly Sent[],
  repetition: Repetition | undefined,
  run: Run,
): Draft | undefined {
  const isAfter = repetition?.kind === 'after-refusal' || first.stage === 'recover';
  const isRefused = first.status === 429 && first.key === 'valid';
  if (!isAfter && !isRefused && first.stage !== 'exhaust') return undefined;
  const request = harmless(first, run);
  const limit = run.contract.ratePlans[run.plan ?? '']?.minute ?? Math.min(first.limit ?? 0, LARGEST);
  const ordinal = Math.max(...cited.map((each) => each.ordinal));
  // A run that came upon a refusal may have begun with a key that was partly used.
  const times = Math.max(isRefused || isAfter ? 2 * ordinal : ordinal, limit + 2);
  if (isAfter) {
    const refusal = run.requests.all().find(({ status, key }) => status === 429 && key === 'valid');
    const isDate = /[a-z]/i.test(refusal?.retryAfter ?? '');
    const lines = afterRefusal(request, times, isDate, run);
    return { lines, sent: many(request, times + 1, run), usesUpLimit: true };
  }
  const other = isRefused ? undefined : otherRead(request, run);
  return {
    lines: untilRefused(request, other, times, run),
    sent: many(request, times, run),
    usesUpLimit: true,
  };
}

/** A request like this one that changes nothing: a read, or one of the same operation that was refused. */
function harmless(request: Sent, run: Run): Sent {
  if (request.method === 'GET') return request;
  const refused = run.requests
    .all()
    .find(
      ({ operation, status = 0, key }) =>
        operation === request.operation && key === 'valid' && status >= 400 && status < 500 && status !== 429,
    );
  return refused ?? request;
}

/** A read of the same operation that differs in its query alone. */
function otherRead({ operation, method, url }: Sent, run: Run): Sent | undefined {
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
