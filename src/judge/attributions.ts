import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { attributeIntermittent, attributeLostReads, attributeOpen } from './attribution/failed-reads.ts';
import { attributeRefusedKeys, attributeToOpenness } from './attribution/key-attribution.ts';
import { attributeWrongBodies } from './attribution/wrong-bodies.ts';
import type { Circumstances, Judged } from './evidence/judged.ts';
import { attributeToOthers } from './exchange/controls.ts';
import { attributeToLimiter } from './limiter/attribution.ts';

/** A case in which another requirement owns the deviations of an exchange. */
interface Attribution {
  when: string;
  owner: string;
  why: string;
  apply(judged: readonly Judged[], contract: Contract): Judged[];
}

/** Applied in this order, each to the results of the one before: an earlier owner explains more. */
const ATTRIBUTIONS: readonly Attribution[] = [
  {
    when: 'a read got a 5xx, and the same read succeeded as well',
    owner: 'the success that the read should have got',
    why: 'the operation fails now and then; it does not refuse the parameter that the read has',
    apply: attributeIntermittent,
  },
  {
    when: 'a request about which the interface says nothing fails as a few valid reads of its operation do',
    owner: 'what the valid reads lack',
    why: 'the operation fails now and then, whatever a request asks for',
    apply: attributeOpen,
  },
  {
    when: 'no value of a parameter is accepted without other parameters',
    owner: 'nothing',
    why: 'the document does not say which parameters belong together',
    apply: attributeToOthers,
  },
  {
    when: 'a record was not found, and a later list still has it',
    owner: 'the success that the read should have got',
    why: 'only a record that was removed in between may be missing',
    apply: attributeLostReads,
  },
  {
    when: 'a request without a key is refused for something else, and its operation lets wrong keys in',
    owner: 'the status that a wrong key should get',
    why: 'an operation that asks for no key does not look at it too late',
    apply: attributeToOpenness,
  },
  {
    when: 'an operation refuses the right key, and others accept it',
    owner: 'authentication.accepted, unless another requirement owns the status',
    why: 'that a key is accepted everywhere holds also where the interface leaves open what else a request gets',
    apply: attributeRefusedKeys,
  },
  {
    when: 'a response shows a wrong body that the service took before',
    owner: 'the request that sent the body',
    why: 'petspec sent what is wrong; whether the service may take it is what that request asks',
    apply: attributeWrongBodies,
  },
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
    (results, { apply }) => apply(results, circumstances.contract),
    attributeToLimiter(judged, exchanges, circumstances),
  );
}
