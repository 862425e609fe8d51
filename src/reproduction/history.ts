import type { SentRequest } from '../model/report/reproduction.ts';
import type { Source } from './steps.ts';

/**
 * What came right before a request that got something wrong, if that may be to blame: the same request got the right response
 * as well, and never right after one like it.
 * @param wrong the exchanges that show the violation
 */
export function stepBefore(
  request: SentRequest,
  wrong: readonly SentRequest[],
  { requests }: Pick<Source, 'requests'>,
): SentRequest | undefined {
  const before = requests.byId(request.id - 1);
  const right = rightOnes(request, wrong, requests.all());
  if (!before || right.length === 0) return undefined;
  const kind = kindOf(before);
  const isAfterIt = ({ id }: SentRequest) => {
    const other = requests.byId(id - 1);
    return other !== undefined && kindOf(other) === kind;
  };
  return right.some(isAfterIt) || !wrong.every(isAfterIt) ? undefined : before;
}

/** Whether a violation shows only in requests that went out together: alone, they got the right response. */
export function isRace(wrong: readonly SentRequest[], { requests }: Pick<Source, 'requests'>): boolean {
  if (!wrong.every(({ burst }) => burst === 'beside')) return false;
  return wrong.every((each) =>
    rightOnes(each, wrong, requests.all()).some(({ burst }) => burst === undefined),
  );
}

/** The same requests, as far as they got a response that is no error and that no finding is about. */
function rightOnes(
  { operation, method, url, key }: SentRequest,
  wrong: readonly SentRequest[],
  all: readonly SentRequest[],
): SentRequest[] {
  return all.filter(
    (each) =>
      each.operation === operation &&
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
