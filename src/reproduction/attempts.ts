import type { AttemptForm, NotSent } from '../model/report/confirmation.ts';
import { type RepeatedRequest, type Reproduction, requestsIn } from '../model/report/reproduction.ts';
import { reproductionOf, type ShownFinding, shownBy } from './reproduction.ts';
import { type ReproductionSource, stepsOf } from './steps.ts';

/** Requests that may show a finding again, in order. */
export interface RequestsToTry {
  form: AttemptForm;
  requests: readonly RepeatedRequest[];
  /** The same requests over and over, each over a connection of its own. */
  isLoop?: true;
}

/** What shows a finding best. */
type Best = NonNullable<ReturnType<typeof shownBy>>;

/** How many requests before it may be what a finding takes. */
const BEFORE = [1, 3];

/**
 * What a run sends to see a finding again: its plain reproduction; if that shows nothing, with the request that came before
 * it, then with all that rode along on it, then with the last three requests. Or why it sends nothing.
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
  // What rode along on a request may be to blame, and not the others that went out with it.
  const varied = variedOf(shown, source);
  if (typeof reproduction === 'string') return reproduction === 'race' && varied ? [varied] : reproduction;
  if ('repeated' in reproduction) return loopOf(reproduction, most);
  const plain: RequestsToTry = { form: 'plain', requests: requestsIn(reproduction) };
  const [afterOne, ...afterMore] = BEFORE.map((count) => afterOf(plain, count, shown, source));
  const all = [plain, afterOne, varied, ...afterMore];
  return all.flatMap((each) => (each && each.requests.length <= most ? [each] : []));
}

/** The plain requests, with so many that came right before the last one in the run. */
function afterOf(
  { requests: plain }: RequestsToTry,
  count: number,
  { first, kept }: Best,
  source: ReproductionSource,
): RequestsToTry | undefined {
  const last = plain.at(-1) ?? first;
  const own = new Set(plain.map(({ id }) => id));
  const ids = Array.from({ length: count }, (_, index) => last.id - count + index);
  const wanted = [...own, ...ids.filter((id) => !own.has(id))].sort((one, other) => one - other);
  const known = wanted.flatMap((id) => source.requests.byId(id) ?? []);
  if (known.length < wanted.length || known.length === own.size) return undefined;
  return { form: 'after', requests: stepsOf(known, kept, source).requests };
}

/** A loop is sent as it is printed, if it leaves the limit alone. */
function loopOf(
  reproduction: Extract<Reproduction, { repeated: unknown }>,
  most: number,
): readonly RequestsToTry[] | NotSent {
  const { before, repeated, times, usesUpLimit } = reproduction;
  if (usesUpLimit || reproduction.shape === 'after-wait') return 'limit';
  if (before.length + times > most) return 'now-and-then';
  const again = Array.from({ length: times }, (_, index) => repeated[index % repeated.length]);
  return [{ form: 'plain', requests: [...before, ...again.flatMap((each) => each ?? [])], isLoop: true }];
}

/** The request with all that rode along on it, and the values of what it is for, if the reproduction leaves some of that out. */
function variedOf({ first, kept }: Best, source: ReproductionSource): RequestsToTry | undefined {
  const { variations = [] } = first;
  const { requests } = stepsOf([first], { ids: variations, values: true }, source);
  const isLeftOut = variations.some((id) => !kept.ids.includes(id)) || (!kept.values && requests.length > 1);
  return isLeftOut ? { form: 'varied', requests } : undefined;
}
