import { max } from 'd3-array';
import type { Finding, Repetition } from '../model/finding.ts';
import { isLate, usesUpLimit } from '../model/probe.ts';
import type { Reproduction, SentRequest, Unrepeatable } from '../model/report/reproduction.ts';
import type { Kept } from './plain.ts';
import { isRace, stepBefore } from './requests.ts';
import { lastingValues, type ReproductionSource, stepsOf } from './steps.ts';

/** The fields of a finding that say how to see it again. */
export type ShownFinding = Pick<Finding, 'evidence' | 'kind' | 'repetition' | 'variation' | 'confirmation'>;

/** Without variations. */
const PLAIN: Kept = { ids: [], values: false };

/** The largest limit that is believed if only a response states it. */
const LARGEST = 10_000;

/** The fewest requests that are known to show a violation; a reason if no script can send them; undefined if none are known. */
export function reproductionOf(
  finding: ShownFinding,
  source: ReproductionSource,
): Reproduction | Unrepeatable | undefined {
  const { kind, repetition } = finding;
  const shown = shownBy(finding, source);
  if (!shown) return undefined;
  const { cited, first, kept } = shown;
  const confirmed = repeatsOf(finding, first, source);
  if (confirmed) return inTurn(confirmed, kept, source);
  if (repetition?.kind !== 'in-turn-and-again' && isRace(cited, source)) return 'race';
  const nearLimit = repetition || showsAlone(first, kind) ? undefined : atLimit(first, cited, source);
  if (nearLimit) return nearLimit;
  const isIntermittent = repetition?.kind === 'again' && repetition.shows === 'answers';
  const before = !repetition || isIntermittent ? stepBefore(first, cited, source) : undefined;
  const repeatedly = repetition && !before ? repeat(repetition, first, kept, source) : undefined;
  return repeatedly ?? inTurn(before ? [before, first] : [first], kept, source);
}

/** The request that shows a finding best, and the variations that its reproduction keeps. Undefined without an address. */
export function shownBy(finding: ShownFinding, source: ReproductionSource) {
  const cited = finding.evidence.flatMap((id) => source.requests.byId(id) ?? []);
  const plain = finding.variation ? undefined : cited.find(({ variations }) => variations === undefined);
  const first = plain ?? cited[0];
  if (!first || !/^https?:\/\//i.test(first.url)) return undefined;
  return { cited, first, kept: keptFor(finding, first, source) };
}

/** The requests that showed the finding again when the run confirmed it. */
function repeatsOf(
  { confirmation }: ShownFinding,
  first: SentRequest,
  { requests }: ReproductionSource,
): SentRequest[] | undefined {
  if (confirmation?.outcome === 'again' && confirmation.isVaried) return [first];
  if (confirmation?.outcome !== 'after') return undefined;
  const { repeats = [] } = confirmation;
  const repeated = repeats.flatMap((id) => requests.byId(id) ?? []);
  return repeated.length > 0 && repeated.length === repeats.length ? repeated : undefined;
}

/**
 * The variations that may be the cause. If the finding does not name them, all may be, unless the run also sent the request
 * without variations.
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

/** Whether a single response shows the finding: a varied request differs from the many that use up the limit. */
function showsAlone({ variations, status }: SentRequest, kind: Finding['kind']): boolean {
  return variations !== undefined && status !== 429 && kind !== 'sequence';
}

function inTurn(
  wanted: readonly SentRequest[],
  kept: Kept,
  source: ReproductionSource,
): Reproduction | Unrepeatable {
  if (wanted.some((request) => namesRemoved(request, source))) return 'removed';
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
      const { times, shows } = repetition;
      return request && loop([], [request], { times, shows, usesUpLimit: false }, kept, source);
    }
    default: {
      const wanted = repetition.exchanges.flatMap((id) => requests.byId(id) ?? []);
      if (wanted.length < repetition.exchanges.length) return undefined;
      if (repetition.kind === 'in-turn-and-again')
        return inTurnAndAgain(wanted, repetition.times, kept, source);
      return inTurn(
        [...wanted].sort((left, right) => left.id - right.id),
        kept,
        source,
      );
    }
  }
}

type UntilRefused = Extract<Reproduction, { shape: 'until-refused' }>;

/** Sends some requests in order, then others again and again until the limit refuses one. */
function loop(
  before: readonly SentRequest[],
  repeated: readonly SentRequest[],
  loopSettings: Pick<UntilRefused, 'times' | 'shows' | 'usesUpLimit'>,
  kept: Kept,
  source: ReproductionSource,
): Reproduction | Unrepeatable {
  if (loopSettings.times <= repeated.length) return inTurn([...before, ...repeated], kept, source);
  const { requests, own } = stepsOf([...before, ...repeated], kept, source);
  const place = requests.length - repeated.length;
  return {
    shape: 'until-refused',
    before: requests.slice(0, place),
    repeated: requests.slice(place),
    ...loopSettings,
    own,
  };
}

/** For a finding that only shows at the limit: the refusal, the response in its place, or the one after it. */
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
  const ordinal = max(cited, (request) => request.ordinal) ?? 0;
  // A refusal may have come early because the key was used before the run.
  const times = Math.max(isRefused ? 2 * ordinal : ordinal, limitOf(first, source) + 2);
  const secondRead = isRefused ? undefined : otherRead(request, source);
  const loopSettings = { times, shows: 'limits', usesUpLimit: true } as const;
  return loop([], secondRead ? [request, secondRead] : [request], loopSettings, PLAIN, source);
}

/** Remaining after a request. If its response does not state it, one less than in the response before. */
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
 * Sends the requests that came right before the last one and that the limit may not count, then the last one until `times`
 * requests with the key went to its address. If the last one changes something, it is sent once, and then a harmless one. What
 * shows near the limit may need the whole limit.
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
  const counted = source.requests.all().filter((request) => request.id < last.id && isCounted(request));
  const since = max(counted, ({ id }) => id) ?? 0;
  const isRefused = last.status === 429;
  const repeatedRequest = harmless(last, source);
  const isLike = ({ operation, method, variation, variations }: SentRequest) =>
    operation === last.operation && method === 'GET' && variation === undefined && variations === undefined;
  // How the limiter counts another form of a request shows only next to a plain one.
  const plain = isOtherForm(last, source) ? counted.findLast(isLike) : undefined;
  const before = [
    ...(plain ? [plain] : []),
    ...wanted.filter((request) => request.id > since && request !== last && !isCounted(request)),
    ...(isRefused || repeatedRequest === last ? [] : [last]),
  ];
  const limit = limitOf(last, source);
  const most = Math.max(times, isRefused || last.stage === 'exhaust' ? limit + 2 : 0);
  const loopSettings = {
    times: Math.max(1, most - before.filter(isCounted).length),
    shows: 'limits',
    usesUpLimit: most >= limit,
  } as const;
  return loop(before, [repeatedRequest], loopSettings, kept, source);
}

/** Whether a request has a form that a limiter may count differently from the plain one. */
function isOtherForm(
  { probe, variation, variations = [] }: SentRequest,
  { probes }: ReproductionSource,
): boolean {
  const { form, variations: probeVariations = [] } = probes.get(probe) ?? {};
  const isLenient = probeVariations.some(
    ({ id, kind }) => (kind === 'lenient' || kind === 'undocumented') && variations.includes(id),
  );
  return variation !== undefined || form !== undefined || isLenient;
}

/** Requests per minute, by the rate plan of the run, else by the response. */
function limitOf({ limit = 0 }: SentRequest, { contract, plan }: ReproductionSource): number {
  return contract.ratePlans[plan ?? '']?.minute ?? Math.min(limit, LARGEST);
}

/** A similar request that changes nothing: a read, or an invalid request of the same operation. */
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

/** A read of the same operation with another query: a service may count each query separately. */
function otherRead(
  { operation, method, url }: SentRequest,
  { requests }: ReproductionSource,
): SentRequest | undefined {
  const pathOf = (address: string) => address.split('?')[0];
  return requests
    .all()
    .find(
      (read) =>
        read.stage === 'first' &&
        read.operation === operation &&
        method === 'GET' &&
        read.url !== url &&
        pathOf(read.url) === pathOf(url),
    );
}

/** Whether a request names a record that was removed since and that cannot be created again. */
function namesRemoved(request: SentRequest, source: ReproductionSource): boolean {
  const lasting = lastingValues(request, source);
  if (lasting.size === 0) return false;
  const path = source.probes.get(request.probe)?.path ?? {};
  const isOwn = Object.entries(path).some(
    ([name, value]) =>
      lasting.has(name) && isLate(value) && value.late === 'response' && value.isOwn === true,
  );
  const { pathname } = new URL(request.url);
  const isRemoval = ({ id, method, url, status = 0 }: SentRequest) =>
    method === 'DELETE' &&
    id >= request.id &&
    status < 300 &&
    `${pathname}/`.startsWith(`${new URL(url).pathname}/`);
  return isOwn || source.requests.all().some(isRemoval);
}
