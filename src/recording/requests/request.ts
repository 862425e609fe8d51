import type { Operation } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Late, Probe } from '../../model/probe.ts';
import type { Classified } from '../../traffic/classify.ts';
import type { Standing } from '../standing.ts';

/** The part of a probe that says what a response owes to its request. */
export type Owed = Pick<Probe, 'validity' | 'acceptable'> &
  Partial<Pick<Probe, 'rule' | 'key' | 'spelling' | 'isPartial'>>;

/** What is known about a recorded request. */
export interface Request {
  exchange: Exchange;
  classified: Classified & { operation: Operation };
  standing: Standing;
  /** As in a matched exchange. */
  isChanged: boolean;
  /** Everything that the request refers to was accepted before and after it, in requests of the same operation. */
  isReferenceProven: boolean;
  /** Its texts are short, or no longer than one that the same operation accepted. */
  isLengthProven: boolean;
  /** The service accepted the same operation with the same key. */
  isOperationOpen: boolean;
  /** Where earlier responses show what it reads. */
  source?: Extract<Late, { late: 'response' }> | undefined;
  /** The recording shows that it reads what a run of petspec created, and nobody else removes. */
  isOwnCreation: boolean;
  /** Another request with the same parameters got a success. */
  areParametersAccepted: boolean;
  /** The plainest request of its operation got a success. */
  isPlainAccepted: boolean;
  /** The plainest request of its operation and, for a wrong key, one without a key. */
  controls: readonly string[];
}
