import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { attributeIntermittent, attributeLostReads, attributeOpen } from './attribution/failed-reads.ts';
import { attributeRefusedKeys, attributeToOpenness } from './attribution/key-attribution.ts';
import { attributeWrongBodies } from './attribution/wrong-bodies.ts';
import type { Circumstances, Judged } from './evidence/judged.ts';
import { attributeToOthers } from './exchange/controls.ts';
import { attributeToLimiter } from './limiter/attribution.ts';

type Attribution = (judged: readonly Judged[], contract: Contract) => Judged[];

/** Applied in this order, each to the results of the one before: an earlier owner explains more. */
const ATTRIBUTIONS: readonly Attribution[] = [
  // A read got a 5xx and, another time, the success: the operation fails now and then, and does not refuse a parameter of the read.
  attributeIntermittent,
  // What the interface says nothing about fails as a few valid reads do: so the operation does, whatever a request asks for.
  attributeOpen,
  // No value of a parameter is accepted alone: the document does not say which parameters belong together, so nothing is wrong.
  attributeToOthers,
  // A record was not found, and a later list still has it: only one that was removed in between may be missing.
  attributeLostReads,
  // Without a key, a request is refused for something else: an operation that asks for no key does not look at it too late.
  attributeToOpenness,
  // An operation refuses the right key, and others accept it: it has to be accepted everywhere, whatever else a request gets.
  attributeRefusedKeys,
  // A response shows a wrong body that the service took before: whether it may take it is what that request asks.
  attributeWrongBodies,
];

/**
 * Moves deviations to the requirements that own them. The limit comes first: a request over the limit says nothing about its
 * operation.
 */
export function attributed(
  judged: readonly Judged[],
  exchanges: readonly Exchange[],
  circumstances: Circumstances,
): Judged[] {
  return ATTRIBUTIONS.reduce(
    (results, attribute) => attribute(results, circumstances.contract),
    attributeToLimiter(judged, exchanges, circumstances),
  );
}
