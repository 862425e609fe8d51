import { dueStatus, isExpected } from '../../../model/http/expectation.ts';
import { at, type Json, sameJson } from '../../../model/json.ts';
import { isLate } from '../../../model/probe.ts';
import { inconclusiveOf, isSound, type Judged } from '../../evidence/judged.ts';
import { hasEndedBefore } from '../../evidence/sequence.ts';
import { statusRequirement } from '../status.ts';

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
