import type { Contract } from '../../model/contract.ts';
import { expecting, statusesOf } from '../../model/http/expectation.ts';
import { stringifyJson } from '../../model/json.ts';
import { isLate, type Late, type Probe } from '../../model/probe.ts';
import { documented } from '../probe.ts';
import { readsExisting, sourceOf } from '../roles.ts';

/**
 * The reads of what the run created, once more: a service may keep it differently in a cache, or lose it. What has most
 * fields comes first.
 * @param turn how often they were added before
 */
export function readsAgain(planned: readonly Probe[], turn: number): Probe[] {
  const created = new Map(planned.filter(({ creates }) => creates).map((each) => [each.id, each]));
  const fieldsOf = (read: Probe) => {
    const { body } = created.get(sourceOf(read) ?? '') ?? {};
    return body && 'json' in body ? Object.keys(body.json as object).length : 0;
  };
  return planned
    .filter((each) => readsExisting(each) && created.has(sourceOf(each) ?? ''))
    .toSorted((one, other) => fieldsOf(other) - fieldsOf(one))
    .map(({ variations: _, follows: _follows, ...read }) => ({
      ...read,
      id: read.id.replace(':', `:further-again-${turn + 1} `),
      title: `${read.title}, again`,
    }));
}

/** The lists of a run, once more, the longest ones first: what they show may change although nothing did. */
export function listsAgain(planned: readonly Probe[]): Probe[] {
  const sizeOf = ({ query }: Probe) => Math.max(0, ...query.map(([, value]) => Number(value) || 0));
  return planned
    .filter(
      ({ stage, key, validity, burst }) =>
        stage === 'list' && key === 'valid' && validity === 'valid' && !burst,
    )
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .map(({ variations: _, follows: _follows, isStart: _isStart, ...list }) => ({
      ...list,
      id: list.id.replace(':', ':further-again '),
      title: `${list.title}, again`,
    }));
}

/**
 * Reads of what the run created and reads nowhere else, the longest first: a service may cut what its response shows whole.
 * Each is read as something else that the same operation created.
 */
export function readsBack(planned: readonly Probe[]): Probe[] {
  const created = planned.filter(({ creates, stage }) => creates && stage === 'create');
  const readOf = readsByOneId(planned);
  const lengthOf = ({ body }: Probe) => (body && 'json' in body ? stringifyJson(body.json).length : 0);
  return created
    .filter(({ id }) => !readOf.has(id))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .flatMap((source) => readBack(planned, source) ?? []);
}

/** The read of the id after the one that a probe creates: where ids are counted, nothing has it until the next creation. */
export function readOfNext(
  { operations }: Pick<Contract, 'operations'>,
  planned: readonly Probe[],
  source: Probe,
): Probe | undefined {
  const read = readBack(planned, source);
  const missing = operations.flatMap((each) => (each.id === read?.operation ? documented(each, '404') : []));
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

/** The reads of what a run created by a single id, by what created it. */
function readsByOneId(planned: readonly Probe[]): ReadonlyMap<string | undefined, Probe> {
  // What is part of something else, which the run created as well, is read by two ids.
  const reads = planned.filter(
    (each) =>
      each.stage === 'read' && readsExisting(each) && Object.values(each.path).filter(isLate).length === 1,
  );
  return new Map(reads.map((each) => [sourceOf(each), each]));
}

/** The read of what a probe creates; undefined if nothing that its operation creates is read. */
export function readBack(planned: readonly Probe[], source: Probe): Probe | undefined {
  const readOf = readsByOneId(planned);
  const alike = planned.find(
    ({ id, operation, creates, stage }) =>
      creates && stage === 'create' && operation === source.operation && readOf.has(id),
  );
  const read = alike && readOf.get(alike.id);
  return read && readOfOther(read, source);
}

/** The same read of what another probe created. */
function readOfOther(read: Probe, source: Probe): Probe {
  const { variations: _, follows: _follows, ...plain } = read;
  const ofSource = (value: string | Late) =>
    typeof value === 'string' || value.late !== 'response'
      ? value
      : { ...value, sources: value.sources.slice(0, 1).map((each) => ({ ...each, probe: source.id })) };
  return {
    ...plain,
    id: `${read.operation}:further-back ${source.id}`,
    title: `what was created with ${source.title}`,
    path: Object.fromEntries(Object.entries(read.path).map(([name, value]) => [name, ofSource(value)])),
  };
}
