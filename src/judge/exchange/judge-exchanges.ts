import { type Exchange, isSuccess } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { type Circumstances, isAnswered, isSound, type Judged } from '../judged.ts';
import { exchangesOverLimit, owedRecovery, owedRefusal } from '../limiter/attribution.ts';
import { sendsReference } from './controls.ts';
import { judgeExchange } from './judge-exchange.ts';
import { attributeKeys } from './key-attribution.ts';
import { owedWhatIsListed } from './still-listed.ts';

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
  // A guessed reference that one request got accepted exists.
  const isGuessRight = pending.some(({ exchange, probe }) => isSuccess(exchange) && sendsReference(probe));
  const known = { ...circumstances, referencesKnown: circumstances.referencesKnown || isGuessRight };
  const byProbe = new Map<string, typeof pending>();
  for (const each of pending) {
    const same = byProbe.get(each.probe.id);
    if (same) same.push(each);
    else byProbe.set(each.probe.id, [each]);
  }
  const judged = new Map<string, Judged[]>();
  // A control may be sent later than what it controls: each probe is judged after its controls, and once.
  const judgeProbe = (id: string): Judged[] => {
    const done = judged.get(id);
    if (done) return done;
    const results = (byProbe.get(id) ?? []).map(({ exchange, probe, operation }) => {
      const sent = probe.controls.filter((control) => byProbe.has(control));
      const instead = sent.length > 0 || !isLenient(probe) ? undefined : standIn(probe, pending);
      const controls = [...sent, ...(instead ? [instead] : [])].flatMap(
        (control) => bestOf(judgeProbe(control)) ?? [],
      );
      const own = judgeExchange({ exchange, probe, operation, controls }, known);
      return overLimit.has(exchange.id) && !isSound(own) ? owedRefusal(own) : owedRecovery(own);
    });
    judged.set(id, results);
    return results;
  };
  for (const id of byProbe.keys()) judgeProbe(id);
  const inOrder = [...judged.values()].flat().sort((left, right) => left.exchange.id - right.exchange.id);
  return attributeKeys(owedWhatIsListed(inOrder), circumstances.contract);
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
  return judged.find(isAnswered) ?? judged.at(-1);
}
