import { max } from 'd3-array';
import type { Finding, Repetition } from '../model/finding.ts';
import { isLate, usesUpLimit } from '../model/probe.ts';
import type { Reproduction, SentRequest, Unrepeatable } from '../model/report/reproduction.ts';
import { isRace, stepBefore } from './history.ts';
import type { Kept } from './plain.ts';
import { lastingValues, type ReproductionSource, stepsOf } from './steps.ts';

/** A finding, as far as it says how it is seen again. */
export type ShownFinding = Pick<Finding, 'evidence' | 'kind' | 'repetition' | 'variation' | 'confirmation'>;

/** Nothing is left of what rode along. */
const PLAIN: Kept = { ids: [], values: false };

/** The largest limit that is believed if only the service states it. */
const LARGEST = 10_000;

/** How a violation is seen again, by the fewest requests that are known to show it; undefined if none is known. */
export function reproductionOf(
  finding: ShownFinding,
  source: ReproductionSource,
): Reproduction | Unrepeatable | undefined {
  const { kind, repetition } = finding;
  const shown = shownBy(finding, source);
  if (!shown) return undefined;
  const { all, first, kept } = shown;
  const confirmed = repeatsOf(finding, first, source);
  if (confirmed) return inTurn(confirmed, kept, source);
  if (repetition?.kind !== 'in-turn-and-again' && isRace(all, source)) return 'race';
  const limiter = repetition || showsAlone(first, kind) ? undefined : atLimit(first, all, source);
  if (limiter) return limiter;
  const isIntermittent = repetition?.kind === 'again' && repetition.shows === 'answers';
  const before = !repetition || isIntermittent ? stepBefore(first, all, source) : undefined;
  const again = repetition && !before ? repeat(repetition, first, kept, source) : undefined;
  return again ?? inTurn(before ? [before, first] : [first], kept, source);
}

/** The exchange that shows a finding best, and what is left of what rode along on it. Undefined if none has an address. */
export function shownBy(finding: ShownFinding, source: ReproductionSource) {
  const all = finding.evidence.flatMap((id) => source.requests.byId(id) ?? []);
  const plain = finding.variation ? undefined : all.find(({ variations }) => variations === undefined);
  const first = plain ?? all[0];
  if (!first || !/^https?:\/\//i.test(first.url)) return undefined;
  return { all, first, kept: keptFor(finding, first, source) };
}

/** What the run saw to be needed, where it sent the reproduction again. */
function repeatsOf(
  { confirmation }: ShownFinding,
  first: SentRequest,
  { requests }: ReproductionSource,
): SentRequest[] | undefined {
  if (confirmation?.outcome === 'again' && confirmation.isVaried) return [first];
  if (confirmation?.outcome !== 'after') return undefined;
  const { repeats = [] } = confirmation;
  const all = repeats.flatMap((id) => requests.byId(id) ?? []);
  return all.length > 0 && all.length === repeats.length ? all : undefined;
}

/**
 * What is left of what rode along: what is to blame. Where nothing says that, values may be, unless the plain request is known
 * to be as wrong, or as right.
 */
function keptFor(
  { kind, variation, confirmation }: ShownFinding,
  first: SentRequest,
  { requests }: ReproductionSource,
): Kept {
  if (confirmation && 'isVaried' in confirmation) return { ids: first.variations ?? [], values: true };
  if (variation) return { ids: variation, values: false };
  if (kind === 'meaning' || kind === 'sequence') return { ids: [], values: true };
  const isPlainKnown = requests
    .all()
    .some(({ probe, variations }) => probe === first.probe && variations === undefined);
  return { ids: isPlainKnown ? [] : (first.variations ?? []), values: false };
}

/** Whether one answer shows it: that to a request which differs from the others that use up the limit. */
function showsAlone({ variations, status }: SentRequest, kind: Finding['kind']): boolean {
  return variations !== undefined && status !== 429 && kind !== 'sequence';
}

function inTurn(
  wanted: readonly SentRequest[],
  kept: Kept,
  source: ReproductionSource,
): Reproduction | Unrepeatable {
  if (wanted.some((each) => namesRemoved(each, source))) return 'removed';
  const { requests, own } = stepsOf(wanted, kept, source);
  const [request] = requests;
  return request && requests.length === 1
    ? { shape: 'one', request, own }
    : { shape: 'in-turn', requests, own };
}

function repeat(
  repetition: Repetition,
  first: SentRequest,
  kept: Kept,
  source: ReproductionSource,
): Reproduction | Unrepeatable | undefined {
  const { requests } = source;
  switch (repetition.kind) {
    case 'after-refusal':
      return afterWait(first, source);
    case 'together':
      return 'race';
    case 'again': {
      const request = requests.byId(repetition.exchange);
      const often = { times: repetition.times, usesUpLimit: false };
      return request && loop([], [request], { ...often, shows: repetition.shows }, kept, source);
    }
    default: {
      const wanted = repetition.exchanges.flatMap((id) => requests.byId(id) ?? []);
      if (wanted.length < repetition.exchanges.length) return undefined;
      if (repetition.kind === 'in-turn-and-again')
        return inTurnAndAgain(wanted, repetition.times, kept, source);
      return inTurn(
        [...wanted].sort((one, other) => one.id - other.id),
        kept,
        source,
      );
    }
  }
}

type UntilRefused = Extract<Reproduction, { shape: 'until-refused' }>;

/** Sends requests in order, and one until the limit refuses it. */
function loop(
  before: readonly SentRequest[],
  repeated: readonly SentRequest[],
  often: Pick<UntilRefused, 'times' | 'shows' | 'usesUpLimit'>,
  kept: Kept,
  source: ReproductionSource,
): Reproduction | Unrepeatable {
  if (often.times <= repeated.length) return inTurn([...before, ...repeated], kept, source);
  const { requests, own } = stepsOf([...before, ...repeated], kept, source);
  const place = requests.length - repeated.length;
  return {
    shape: 'until-refused',
    before: requests.slice(0, place),
    repeated: requests.slice(place),
    ...often,
    own,
  };
}

/** What only shows at the limit: the refusal, what comes instead, or what comes after it. */
function atLimit(
  first: SentRequest,
  cited: readonly SentRequest[],
  source: ReproductionSource,
): Reproduction | Unrepeatable | undefined {
  if (first.stage === 'recover') return afterWait(first, source);
  const isRefused = first.status === 429 && first.key === 'valid';
  const isLast = usesUpLimit(first.stage) && remainingOf(first, source) === 0;
  if (!isRefused && !isLast && first.stage !== 'exhaust') return undefined;
  const request = harmless(first, source);
  const ordinal = max(cited, (each) => each.ordinal) ?? 0;
  // If a request was refused, the key may have been partly used before the run.
  const times = Math.max(isRefused ? 2 * ordinal : ordinal, limitOf(first, source) + 2);
  const other = isRefused ? undefined : otherRead(request, source);
  const often = { times, shows: 'limits', usesUpLimit: true } as const;
  return loop([], other ? [request, other] : [request], often, PLAIN, source);
}

/** What was left after a request; where its response does not say it, by the one before it. */
function remainingOf({ id, remaining }: SentRequest, { requests }: ReproductionSource): number | undefined {
  const before = requests.byId(id - 1)?.remaining;
  return remaining ?? (before === undefined ? undefined : before - 1);
}

function afterWait(first: SentRequest, source: ReproductionSource): Reproduction {
  const refusal = source.requests.all().find(({ status, key }) => status === 429 && key === 'valid');
  const { requests, own } = stepsOf([harmless(first, source)], PLAIN, source);
  return {
    shape: 'after-wait',
    before: requests.slice(0, -1),
    repeated: requests.slice(-1),
    times: Math.max(2 * first.ordinal, limitOf(first, source) + 2),
    usesUpLimit: true,
    isDate: /[a-z]/i.test(refusal?.retryAfter ?? ''),
    own,
  };
}

/**
 * One request until this many with the key went to its address, after those that the limit may not count and that came right
 * before it. If it changes something, it is sent once, and then one like it. What shows near the limit may need the whole
 * limit.
 */
function inTurnAndAgain(
  wanted: readonly SentRequest[],
  times: number,
  kept: Kept,
  source: ReproductionSource,
): Reproduction | Unrepeatable | undefined {
  const last = wanted.at(-1);
  if (!last) return undefined;
  const isCounted = ({ key, address }: SentRequest) => key === 'valid' && address === last.address;
  const counted = source.requests.all().filter((each) => each.id < last.id && isCounted(each));
  const since = max(counted, ({ id }) => id) ?? 0;
  const isRefused = last.status === 429;
  const again = harmless(last, source);
  const isLike = ({ operation, method, variation, variations }: SentRequest) =>
    operation === last.operation && method === 'GET' && variation === undefined && variations === undefined;
  // How another form of a request is counted shows beside a plain one.
  const plain = isOtherForm(last, source) ? counted.findLast(isLike) : undefined;
  const before = [
    ...(plain ? [plain] : []),
    ...wanted.filter((each) => each.id > since && each !== last && !isCounted(each)),
    ...(isRefused || again === last ? [] : [last]),
  ];
  const limit = limitOf(last, source);
  const most = Math.max(times, isRefused || last.stage === 'exhaust' ? limit + 2 : 0);
  const often = {
    times: Math.max(1, most - before.filter(isCounted).length),
    shows: 'limits',
    usesUpLimit: most >= limit,
  } as const;
  return loop(before, [again], often, kept, source);
}

/** Whether a request is one in a form that a limiter may count apart from the plain one. */
function isOtherForm(
  { probe, variation, variations = [] }: SentRequest,
  { probes }: ReproductionSource,
): boolean {
  const { form, variations: ridden = [] } = probes.get(probe) ?? {};
  const isLenient = ridden.some(
    ({ id, kind }) => (kind === 'lenient' || kind === 'undocumented') && variations.includes(id),
  );
  return variation !== undefined || form !== undefined || isLenient;
}

/** The limit of a minute, as the plan of the run or else a response states it. */
function limitOf({ limit = 0 }: SentRequest, { contract, plan }: ReproductionSource): number {
  return contract.ratePlans[plan ?? '']?.minute ?? Math.min(limit, LARGEST);
}

/** A similar request that changes nothing: a read, or one of the same operation that was refused as invalid. */
function harmless(request: SentRequest, { requests }: ReproductionSource): SentRequest {
  if (request.method === 'GET') return request;
  const refused = requests
    .all()
    .find(
      ({ operation, status = 0, key }) =>
        operation === request.operation && key === 'valid' && status >= 400 && status < 500 && status !== 429,
    );
  return refused ?? request;
}

/** A read of the same operation that only differs in its query: a service may count each query by itself. */
function otherRead(
  { operation, method, url }: SentRequest,
  { requests }: ReproductionSource,
): SentRequest | undefined {
  const pathOf = (address: string) => address.split('?')[0];
  return requests
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

/** Whether a request is for what has been removed since, and nothing shows how to create it again. */
function namesRemoved(request: SentRequest, source: ReproductionSource): boolean {
  const lasting = lastingValues(request, source);
  if (lasting.size === 0) return false;
  const path = source.probes.get(request.probe)?.path ?? {};
  const isOwn = Object.entries(path).some(
    ([name, each]) => lasting.has(name) && isLate(each) && each.late === 'response' && each.isOwn === true,
  );
  const { pathname } = new URL(request.url);
  const isOver = ({ id, method, url, status = 0 }: SentRequest) =>
    method === 'DELETE' &&
    id >= request.id &&
    status < 300 &&
    `${pathname}/`.startsWith(`${new URL(url).pathname}/`);
  return isOwn || source.requests.all().some(isOver);
}
