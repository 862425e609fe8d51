import { sum } from 'd3-array';
import type { Check, Evidence } from '../../judge/evidence/check.ts';
import { judgeExchanges } from '../../judge/judge-exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { parseJson, stringifyJson } from '../../model/json.ts';
import { CONTRADICTS } from './figures.ts';

/** Responses with more characters than this in all are not judged once more for each attempt. */
const MAX_READ_AGAIN = 2_000_000;

const sizeOf = ({ response }: Exchange) => response?.body.length ?? 0;

/** What exchanges are judged by, whichever they are. */
export type Surrounding = Omit<Evidence, 'judged' | 'unsent' | 'used' | 'unrevealed'>;

/**
 * Whether exchanges show a finding: its check finds it in them alone, or names one of them beside those of the run, or they show
 * it to anybody's eyes.
 * @param run the exchanges of the run itself
 */
export function isShownAgain(
  check: Check,
  finding: Finding,
  exchanges: readonly Exchange[],
  run: readonly Exchange[],
  surrounding: Surrounding,
): boolean {
  const findingIn = (all: readonly Exchange[]) =>
    check.judge({ ...surrounding, judged: judgeExchanges(all, surrounding), unsent: [] });
  if (findingIn(exchanges).status === 'violated' || isSeen(check.requirement, finding, exchanges))
    return true;
  // What a limiter does is no matter of single exchanges.
  if (check.phase === 'limiter' || sum(run, sizeOf) > MAX_READ_AGAIN) return false;
  const { status, evidence, deviating = evidence } = findingIn([...run, ...exchanges]);
  return status === 'violated' && exchanges.some(({ id }) => deviating.includes(id));
}

/** Whether exchanges show to anybody's eyes what a finding says of several. */
export function isSeen(requirement: string, finding: Finding, exchanges: readonly Exchange[]): boolean {
  if (doResponsesDiffer(requirement, finding, exchanges)) return true;
  const [first] = exchanges;
  const counted = exchanges.filter(({ address, key }) => address === first?.address && key === 'valid');
  const figures = counted.map(({ response, rate }) => ({ status: response?.status, ...rate }));
  return CONTRADICTS[requirement]?.(figures) ?? false;
}

/** Whether responses differ that the finding says are to be the same. */
function doResponsesDiffer(
  requirement: string,
  { repetition }: Pick<Finding, 'repetition'>,
  exchanges: readonly Exchange[],
): boolean {
  const answered = exchanges.filter(({ response }) => response?.status !== 429);
  if (repetition?.kind === 'record')
    return isRecordChanged(repetition, answered, requirement.endsWith('.stored'));
  if (repetition?.kind !== 'again' || repetition.shows !== 'answers') return false;
  const last = answered.at(-1);
  const same = answered.filter(({ url, method }) => url === last?.url && method === last?.method);
  const outcomes = same.map(
    ({ response, failure }) => `${failure?.kind} ${response?.status} ${response?.body}`,
  );
  return new Set(outcomes).size > 1;
}

/** Whether the responses show a record with different fields, or not all of them show it. One that was created has another id now. */
function isRecordChanged(
  { field, value }: { field: string; value: string },
  exchanges: readonly Exchange[],
  isOfFields: boolean,
): boolean {
  const bodies = exchanges.map(({ response }) => parseJson(response?.body ?? ''));
  const lists = bodies.map((body) =>
    body.ok && Array.isArray(body.value) ? body.value : body.ok ? [body.value] : [],
  );
  // What came before it was created cannot show it.
  const from = Math.max(
    0,
    exchanges.findIndex(({ method }) => method === 'POST'),
  );
  const [creation] = exchanges[from]?.method === 'POST' ? (lists[from] ?? []) : [];
  const idOf = (each: unknown) => String((each as Record<string, unknown> | null)?.[field]);
  const wanted = creation === undefined ? value : idOf(creation);
  const shown = lists.slice(from).map((list) => list.find((each) => idOf(each) === wanted));
  const compared = isOfFields ? shown.filter((each) => each !== undefined) : shown;
  return new Set(compared.map((each) => (each === undefined ? '' : stringifyJson(each)))).size > 1;
}
