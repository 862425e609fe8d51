import type { Operation } from '../contract/types.ts';
import type { Probe } from '../probes/types.ts';
import type { Exchange } from '../session/exchange.ts';
import { judgeBody, quote } from './body.ts';
import type { Deviation } from './finding.ts';
import { headersFor, judgeHeader } from './headers.ts';
import type { Circumstances, Judged } from './judged.ts';
import { documentedStatus, isAcceptable, statusDeviation, statusRequirement } from './status.ts';

const HTTP = 'service.http';

/** The removal counts from a day before its date on, so that no time zone is judged too early. */
const DAY_MS = 86_400_000;

/** Failures that are not the service's: there is none, or the user stopped the run. */
const NOT_ANSWERED = new Set(['refused', 'unreachable', 'tls', 'interrupted']);

/**
 * Judges every exchange by what holds for every response. The first thing wrong with an exchange owns it: transport,
 * status, content type, JSON, shape; headers are judged where transport and status are right.
 */
export function judgeExchanges(exchanges: readonly Exchange[], circumstances: Circumstances): Judged[] {
  const operations = new Map(circumstances.contract.operations.map((each) => [each.id, each]));
  const probes = new Map(circumstances.probes.map((each) => [each.id, each]));
  const byProbe = new Map<string, Judged>();
  // A control may have been sent later than what it controls, so those without one are judged first.
  const judged = new Map<number, Judged>();
  const overLimit = exchangeOverLimit(exchanges, circumstances);
  const pending = exchanges.flatMap((exchange) => {
    const probe = probes.get(exchange.probe);
    const operation = operations.get(exchange.operation);
    return probe && operation ? [{ exchange, probe, operation }] : [];
  });
  for (const withControl of [false, true]) {
    for (const { exchange, probe, operation } of pending) {
      if ((probe.control !== undefined) !== withControl) continue;
      const control = probe.control === undefined ? undefined : byProbe.get(probe.control);
      const own = judgeExchange(exchange, probe, operation, control, circumstances);
      const result = exchange.id === overLimit ? owedRefusal(own) : own;
      judged.set(exchange.id, result);
      if (!(byProbe.get(probe.id)?.answered ?? false)) byProbe.set(probe.id, result);
    }
  }
  return [...judged.values()].sort((left, right) => left.exchange.id - right.exchange.id);
}

/** Remaining at which the next request is over the limit, give or take what rounding explains. */
const USED_UP = 2;

/** The request of the exhaustion that was over the limit, if it was answered otherwise than 200 or 429. */
function exchangeOverLimit(exchanges: readonly Exchange[], { limits }: Circumstances): number | undefined {
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.stage !== 'recover');
  const last = withKey.filter((each) => each.stage === 'exhaust').at(-1);
  if (!last || last.response?.status === 200 || last.response?.status === 429) return undefined;
  const before = withKey[withKey.indexOf(last) - 1];
  const isUsedUp = before?.rate.remaining !== undefined && before.rate.remaining <= USED_UP;
  const isCounted = limits?.minute !== undefined && withKey.length > limits.minute;
  return isUsedUp || isCounted ? last.id : undefined;
}

/** What went wrong with a request over the limit is that it was not answered 429. */
function owedRefusal(judged: Judged): Judged {
  const limited = judged.operation.responses.find(({ status }) => status === '429');
  const [first] = judged.deviations;
  if (!limited || !first) return judged;
  const { response, failure } = judged.exchange;
  const received = response ? `status ${response.status}` : quote(failure?.message ?? 'no answer');
  const reason = 'a request over the limit is not answered 429';
  return {
    ...judged,
    deviations: [{ requirement: limited.requirement, reason, expected: 'status 429', received }],
  };
}

function judgeExchange(
  exchange: Exchange,
  probe: Probe,
  operation: Operation,
  control: Judged | undefined,
  circumstances: Circumstances,
): Judged {
  const base = {
    exchange,
    probe,
    operation,
    met: [],
    deviations: [],
    answered: false,
    sound: false,
    removed: false,
  };
  const { response, failure } = exchange;
  if (!response) {
    if (!failure || NOT_ANSWERED.has(failure.kind))
      return { ...base, inconclusive: { reason: failure?.message ?? 'no answer' } };
    return { ...base, deviations: [transportDeviation(failure.message, failure.phase)] };
  }
  const { status } = response;
  const key = documentedStatus(operation, status);
  const documented = operation.responses.find((each) => each.status === key);
  const met = [HTTP];
  const isLimited = status === 429 && documented !== undefined && !probe.acceptable.includes(key ?? '');
  const isRemoved = isGone(operation, status, circumstances.today);
  if (!isLimited && !isRemoved && !isAcceptable(probe, operation, status)) {
    const guess = guessRefused(probe, status, circumstances);
    if (guess) return { ...base, met, inconclusive: guess };
    return { ...base, met, deviations: [statusDeviation(probe, operation, status, control)] };
  }
  const headers = headersFor(operation, key).map((header) => judgeHeader(header, response.headers));
  const deviations: Deviation[] = headers.flatMap(({ deviation }) => (deviation ? [deviation] : []));
  met.push(...headers.flatMap((each) => each.met));
  if (isRemoved) return { ...base, met, deviations, removed: true };
  const isConclusive = control === undefined || control.answered || probe.key !== 'valid';
  if (!isLimited) {
    met.push(...statusMet(probe, operation, key, isConclusive));
  }
  const body = documented ? judgeBody(response, documented) : { met: [], deviations: [] };
  return {
    ...base,
    ...(documented ? { documented } : {}),
    ...(body.value === undefined ? {} : { value: body.value }),
    met: [...met, ...body.met],
    deviations: [...deviations, ...body.deviations],
    answered: !isLimited,
    sound: !isLimited && body.deviations.length === 0,
    ...(isLimited ? { inconclusive: { reason: 'the rate limit refused it' } } : {}),
    ...(isConclusive || isLimited ? {} : { inconclusive: wakeOf(control) }),
  };
}

function statusMet(
  probe: Probe,
  operation: Operation,
  status: string | undefined,
  isConclusive: boolean,
): string[] {
  const met = [`${operation.id}.responses`];
  if (status !== undefined && probe.acceptable.includes(status))
    met.push(statusRequirement(operation, status));
  if (probe.rule && isConclusive && probe.acceptable.length > 0) met.push(probe.rule);
  return met;
}

/** That a wrong body is refused says nothing where a right one is refused as well. */
function wakeOf(control: Judged | undefined): { reason: string; cause?: string } {
  const cause = control?.deviations[0]?.requirement;
  const reason = control?.inconclusive?.reason ?? `"${control?.probe.title}" is not answered as documented`;
  return { reason, ...(cause === undefined ? {} : { cause }) };
}

function transportDeviation(message: string, phase: string): Deviation {
  return {
    requirement: HTTP,
    reason: phase === 'headers' ? 'no HTTP response came back' : 'the response is not complete',
    expected: 'one complete HTTP response',
    received: quote(message),
  };
}

/** A category that petspec had to guess may well not exist. */
function guessRefused(
  probe: Probe,
  status: number,
  { referencesKnown }: Circumstances,
): { reason: string } | undefined {
  const usesReference = JSON.stringify(probe.body ?? null, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  ).includes('"late":"reference"');
  if (referencesKnown || probe.validity !== 'valid' || status !== 400 || !usesReference) return undefined;
  return {
    reason:
      'the listing shows no category, and the one that was guessed was refused: name one with --category-id',
  };
}

/** From the day of its removal on, an operation may be gone. */
function isGone(operation: Operation, status: number, today: number): boolean {
  if (operation.removal === undefined || today < Date.parse(operation.removal) - DAY_MS) return false;
  return status === 404 || status === 405 || status === 410;
}
