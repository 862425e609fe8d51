import type { Contract } from '../../model/contract.ts';
import { expecting, statusesOf } from '../../model/http/expectation.ts';
import { stringifyJson } from '../../model/json.ts';
import { isLate, type Late, type Probe } from '../../model/probe.ts';
import { documented } from '../probe.ts';
import { readsExisting, sourceOf } from '../roles.ts';

/**
 * Repeats the reads of what the run created, as a service may lose it, or cache it differently. Reads of bodies with the most
 * fields come first.
 * @param turn how often these reads were repeated before
 */
export function readsAgain(planned: readonly Probe[], turn: number): Probe[] {
  const created = new Map(planned.filter(({ creates }) => creates).map((probe) => [probe.id, probe]));
  const fieldsOf = (read: Probe) => {
    const { body } = created.get(sourceOf(read) ?? '') ?? {};
    return body && 'json' in body ? Object.keys(body.json as object).length : 0;
  };
  return planned
    .filter((probe) => readsExisting(probe) && created.has(sourceOf(probe) ?? ''))
    .toSorted((a, b) => fieldsOf(b) - fieldsOf(a))
    .map(({ variations: _, follows: _follows, ...read }) => ({
      ...read,
      id: read.id.replace(':', `:further-again-${turn + 1} `),
      title: `${read.title}, again`,
    }));
}

/** Repeats the lists of a run, the longest first, as they may change although nothing was changed. */
export function listsAgain(planned: readonly Probe[]): Probe[] {
  const sizeOf = ({ query }: Probe) => Math.max(0, ...query.map(([, value]) => Number(value) || 0));
  return planned
    .filter(
      ({ stage, key, validity, burst }) =>
        stage === 'list' && key === 'valid' && validity === 'valid' && !burst,
    )
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .map(({ variations: _, follows: _follows, isStart: _isStart, ...list }) => ({
      ...list,
      id: list.id.replace(':', ':further-again '),
      title: `${list.title}, again`,
    }));
}

/**
 * Reads of created things that the plan does not read, the longest first: a service may store less than its response shows.
 * They are copies of the read of another thing that the same operation created.
 */
export function readsBack(planned: readonly Probe[]): Probe[] {
  const created = planned.filter(({ creates, stage }) => creates && stage === 'create');
  const readOf = readsByOneId(planned);
  const lengthOf = ({ body }: Probe) => (body && 'json' in body ? stringifyJson(body.json).length : 0);
  return created
    .filter(({ id }) => !readOf.has(id))
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
    .flatMap((source) => readBack(planned, source) ?? []);
}

/** A read of the id after the one that a probe creates: where ids are counted, it does not exist until the next creation. */
export function readOfNext(
  { operations }: Pick<Contract, 'operations'>,
  planned: readonly Probe[],
  source: Probe,
): Probe | undefined {
  const read = readBack(planned, source);
  const missing = operations.flatMap((operation) =>
    operation.id === read?.operation ? documented(operation, '404') : [],
  );
  if (!read || missing.length === 0) return undefined;
  const next = (value: string | Late): string | Late =>
    typeof value !== 'string' && value.late === 'response' ? { ...value, isNext: true } : value;
  return {
    ...read,
    id: `${read.operation}:further-next`,
    title: 'the id after the newest one',
    expectation: expecting(statusesOf(read.expectation), missing),
    path: Object.fromEntries(Object.entries(read.path).map(([name, value]) => [name, next(value)])),
  };
}

/** The reads of created things that need a single id, by the id of the creating probe. */
function readsByOneId(planned: readonly Probe[]): ReadonlyMap<string | undefined, Probe> {
  // A part of another created thing is read by two ids.
  const reads = planned.filter(
    (probe) =>
      probe.stage === 'read' && readsExisting(probe) && Object.values(probe.path).filter(isLate).length === 1,
  );
  return new Map(reads.map((probe) => [sourceOf(probe), probe]));
}

/** A read of what a probe creates; undefined if the plan reads nothing that its operation creates. */
export function readBack(planned: readonly Probe[], source: Probe): Probe | undefined {
  const readOf = readsByOneId(planned);
  const alike = planned.find(
    ({ id, operation, creates, stage }) =>
      creates && stage === 'create' && operation === source.operation && readOf.has(id),
  );
  const read = alike && readOf.get(alike.id);
  return read && readOfOther(read, source);
}

/** Copies a read for what another probe created. */
function readOfOther(read: Probe, source: Probe): Probe {
  const { variations: _, follows: _follows, ...plain } = read;
  const ofSource = (value: string | Late) =>
    typeof value === 'string' || value.late !== 'response'
      ? value
      : { ...value, sources: value.sources.slice(0, 1).map((place) => ({ ...place, probe: source.id })) };
  return {
    ...plain,
    id: `${read.operation}:further-back ${source.id}`,
    title: `what was created with ${source.title}`,
    path: Object.fromEntries(Object.entries(read.path).map(([name, value]) => [name, ofSource(value)])),
  };
}
