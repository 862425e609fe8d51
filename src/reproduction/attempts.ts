import type { AttemptForm, NotSent } from '../model/report/confirmation.ts';
import { type RepeatedRequest, type Reproduction, requestsIn } from '../model/report/reproduction.ts';
import { reproductionOf, type ShownFinding, shownBy } from './reproduction.ts';
import { type ReproductionSource, stepsOf } from './steps.ts';

/** Requests, in order, that may show a finding again. */
export interface RequestsToTry {
  form: AttemptForm;
  requests: readonly RepeatedRequest[];
  /** Whether the requests are sent again and again, each over its own connection. */
  isLoop?: true;
}

type Shown = NonNullable<ReturnType<typeof shownBy>>;

/** The attempts with the requests that came before: how many of them each sends. */
const BEFORE = [1, 3];

/**
 * What a run sends to see a finding again: its plain reproduction; if that shows nothing, with the request before it, then
 * the request with all its variations, then with the three requests before it. Or why the run sends nothing.
 * @param most requests in one attempt
 */
export function attemptsOf(
  finding: ShownFinding,
  source: ReproductionSource,
  most: number,
): readonly RequestsToTry[] | NotSent {
  const reproduction = reproductionOf(finding, source);
  const shown = reproduction && shownBy(finding, source);
  if (!shown) return 'no-room';
  // The cause may be a variation of the request instead of the requests that were sent together with it.
  const varied = variedOf(shown, source);
  if (typeof reproduction === 'string') return reproduction === 'race' && varied ? [varied] : reproduction;
  if ('repeated' in reproduction) return loopOf(reproduction, most);
  const plain: RequestsToTry = { form: 'plain', requests: requestsIn(reproduction) };
  const [afterOne, ...afterMore] = BEFORE.map((count) => afterOf(plain, count, shown, source));
  const attempts = [plain, afterOne, varied, ...afterMore];
  return attempts.flatMap((attempt) => (attempt && attempt.requests.length <= most ? [attempt] : []));
}

/** The plain requests, with the `count` requests that the run sent right before the last of them. */
function afterOf(
  { requests: plain }: RequestsToTry,
  count: number,
  { first, kept }: Shown,
  source: ReproductionSource,
): RequestsToTry | undefined {
  const last = plain.at(-1) ?? first;
  const plainIds = new Set(plain.map(({ id }) => id));
  const ids = Array.from({ length: count }, (_, index) => last.id - count + index);
  const wantedIds = [...plainIds, ...ids.filter((id) => !plainIds.has(id))].sort(
    (left, right) => left - right,
  );
  const wantedRequests = wantedIds.flatMap((id) => source.requests.byId(id) ?? []);
  if (wantedRequests.length < wantedIds.length || wantedRequests.length === plainIds.size) return undefined;
  return { form: 'after', requests: stepsOf(wantedRequests, kept, source).requests };
}

/** A loop is sent as it is printed, unless it would use up the limit. */
function loopOf(
  reproduction: Extract<Reproduction, { repeated: unknown }>,
  most: number,
): readonly RequestsToTry[] | NotSent {
  const { before, repeated, times, usesUpLimit } = reproduction;
  if (usesUpLimit || reproduction.shape === 'after-wait') return 'limit';
  if (before.length + times > most) return 'now-and-then';
  const loopRequests = Array.from({ length: times }, (_, index) => repeated[index % repeated.length]);
  return [
    {
      form: 'plain',
      requests: [...before, ...loopRequests.flatMap((request) => request ?? [])],
      isLoop: true,
    },
  ];
}

/** The request with all its variations and values, if the reproduction leaves some of them out. */
function variedOf({ first, kept }: Shown, source: ReproductionSource): RequestsToTry | undefined {
  const { variations = [] } = first;
  const { requests } = stepsOf([first], { ids: variations, values: true }, source);
  const isLeftOut = variations.some((id) => !kept.ids.includes(id)) || (!kept.values && requests.length > 1);
  return isLeftOut ? { form: 'varied', requests } : undefined;
}
