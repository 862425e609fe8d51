import { isServerError } from '../../model/exchange.ts';
import { dueStatus, isExpected } from '../../model/http/expectation.ts';
import { at, type Json, sameJson } from '../../model/json.ts';
import { isLate, usesUpLimit } from '../../model/probe.ts';
import {
  hasEndedBefore,
  inconclusiveOf,
  isSound,
  type Judged,
  ownedBy,
  tellsNothing,
} from '../evidence/judged.ts';
import { statusRequirement } from '../exchange/status.ts';

/** An operation fails rarely if at most this share of its valid reads fails. */
export const RARE = 1 / 4;

/** If the same read also succeeded, a 5xx violates the success that was due: the parameter is not refused. */
export function attributeIntermittent(judged: readonly Judged[]): Judged[] {
  const succeeding = new Set(judged.filter((result) => isJudgedRead(result) && isSound(result)).map(urlOf));
  return judged.map((result) => {
    const { probe, operation, exchange, deviations } = result;
    const isIntermittent = isJudgedRead(result) && isServerError(exchange) && succeeding.has(urlOf(result));
    return isIntermittent && deviations[0]?.requirement === probe.rule
      ? ownedBy(result, statusRequirement(operation, dueStatus(probe.expectation)))
      : result;
  });
}

const urlOf = ({ exchange }: Judged) => exchange.url;
const isJudgedRead = ({ exchange, probe }: Judged) =>
  exchange.method === 'GET' && probe.key === 'valid' && probe.expectation.kind !== 'open';

/** Attributes failures of open requests to the valid reads of the operation, if a few of these fail in the same way. */
export function attributeOpen(judged: readonly Judged[]): Judged[] {
  const ownerOf = (open: Judged): string | undefined => {
    const reads = judged.filter((result) => isJudgedRead(result) && result.operation === open.operation);
    const owners = reads
      .filter(({ exchange }) => exchange.response?.status === open.exchange.response?.status)
      .flatMap(({ deviations: [first] }) => (first?.kind === 'status' ? [first.requirement] : []));
    return owners.length <= RARE * reads.filter(isSound).length ? owners[0] : undefined;
  };
  return judged.map((result) => {
    const [first] = result.deviations;
    const { stage, expectation } = result.probe;
    if (!usesUpLimit(stage) || expectation.kind !== 'open' || first?.kind !== 'status') return result;
    const cause = ownerOf(result);
    if (cause === undefined || cause === first.requirement) return result;
    const reason = 'the operation fails now and then, whatever is asked for';
    return tellsNothing(result, { reason, cause }, [...result.deviations, ...result.hidden]);
  });
}

const NOT_FOUND = '404';

/**
 * A 404 for a listed entry is right if the entry was deleted in between. If a later list still shows the entry, it was
 * not, and a success was due.
 */
export function attributeLostReads(judged: readonly Judged[]): Judged[] {
  return judged.map((read) => {
    const listed = isNotFound(read) ? stillShown(read, judged) : undefined;
    if (listed === undefined) return read;
    const due = dueStatus(read.probe.expectation);
    return {
      ...read,
      outcome: 'deviant',
      met: [],
      hidden: [...read.deviations, ...read.hidden],
      deviations: [
        {
          requirement: statusRequirement(read.operation, due),
          kind: 'status',
          reason: `${read.probe.title}: not found, although a later list shows it`,
          expected: `status ${due}, as exchange ${listed.list.exchange.id} lists it`,
          received: `status ${NOT_FOUND}`,
          repetition: {
            kind: 'record',
            exchanges: [listed.source.exchange.id, read.exchange.id, listed.list.exchange.id],
            field: listed.field.slice(1),
            value: String(listed.value),
          },
        },
      ],
    };
  });
}

/** Whether a read got a 404, and a 404 conforms as well as a success. */
function isNotFound(read: Judged): boolean {
  const { exchange, probe, outcome } = read;
  const isLenient = probe.validity === 'valid' && probe.expectation.kind === 'either';
  return (
    isLenient &&
    isExpected(probe.expectation, NOT_FOUND) &&
    String(exchange.response?.status) === NOT_FOUND &&
    outcome !== 'removed' &&
    !inconclusiveOf(read)
  );
}

/** A later list that has the record, and the earlier list and field that the read took its id from. */
function stillShown(
  read: Judged,
  judged: readonly Judged[],
): { list: Judged; source: Judged; field: string; value: Json } | undefined {
  const [late] = Object.values(read.probe.path).filter(isLate);
  if (late?.late !== 'response') return undefined;
  const [source] = late.sources;
  const listed = judged.find((result) => result.probe.id === source?.probe && isSound(result));
  if (!source || !listed) return undefined;
  const id = at(listed.value, source.pointer);
  const field = source.pointer.slice(source.pointer.lastIndexOf('/'));
  const shows = ({ value }: Judged) =>
    Array.isArray(value) && value.some((entry: Json) => sameJson(at(entry, field), id));
  const list = judged.find(
    (later) =>
      isSound(later) && later.operation === listed.operation && hasEndedBefore(read, later) && shows(later),
  );
  return list && id !== undefined ? { list, source: listed, field, value: id } : undefined;
}
