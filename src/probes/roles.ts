import { isExpected } from '../model/http/expectation.ts';
import { isLate, type KeyKind, lateValuesIn, type Probe } from '../model/probe.ts';

/** What a request can be in a chain. */
export type ChainRole =
  /** A wrong key that differs from the right one in its value alone, and any other wrong key that is sent. */
  | 'key like the right one'
  | 'key unlike the right one'
  /** A read without a key. */
  | 'no key'
  /** The last two creations that have to be accepted, apart from the plainest. */
  | 'creation'
  | 'last creation'
  /** The last creation that may be refused: no later one can be mistaken for it. */
  | 'lenient creation'
  /** A body that has to be refused, with a text that no other request has. */
  | 'refused creation'
  /** The last list of maximum length: it shows the last creation. */
  | 'longest list'
  /** A read that does not need the chain of creations, one of these with several parameters, and one by id. */
  | 'early read'
  | 'early read with parameters'
  | 'early read by id'
  /** An early read, or a read of what the chain of creations creates. */
  | 'read'
  /** A read of what the chain of creations creates, or a list of maximum length. */
  | 'further read'
  /** A read that is not compared with a later one. */
  | 'movable read'
  /** A request that has to get 400. */
  | 'refusal'
  /** A request for what does not exist: it has to get 404, or probably gets it. */
  | 'missing';

export type ProbePredicate = (probe: Probe) => boolean;

/** Which requests of a plan have which role. */
export function rolesIn(probes: readonly Probe[]): Readonly<Record<ChainRole, ProbePredicate>> {
  const [creation, last] = probes.filter(isDueCreation).slice(1).slice(-2);
  const created = creation && last ? [creation.id, last.id] : [];
  const isCreatedHere: ProbePredicate = (probe) => created.includes(sourceOf(probe) ?? '');
  const longest = new Set(probes.filter(isLongest).flatMap(({ query }) => query.map(String)));
  // A longest list, which is sent before it, has the same size or the same filter.
  const isCompared: ProbePredicate = ({ stage, query }) =>
    stage === 'list' && query.length === 1 && query.every((pair) => longest.has(String(pair)));
  const isEarly: ProbePredicate = (probe) =>
    readsExisting(probe) && !isCreatedHere(probe) && !isLongest(probe) && !isCompared(probe);
  const missing = probes.find(isRefused('404'))?.operation;
  const lenient = probes.findLast(({ stage, isReadBack }) => stage === 'create' && !isReadBack);
  const lastLongest = probes.findLast(isLongest);
  return {
    'key like the right one': (probe) => isWrongKey(probe) && !UNLIKE_A_KEY.includes(probe.key),
    'key unlike the right one': (probe) => isWrongKey(probe) && UNLIKE_A_KEY.includes(probe.key),
    'no key': ({ key, creates, spelling }) => key === 'absent' && !creates && !spelling,
    creation: (probe) => probe === creation,
    'last creation': (probe) => probe === last,
    'lenient creation': (probe) => probe === lenient,
    'refused creation': (probe) => isRefused('400')(probe) && hasText(probe),
    'longest list': (probe) => probe === lastLongest,
    'early read': isEarly,
    'early read with parameters': (probe) => isEarly(probe) && probe.query.length > 1,
    'early read by id': (probe) => isEarly(probe) && probe.stage === 'read',
    read: (probe) => isEarly(probe) || (readsExisting(probe) && isCreatedHere(probe)),
    'further read': (probe) => readsExisting(probe) && (isCreatedHere(probe) || isLongest(probe)),
    'movable read': (probe) => readsExisting(probe) && !isCompared(probe),
    refusal: isRefused('400'),
    missing: (probe) => probe.operation === missing && (isRefused('404')(probe) || isOpen(probe)),
  };
}

/** Keys that are wrong in more than their value. */
const UNLIKE_A_KEY: readonly KeyKind[] = ['empty', 'scheme', 'bare'];

/** A request that sends a wrong key. */
export const isWrongKey: ProbePredicate = ({ key, validity }) =>
  key !== 'valid' && key !== 'absent' && validity === 'invalid';

/** A request with the right key for something that exists. */
export const readsExisting: ProbePredicate = ({ key, validity, stage }) =>
  key === 'valid' &&
  (stage === 'read' ||
    (stage === 'list' && validity === 'valid') ||
    (stage === 'other' && validity !== 'invalid'));

const isDueCreation: ProbePredicate = ({ stage, validity, expectation }) =>
  stage === 'create' && validity === 'valid' && expectation.kind === 'due';

const isLongest: ProbePredicate = ({ stage, path }) => stage === 'read' && Object.keys(path).length === 0;

const isRefused =
  (status: string): ProbePredicate =>
  ({ validity, key, expectation, onlyIf }) =>
    validity === 'invalid' && key === 'valid' && isExpected(expectation, status) && !onlyIf;

/** A service probably refuses such a request, but the interface does not say so. */
const isOpen: ProbePredicate = ({ validity, key, stage }) =>
  validity === 'open' && key === 'valid' && stage === 'invalid';

const hasText: ProbePredicate = ({ body }) =>
  lateValuesIn(body).some((late) => late.late === 'own' && late.as === 'text');

/** The probe that creates what this one reads. */
export function sourceOf({ path }: Probe): string | undefined {
  const late = Object.values(path).find(isLate);
  return late?.late === 'response' ? late.sources[0]?.probe : undefined;
}
