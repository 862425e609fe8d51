import { sincePause } from '../../../limiter/others.ts';
import type { Exchange } from '../../../model/exchange.ts';
import type { Repetition } from '../../../model/finding.ts';
import type { Evidence } from '../../evidence/check.ts';

/**
 * How to see again what a request shows of the limiter: one request of each kind before it, then this one until as many
 * count as in the run. A limiter may treat one kind differently, or be wrong from some number on.
 * @param before id of the request with the key before it, at its address
 */
export function repetitionOf({ judged }: Evidence, shown: Exchange, before: number | undefined): Repetition {
  const sent = sincePause(judged.map(({ exchange }) => exchange).filter(({ id }) => id <= shown.id));
  // What shows after a wait needs another one.
  if (shown.stage === 'recover' || (sent.length === 1 && before !== undefined))
    return { kind: 'after-refusal' };
  const counted = sent.filter(({ key, address }) => key === 'valid' && address === shown.address);
  const between = sent.filter((each) => each.id > (before ?? shown.id) && !counted.includes(each));
  const others = [...oneOfEachKind(counted), ...oneOfEachKind(between)].filter((each) => each !== shown);
  return {
    kind: 'in-turn-and-again',
    exchanges: [...others, shown].map(({ id }) => id),
    times: counted.length,
  };
}

/** The first request of each kind that got a response. */
function oneOfEachKind(exchanges: readonly Exchange[]): Exchange[] {
  const answered = exchanges.filter(({ response }) => response && response.status !== 429);
  const kinds = answered.map(kindOf);
  return answered.filter((each, index) => kinds.indexOf(kindOf(each)) === index);
}

/** Requests of one kind count alike: the same operation, key and status, and varied in the same way. */
function kindOf({ address, operation, key, variation, response }: Exchange): string {
  return [address, operation, key === 'valid', variation, response?.status].join(' ');
}
