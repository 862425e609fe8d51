import type { SentRequest } from '../model/report/reproduction.ts';
import type { ReproductionSource } from './steps.ts';

/**
 * What came right before a request that got something wrong, if that may be to blame: the same request got the right response
 * as well, and never right after one like it.
 * @param wrong the exchanges that show the violation
 */
export function stepBefore(
  request: SentRequest,
  wrong: readonly SentRequest[],
  source: Pick<ReproductionSource, 'requests' | 'probes'>,
): SentRequest | undefined {
  const { requests } = source;
  const before = requests.byId(request.id - 1);
  const right = rightOnes(request, wrong, source);
  if (!before || right.length === 0) return undefined;
  const kind = kindOf(before);
  const isAfterIt = ({ id }: SentRequest) => {
    const other = requests.byId(id - 1);
    return other !== undefined && kindOf(other) === kind;
  };
  return right.some(isAfterIt) || !wrong.every(isAfterIt) ? undefined : before;
}

/** Whether a violation shows only in requests that went out together: alone, they got the right response. */
export function isRace(
  wrong: readonly SentRequest[],
  source: Pick<ReproductionSource, 'requests' | 'probes'>,
): boolean {
  if (!wrong.every(({ burst }) => burst === 'beside')) return false;
  return wrong.every((each) => rightOnes(each, wrong, source).some(({ burst }) => burst === undefined));
}

/**
 * The same requests, as far as they got a response that is no error and that no finding is about. Of writes, those to which the same
 * responses are right: that a right body is accepted says nothing of a wrong one.
 */
function rightOnes(
  { probe, operation, method, url, key }: SentRequest,
  wrong: readonly SentRequest[],
  { requests, probes }: Pick<ReproductionSource, 'requests' | 'probes'>,
): SentRequest[] {
  const rightFor = (id: string) => JSON.stringify(probes.get(id)?.expectation);
  return requests
    .all()
    .filter(
      (each) =>
        each.operation === operation &&
        rightFor(each.probe) === rightFor(probe) &&
        each.key === key &&
        (method !== 'GET' || each.url === url) &&
        each.status !== undefined &&
        each.status < 300 &&
        !wrong.includes(each),
    );
}

/** Requests of one kind have the same operation, key and status. */
function kindOf({ operation, key, status }: SentRequest): string {
  return `${operation} ${key} ${status}`;
}
