import { group, sum } from 'd3-array';
import type { Check, Evidence } from '../../judge/evidence/check.ts';
import { onlyWith } from '../../judge/exchange/taken-apart.ts';
import { judgeExchanges } from '../../judge/judge-exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Finding, isProblem } from '../../model/finding.ts';
import { parseJson, stringifyJson } from '../../model/json.ts';
import type { Confirmation } from '../../model/report/confirmation.ts';
import type { Execution } from '../../session/terms/types.ts';

/** Responses with more characters in all are not judged once more for each attempt. */
const MAX_READ_AGAIN = 2_000_000;

const sizeOf = ({ response }: Exchange) => response?.body.length ?? 0;

/** The evidence without the exchanges. */
export type Surrounding = Omit<Evidence, 'judged' | 'unsent' | 'used' | 'unrevealed'>;

/**
 * Whether exchanges show a finding: its check finds it in them alone, or cites one of them beside those of the run, or they show
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
  const findingIn = (sample: readonly Exchange[]) =>
    check.judge({ ...surrounding, judged: judgeExchanges(sample, surrounding), unsent: [] });
  if (findingIn(exchanges).status === 'violated' || isSeen(check.requirement, finding, exchanges))
    return true;
  // Single exchanges do not show what a limiter does.
  if (check.phase === 'limiter' || sum(run, sizeOf) > MAX_READ_AGAIN) return false;
  const { status, evidence, deviating = evidence } = findingIn([...run, ...exchanges]);
  return status === 'violated' && exchanges.some(({ id }) => deviating.includes(id));
}

/** Whether exchanges show to anybody's eyes what a finding says about several. */
export function isSeen(requirement: string, finding: Finding, exchanges: readonly Exchange[]): boolean {
  if (doResponsesDiffer(requirement, finding, exchanges)) return true;
  const [first] = exchanges;
  const counted = exchanges.filter(({ address, key }) => address === first?.address && key === 'valid');
  const figures = counted.map(({ response, rate }) => ({ status: response?.status, ...rate }));
  return CONTRADICTS[requirement]?.(figures) ?? false;
}

/** Whether responses differ that should be the same, according to the finding. */
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

/** Whether the responses show a record with different fields, or not all of them show it. A created record has another id now. */
function isRecordChanged(
  { field, value }: { field: string; value: string },
  exchanges: readonly Exchange[],
  isOfFields: boolean,
): boolean {
  const bodies = exchanges.map(({ response }) => parseJson(response?.body ?? ''));
  const lists = bodies.map((body) =>
    body.ok && Array.isArray(body.value) ? body.value : body.ok ? [body.value] : [],
  );
  // Responses before the creation cannot show the record.
  const from = Math.max(
    0,
    exchanges.findIndex(({ method }) => method === 'POST'),
  );
  const [creation] = exchanges[from]?.method === 'POST' ? (lists[from] ?? []) : [];
  const idOf = (record: unknown) => String((record as Record<string, unknown> | null)?.[field]);
  const wanted = creation === undefined ? value : idOf(creation);
  const shown = lists.slice(from).map((list) => list.find((record) => idOf(record) === wanted));
  const compared = isOfFields ? shown.filter((record) => record !== undefined) : shown;
  return new Set(compared.map((record) => (record === undefined ? '' : stringifyJson(record)))).size > 1;
}

/** The figures of the limit in a response to a request with the key, at one address. */
interface ResponseFigures {
  status?: number | undefined;
  limit?: number;
  remaining?: number;
  reset?: number;
}

type Shows = (figures: readonly ResponseFigures[]) => boolean;

const isRefused = ({ status }: ResponseFigures) => status === 429;
const isVarying = (values: readonly (number | undefined)[]) => new Set(values).size > 1;

/** How many requests too many remain after each request that is let through, if each request takes one. */
function surpluses(figures: readonly ResponseFigures[]): number[] {
  const limit = figures[0]?.limit ?? 0;
  return figures
    .filter((response) => !isRefused(response))
    .map(({ remaining }, index) => (remaining ?? Number.NaN) - (limit - index - 1));
}

/** How the figures of consecutive responses in one unused window contradict a requirement to anybody's eyes. */
const CONTRADICTS: Readonly<Record<string, Shows>> = {
  'rate-limit.constant': (figures) => isVarying(figures.map(({ limit }) => limit)),
  'rate-limit.reset': (figures) => isVarying(figures.map(({ reset }) => reset)),
  'rate-limit.count': (figures) => surpluses(figures).some((surplus) => surplus !== 0),
  'rate-limit.falls': (figures) =>
    figures.some(
      ({ remaining }, index) => index > 0 && !((remaining ?? 0) < (figures[index - 1]?.remaining ?? 0)),
    ),
  TooManyRequests: (figures) =>
    surpluses(figures).some((surplus) => surplus > 0) ||
    figures.some(({ status }) => status === undefined || status >= 500),
  'rate-limit.early': (figures) => {
    const refused = figures.findIndex(isRefused);
    return refused >= 0 && (refused < (figures[0]?.limit ?? 0) || figures[refused]?.remaining !== 0);
  },
};

/** Findings with the results of sending their requests again. */
export function withConfirmations(
  findings: Readonly<Record<string, Finding>>,
  { exchanges, unconfirmed = {} }: Pick<Execution, 'exchanges' | 'unconfirmed'>,
  checks: readonly Check[],
  surrounding: Surrounding,
): Record<string, Finding> {
  const sent = exchanges.filter(({ confirms }) => confirms !== undefined);
  const run = exchanges.filter(({ confirms }) => confirms === undefined);
  const confirmed = { ...findings };
  for (const check of checks) {
    const { requirement } = check;
    const finding = findings[requirement];
    if (!finding || !isProblem(finding)) continue;
    const because = unconfirmed[requirement];
    const again = sent.filter(({ confirms }) => confirms?.findings.includes(requirement));
    if (because) confirmed[requirement] = { ...finding, confirmation: { outcome: 'not-sent', because } };
    else if (again.length > 0) confirmed[requirement] = confirmedBy(again, run, finding, check, surrounding);
  }
  return confirmed;
}

/**
 * @param sent the exchanges of all attempts
 * @param run the exchanges of the run itself
 */
function confirmedBy(
  sent: readonly Exchange[],
  run: readonly Exchange[],
  finding: Finding,
  check: Check,
  surrounding: Surrounding,
): Finding {
  for (const exchanges of group(sent, ({ confirms }) => confirms?.attempt).values()) {
    if (!isShownAgain(check, finding, exchanges, run, surrounding)) continue;
    const [{ confirms }] = exchanges as [Exchange];
    const ids = exchanges.map(({ id }) => id);
    if (confirms?.form === 'after') {
      const repeats = exchanges.flatMap((exchange) => exchange.confirms?.repeats ?? []);
      return { ...finding, confirmation: { outcome: 'after', exchanges: ids, repeats } };
    }
    const confirmation: Confirmation = { outcome: 'again', exchanges: ids };
    if (confirms?.form !== 'varied') return { ...finding, confirmation };
    const variations = finding.variation ? undefined : exchanges.at(-1)?.variations;
    // The plain form was sent first, and conformed.
    const varied = variations ? onlyWith(finding, variations) : finding;
    return { ...varied, confirmation: { ...confirmation, isVaried: true } };
  }
  return { ...finding, confirmation: { outcome: 'not-again', exchanges: sent.map(({ id }) => id) } };
}
