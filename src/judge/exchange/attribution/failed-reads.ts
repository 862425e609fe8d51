import { isServerError } from '../../../model/exchange.ts';
import { dueStatus, isExpected } from '../../../model/http/expectation.ts';
import { at, type Json, sameJson } from '../../../model/json.ts';
import { isLate, usesUpLimit } from '../../../model/probe.ts';
import {
  hasEndedBefore,
  inconclusiveOf,
  isSound,
  type Judged,
  ownedBy,
  tellsNothing,
} from '../../evidence/judged.ts';
import { statusRequirement } from '../status.ts';

/** A failure of at most this share of the valid reads of an operation is rare. */
export const RARE = 1 / 4;

/** A read that got a 5xx although the same read succeeded as well lacks the success: its parameter is not refused. */
export function attributeIntermittent(judged: readonly Judged[]): Judged[] {
  const succeeding = new Set(judged.filter((each) => isJudgedRead(each) && isSound(each)).map(urlOf));
  return judged.map((each) => {
    const { probe, operation, exchange, deviations } = each;
    const isIntermittent = isJudgedRead(each) && isServerError(exchange) && succeeding.has(urlOf(each));
    return isIntermittent && deviations[0]?.requirement === probe.rule
      ? ownedBy(each, statusRequirement(operation, dueStatus(probe.expectation)))
      : each;
  });
}

const urlOf = ({ exchange }: Judged) => exchange.url;
const isJudgedRead = ({ exchange, probe }: Judged) =>
  exchange.method === 'GET' && probe.key === 'valid' && probe.expectation.kind !== 'open';

/** Attributes failures of open requests to the valid reads of the operation, if a few of these fail in the same way. */
export function attributeOpen(judged: readonly Judged[]): Judged[] {
  const ownerOf = (open: Judged): string | undefined => {
    const reads = judged.filter((each) => isJudgedRead(each) && each.operation === open.operation);
    const owners = reads
      .filter(({ exchange }) => exchange.response?.status === open.exchange.response?.status)
      .flatMap(({ deviations: [first] }) => (first?.kind === 'status' ? [first.requirement] : []));
    return owners.length <= RARE * reads.filter(isSound).length ? owners[0] : undefined;
  };
  return judged.map((each) => {
    const [first] = each.deviations;
    const { stage, expectation } = each.probe;
    if (!usesUpLimit(stage) || expectation.kind !== 'open' || first?.kind !== 'status') return each;
    const cause = ownerOf(each);
    if (cause === undefined || cause === first.requirement) return each;
    const reason = 'the operation fails now and then, whatever is asked for';
    return tellsNothing(each, { reason, cause }, [...each.deviations, ...each.hidden]);
  });
}

const NOT_FOUND = '404';

/**
 * A 404 for a listed entry is right if the entry was deleted in between. If a later list still shows the entry, it was
 * not, and a success was due.
 */
export function attributeLostReads(judged: readonly Judged[]): Judged[] {
  return judged.map((read) => {
    const shown = isNotFound(read) ? stillShown(read, judged) : undefined;
    if (shown === undefined) return read;
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
          expected: `status ${due}, as exchange ${shown.list.exchange.id} lists it`,
          received: `status ${NOT_FOUND}`,
          repetition: {
            kind: 'record',
            exchanges: [shown.source.exchange.id, read.exchange.id, shown.list.exchange.id],
            field: shown.field.slice(1),
            value: String(shown.value),
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
  const listed = judged.find((each) => each.probe.id === source?.probe && isSound(each));
  if (!source || !listed) return undefined;
  const own = at(listed.value, source.pointer);
  const field = source.pointer.slice(source.pointer.lastIndexOf('/'));
  const shows = ({ value }: Judged) =>
    Array.isArray(value) && value.some((entry: Json) => sameJson(at(entry, field), own));
  const list = judged.find(
    (each) =>
      isSound(each) && each.operation === listed.operation && hasEndedBefore(read, each) && shows(each),
  );
  return list && own !== undefined ? { list, source: listed, field, value: own } : undefined;
}
