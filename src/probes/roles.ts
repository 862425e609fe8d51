import { isExpected } from '../model/http/expectation.ts';
import { isLate, type KeyKind, lateValuesIn, type Probe } from '../model/probe.ts';

/** What a request can be in a chain. */
export type ChainRole =
  /** A wrong key that only its value tells from the right one, and any other one that is there. */
  | 'key like the right one'
  | 'key unlike the right one'
  /** A read without a key. */
  | 'no key'
  /** The last two creations that have to be accepted, apart from the plainest. */
  | 'creation'
  | 'last creation'
  /** The last creation that may be refused: none is left that it could be mistaken for. */
  | 'lenient creation'
  /** A refused body with a text that no other request has. */
  | 'refused creation'
  /** The last list that is as long as it can be: it shows the last creation. */
  | 'longest list'
  /** A read that needs nothing that the chain of creations creates, and one of them that has several parameters. */
  | 'early read'
  | 'early read with parameters'
  | 'early read by id'
  /** The same, or a read of what the chain of creations creates. */
  | 'read'
  /** A read of what the chain of creations creates, or a list that is as long as it can be. */
  | 'further read'
  /** Any read that is compared with no later one. */
  | 'movable read'
  /** A 400 that is certain. */
  | 'refusal'
  /** What does not exist: a 404 that is certain, or that is likely. */
  | 'missing';

export type ProbePredicate = (probe: Probe) => boolean;

/** Each role among the requests of a plan. */
export function rolesIn(probes: readonly Probe[]): Readonly<Record<ChainRole, ProbePredicate>> {
  const [creation, last] = probes.filter(isDueCreation).slice(1).slice(-2);
  const created = creation && last ? [creation.id, last.id] : [];
  const isCreatedHere: ProbePredicate = (each) => created.includes(sourceOf(each) ?? '');
  const longest = new Set(probes.filter(isLongest).flatMap(({ query }) => query.map(String)));
  /** A longest list before it has the same size or the same filter. */
  const isCompared: ProbePredicate = ({ stage, query }) =>
    stage === 'list' && query.length === 1 && query.every((each) => longest.has(String(each)));
  const isEarly: ProbePredicate = (each) =>
    readsExisting(each) && !isCreatedHere(each) && !isLongest(each) && !isCompared(each);
  const missing = probes.find(isRefused('404'))?.operation;
  const lenient = probes.findLast(({ stage, isReadBack }) => stage === 'create' && !isReadBack);
  const lastLongest = probes.findLast(isLongest);
  return {
    'key like the right one': (each) => isWrongKey(each) && !UNLIKE_A_KEY.includes(each.key),
    'key unlike the right one': (each) => isWrongKey(each) && UNLIKE_A_KEY.includes(each.key),
    'no key': ({ key, creates, spelling }) => key === 'absent' && !creates && !spelling,
    creation: (each) => each === creation,
    'last creation': (each) => each === last,
    'lenient creation': (each) => each === lenient,
    'refused creation': (each) => isRefused('400')(each) && hasText(each),
    'longest list': (each) => each === lastLongest,
    'early read': isEarly,
    'early read with parameters': (each) => isEarly(each) && each.query.length > 1,
    'early read by id': (each) => isEarly(each) && each.stage === 'read',
    read: (each) => isEarly(each) || (readsExisting(each) && isCreatedHere(each)),
    'further read': (each) => readsExisting(each) && (isCreatedHere(each) || isLongest(each)),
    'movable read': (each) => readsExisting(each) && !isCompared(each),
    refusal: isRefused('400'),
    missing: (each) => each.operation === missing && (isRefused('404')(each) || isOpen(each)),
  };
}

/** Wrong by more than the value. */
const UNLIKE_A_KEY: readonly KeyKind[] = ['empty', 'scheme', 'bare'];

/** A key that is there, and wrong. */
export const isWrongKey: ProbePredicate = ({ key, validity }) =>
  key !== 'valid' && key !== 'absent' && validity === 'invalid';

/** A request with the right key that reads what exists. */
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

/** What the interface leaves open is usually refused. */
const isOpen: ProbePredicate = ({ validity, key, stage }) =>
  validity === 'open' && key === 'valid' && stage === 'invalid';

const hasText: ProbePredicate = ({ body }) =>
  lateValuesIn(body).some((late) => late.late === 'own' && late.as === 'text');

/** The probe that creates what this one reads. */
export function sourceOf({ path }: Probe): string | undefined {
  const late = Object.values(path).find(isLate);
  return late?.late === 'response' ? late.sources[0]?.probe : undefined;
}
