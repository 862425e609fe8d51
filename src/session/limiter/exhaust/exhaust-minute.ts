import { type Exchange, isSuccess } from '../../../model/exchange.ts';
import { windowOf } from '../../../model/limits/rate-plan.ts';
import type { Probe } from '../../../model/probe.ts';
import type { Parts } from '../../parts/parts.ts';
import { MOST_TOGETHER, mostTogether, restOf } from '../room/burst-size.ts';
import {
  chooseLimited,
  countsDown,
  fallsOn,
  lastOf,
  MOST_SENT,
  minuteLimit,
  OLD,
  refusalIn,
} from '../room/limited-operation.ts';
import { waitForWholeLimit } from '../room/window-room.ts';
import {
  afterOther,
  afterRead,
  BEGINNING,
  type ExhaustionCourse,
  type ExhaustionEnd,
  endOf,
  isNear,
  nextStep,
  type ReadForm,
  type Situation,
} from './exhaustion-steps.ts';
import { Surplus } from './surplus.ts';
import { WindowUse } from './window-use.ts';

/** Responses that take longer (ms) leave no time for requests of other kinds. */
const QUICK_MS = 1_000;

/**
 * Sends until the limiter refuses a request, or until enough requests show that it does not. If the headers count down, they say
 * when the limit is reached: the next request has to be refused. Otherwise (they describe the day, or are wrong) our own count
 * says so, which takes up to twice as many requests if a new window begins meanwhile.
 *
 * @param candidates the same read of several operations: the first that the limit covers is used
 * @returns the probe that used up the limit; undefined if the limit cannot be used up
 */
export async function exhaustMinute(candidates: readonly Probe[], parts: Parts): Promise<Probe | undefined> {
  const { learnt, clock, unsent } = parts;
  const refusal = refusalIn(learnt.exchanges);
  if (refusal) return candidates.find(({ operation }) => operation === refusal.operation) ?? candidates[0];
  const limited = await chooseLimited(candidates, parts, 'minute', minuteLimit(learnt));
  if (!limited) return undefined;
  const { probe, limit } = limited;
  const startedAt = clock.now();
  if (lastOf(learnt.exchanges, probe.operation)?.response?.status === 429) return probe;
  await waitForWholeLimit(parts, probe.operation, limit);
  switch (await useUp(probe, limit, parts, startedAt)) {
    case 'uncounted':
      return exhaustAnother(probe, candidates, parts);
    case 'budget-used-up':
      unsent.skipAll(candidates, MOST_SENT);
      return probe;
    case 'too-slow':
      return unsent.skipAll(candidates, {
        kind: 'not-exhaustible',
        reason: `petspec cannot send ${limit} requests a minute: the responses take too long${atMost(parts.options)}`,
      });
    case 'done': {
      const otherReads = failsBelowLimit(probe, parts) ? othersOf(probe, candidates, parts) : [];
      return otherReads.length > 0 ? exhaustMinute(otherReads, parts) : probe;
    }
  }
}

/** Whether the last read failed although the limit had room, so that the limiter did not refuse it. */
function failsBelowLimit({ operation }: Probe, { learnt, end }: Parts): boolean {
  const last = lastOf(learnt.exchanges, operation);
  // A 429 comes from the limiter, even if the headers describe another window that has room.
  const isFailure = last !== undefined && !isSuccess(last) && last.response?.status !== 429;
  return !end.isReached && isFailure && (last.rate.remaining ?? 0) > 0;
}

/**
 * Uses up the limit of a minute by repeating one read, and with requests that show more where possible.
 * @param startedAt ms since the epoch
 */
async function useUp(probe: Probe, limit: number, parts: Parts, startedAt: number): Promise<ExhaustionEnd> {
  const { learnt, clock, end, budget, transports } = parts;
  const { exchanges } = learnt;
  const last = lastOf(exchanges, probe.operation);
  const use = new WindowUse(limit, startedAt);
  const begun = {
    probe,
    limit,
    use,
    countsDown: countsDown(exchanges, probe.operation),
    isQuick: isQuick(last),
  };
  const surplus = quickSurplus(probe, parts);
  let course = BEGINNING;
  let isRenewed = false;
  for (;;) {
    const situation = situationOf({ ...begun, course }, parts);
    const now = clock.now();
    const ended = end.isReached ? 'done' : endOf(situation, now, now - startedAt, budget.left('withKey'));
    if (ended) return ended;
    // Remaining must not be an old one.
    const ms = situation.isCountedDown ? use.msUntilNew(now) : 0;
    if (ms > 0) await end.waitFor(ms, OLD);
    // New connections, because the limit has to apply to the key and not to a connection.
    else if (!isRenewed && isNear(situation)) {
      isRenewed = true;
      await transports.usual.renew();
    }
    const current = ms > 0 ? situationOf({ ...begun, course }, parts) : situation;
    course = await sendStep(current, surplus, last?.response?.status, parts);
  }
}

/**
 * Sends the next step.
 * @param usualStatus of the response to the plain read
 * @returns the course after it
 */
async function sendStep(
  situation: Situation,
  surplus: Surplus,
  usualStatus: number | undefined,
  { sender, end, learnt }: Parts,
): Promise<ExhaustionCourse> {
  const { probe, limit, use } = situation;
  let { course } = situation;
  const tell = (remaining: number | undefined) =>
    end.tell({ kind: 'exhausting', limit, window: 'minute', remaining });
  const note = (exchange: Exchange | undefined, form: ReadForm) => {
    const after = afterRead(course, exchange, form, usualStatus);
    course = after.course;
    tell(exchange?.rate.remaining);
    if (exchange && after.isThrough) use.add(exchange, form.beside);
  };
  const step = nextStep(situation);
  if (step.kind === 'together') {
    const send = () => sender.send(probe, undefined, { variations: [], attempt: 0, burst: 'fill' });
    for (const exchange of await Promise.all(Array.from({ length: step.size }, send)))
      note(exchange, { beside: step.size - 1 });
    surplus.skipped();
    return course;
  }
  const replacement =
    step.kind === 'read' && step.mayBeOther
      ? // Without a Remaining that describes the minute, nothing shows which other requests count.
        surplus.next(!situation.isCountedDown, learnt.creations.left > 0)
      : undefined;
  if (replacement) {
    const { variations = [] } = replacement;
    const exchange = await sender.send(replacement, undefined, { variations, attempt: 0, isSpare: true });
    const isUsed = surplus.received(replacement, exchange, true);
    course = afterOther(course, exchange);
    if (exchange) tell(exchange.rate.remaining);
    if (exchange?.response && isUsed && !course.isRefused) use.add(exchange, 0);
    return course;
  }
  const form: ReadForm =
    step.kind === 'varied' ? { variation: step.variation, beside: 0 } : { round: step.round, beside: 0 };
  const exchange = await sender.send(probe, form.variation, { variations: form.round ?? [], attempt: 0 });
  surplus.received(probe, exchange, form.variation === undefined);
  note(exchange, form);
  return course;
}

/** The current facts that the next step depends on. */
function situationOf(
  begun: Pick<Situation, 'probe' | 'limit' | 'use' | 'countsDown' | 'isQuick' | 'course'>,
  parts: Parts,
): Situation {
  const { learnt, clock, pace } = parts;
  const { probe, limit, countsDown: falls } = begun;
  const last = lastOf(learnt.exchanges, probe.operation);
  const left = pace.remaining({ operation: probe.operation, address: 'baseUrl' }, clock.now());
  return {
    ...begun,
    left,
    isCountedDown: falls && last !== undefined && windowOf(last, learnt.limits) === 'minute',
    rest:
      left === undefined
        ? undefined
        : restOf(learnt.exchanges, probe.operation, { left, limit }, clock.now()),
    mostTogether: mostTogether(parts),
  };
}

/** The probes that may replace repetitions of the read: only quick ones, as slow responses would outlast the window. */
function quickSurplus({ operation }: Probe, { learnt, options, shrinking }: Parts): Surplus {
  const { surplus = [], generate = () => undefined } = options;
  const quick = new Set(
    surplus.map((probe) => probe.operation).filter((id) => isQuick(lastOf(learnt.exchanges, id))),
  );
  return new Surplus(
    operation,
    surplus.filter((probe) => quick.has(probe.operation)),
    (path) => {
      const drawn = generate(path);
      return drawn && quick.has(drawn.operation) ? drawn : undefined;
    },
    shrinking,
  );
}

function isQuick(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && exchange.receivedAt - exchange.sentAt <= QUICK_MS;
}

/**
 * Uses up the limit with another read. A limit may not count what a cache responds to: then repeating one request uses up
 * nothing, although Remaining falls with other requests.
 */
function exhaustAnother(
  uncounted: Probe,
  candidates: readonly Probe[],
  parts: Parts,
): Promise<Probe | undefined> | undefined {
  const otherReads = othersOf(uncounted, candidates, parts);
  if (otherReads.length > 0) return exhaustMinute(otherReads, parts);
  return parts.unsent.skipAll(candidates, {
    kind: 'not-exhaustible',
    reason:
      'Remaining does not change when the same request is repeated: the limit does not count repetitions',
  });
}

/** The other reads on which Remaining falls. */
function othersOf(probe: Probe, candidates: readonly Probe[], { learnt }: Parts): Probe[] {
  return candidates.filter((read) => read !== probe && fallsOn(learnt.exchanges, read.operation));
}

/** Words for the user's --concurrency, if it is the reason why the limit is not reached. */
function atMost({ concurrency }: Parts['options']): string {
  if (concurrency >= MOST_TOGETHER) return '';
  return concurrency === 1
    ? ' one at a time (--concurrency allows more at once)'
    : `, ${concurrency} at a time (--concurrency allows more at once)`;
}
