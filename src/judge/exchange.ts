import type { Operation } from '../contract/types.ts';
import type { Probe } from '../probes/types.ts';
import type { Exchange } from '../session/exchange.ts';
import { judgeBody } from './body.ts';
import type { Deviation } from './finding.ts';
import { headersFor, judgeHeaders } from './headers.ts';
import type { Circumstances, Judged } from './judged.ts';
import { exchangesOverLimit, owedRecovery, owedRefusal } from './owed.ts';
import { quote } from './quote.ts';
import { documentedStatus, isAcceptable, statusDeviation, statusRequirement } from './status.ts';
import { owedWhatIsListed } from './still-listed.ts';

const HTTP = 'service.http';

/** The removal counts from a day before its date on, so that no time zone is judged too early. */
const DAY_MS = 86_400_000;

/** Failures that are not the service's: there is none, the user stopped the run, or petspec reads no more. */
const NOT_ANSWERED = new Set(['refused', 'unreachable', 'tls', 'interrupted', 'too-large']);

/**
 * Judges every exchange by what holds for every response. The first thing wrong with an exchange owns it: transport,
 * status, content type, JSON, shape; headers are judged where transport and status are right.
 */
export function judgeExchanges(exchanges: readonly Exchange[], circumstances: Circumstances): Judged[] {
  const operations = new Map(circumstances.contract.operations.map((each) => [each.id, each]));
  const probes = new Map(circumstances.probes.map((each) => [each.id, each]));
  const pending = exchanges.flatMap((exchange) => {
    const probe = probes.get(exchange.probe);
    const operation = operations.get(exchange.operation);
    return probe && operation ? [{ exchange, probe, operation }] : [];
  });
  const overLimit = exchangesOverLimit(exchanges, circumstances);
  const byProbe = new Map<string, typeof pending>();
  for (const each of pending) {
    const same = byProbe.get(each.probe.id);
    if (same) same.push(each);
    else byProbe.set(each.probe.id, [each]);
  }
  const judged = new Map<string, Judged[]>();
  // A control may be sent later than what it controls: each probe is judged after its controls, and once.
  const judgeProbe = (id: string): Judged[] => {
    const known = judged.get(id);
    if (known) return known;
    const results = (byProbe.get(id) ?? []).map(({ exchange, probe, operation }) => {
      const sent = probe.controls.filter((control) => byProbe.has(control));
      const instead = sent.length > 0 || !isLenient(probe) ? undefined : standIn(probe, pending);
      const controls = [...sent, ...(instead ? [instead] : [])].flatMap(
        (control) => bestOf(judgeProbe(control)) ?? [],
      );
      const own = judgeExchange(exchange, probe, operation, controls, circumstances);
      return overLimit.has(exchange.id) && !own.sound ? owedRefusal(own) : owedRecovery(own);
    });
    judged.set(id, results);
    return results;
  };
  for (const id of byProbe.keys()) judgeProbe(id);
  const inOrder = [...judged.values()].flat().sort((left, right) => left.exchange.id - right.exchange.id);
  return owedWhatIsListed(inOrder);
}

/** Whether a probe is no control of others itself: what it gets may be a refusal. */
function isLenient({ key, validity, acceptable }: Probe): boolean {
  return key === 'valid' && (validity !== 'valid' || acceptable.length > 1);
}

/** What was sent of an operation in place of the controls that were not. */
function standIn({ operation }: Probe, pending: readonly { probe: Probe }[]): string | undefined {
  return pending.find(
    ({ probe }) =>
      probe.operation === operation && probe.key === 'valid' && probe.stage === 'read' && !isLenient(probe),
  )?.probe.id;
}

/** Of several exchanges of one probe the one that was answered as it should be, if any was. */
function bestOf(judged: readonly Judged[]): Judged | undefined {
  return judged.find(({ answered }) => answered) ?? judged.at(-1);
}

function judgeExchange(
  exchange: Exchange,
  probe: Probe,
  operation: Operation,
  controls: readonly Judged[],
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
    const isGone = circumstances.goneSince !== undefined && exchange.receivedAt >= circumstances.goneSince;
    if (!failure || isGone || NOT_ANSWERED.has(failure.kind))
      return { ...base, inconclusive: { reason: failure?.message ?? 'no answer' } };
    return { ...base, deviations: [transportDeviation(failure.message, failure.phase)] };
  }
  const { status } = response;
  const key = documentedStatus(operation, status);
  const documented = operation.responses.find((each) => each.status === key);
  const met = [HTTP];
  if (circumstances.isKeyRefused && probe.key === 'valid' && status === 401)
    return { ...base, inconclusive: { reason: 'the key is refused by every operation' } };
  const isLimited = status === 429 && documented !== undefined && !probe.acceptable.includes(key ?? '');
  const isRemoved = isGone(operation, probe, status, controls, circumstances.today);
  const failing = controls.find(({ answered }) => !answered);
  if (!isLimited && !isRemoved && !isAcceptable(probe, operation, status)) {
    const wake = guessRefused(probe, status, circumstances) ?? wakeFrom(probe, status, controls);
    if (wake) return { ...base, met, inconclusive: wake };
    return { ...base, met, deviations: [statusDeviation(probe, operation, response, controls)] };
  }
  const headers = judgeHeaders(headersFor(operation, key), response.headers);
  met.push(...headers.met);
  if (isRemoved) return { ...base, met, deviations: headers.deviations, removed: true };
  // That something is refused, or is not there, says nothing where what is right is not answered either.
  const isInconclusive =
    failing !== undefined &&
    probe.key === 'valid' &&
    (probe.validity !== 'valid' || probe.acceptable.length > 1);
  if (!isLimited) met.push(...statusMet(probe, operation, key, !isInconclusive));
  // What an open question gets is judged as far as it is a documented success.
  const isJudged =
    documented &&
    response.unread === undefined &&
    !(probe.validity === 'open' && status >= 300 && !isLimited) &&
    !(isInconclusive && probe.validity !== 'invalid');
  const body = isJudged ? judgeBody(response, documented) : { met: [], deviations: [] };
  return {
    ...base,
    ...(documented ? { documented } : {}),
    ...(body.value === undefined ? {} : { value: body.value }),
    met: [...met, ...body.met],
    deviations: [...headers.deviations, ...body.deviations],
    answered: !isLimited,
    sound: !isLimited && body.value !== undefined && body.deviations.length === 0,
    ...(isInconclusive && failing ? { inconclusive: wakeOf(failing) } : {}),
    ...(response.unread === undefined ? {} : { inconclusive: { reason: response.unread } }),
    ...(isLimited ? { inconclusive: { reason: 'the rate limit refused it' } } : {}),
  };
}

/** Statuses by which a service says that there is no such operation, or that it is broken. */
function isBroken(status: number): boolean {
  return status === 404 || status === 405 || status === 410 || status >= 500;
}

/**
 * The control in whose wake a wrong status is. A wrong key is to be refused whatever else is wrong; but an operation
 * that is not there can refuse no key.
 */
function wakeFrom(
  probe: Probe,
  status: number,
  controls: readonly Judged[],
): { reason: string; cause?: string } | undefined {
  const failing = controls.find((control) =>
    probe.key === 'valid'
      ? !control.answered
      : control.probe.key === 'valid' && control.exchange.response?.status === status && isBroken(status),
  );
  return failing && wakeOf(failing);
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

/** Why an exchange says nothing: what its control was answered. */
function wakeOf({ deviations, inconclusive, probe }: Judged): { reason: string; cause?: string } {
  const cause = deviations[0]?.requirement ?? inconclusive?.cause;
  const reason = inconclusive?.reason ?? `"${probe.title}" is not answered as documented`;
  return { reason, ...(cause === undefined ? {} : { cause }) };
}

function transportDeviation(message: string, phase: string): Deviation {
  return {
    requirement: HTTP,
    kind: 'transport',
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

/** From the day of its removal on, an operation may be gone: whatever is neither its success nor an error of the server. */
function isGone(
  operation: Operation,
  probe: Probe,
  status: number,
  controls: readonly Judged[],
  today: number,
): boolean {
  if (operation.removal === undefined || today < Date.parse(operation.removal) - DAY_MS) return false;
  if (status < 300 || status >= 500 || status === 429) return false;
  return (
    probe.stage === 'read' ||
    !probe.acceptable.includes(String(status)) ||
    controls.some(({ removed }) => removed)
  );
}
