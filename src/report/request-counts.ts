import { type Exchange, isSuccess } from '../model/exchange.ts';
import { at, parseJson } from '../model/json.ts';
import { counted, type Report } from '../model/report/report.ts';
import { clip } from '../model/visible.ts';
import { createsRecord } from '../probes/probe.ts';

/** The longest id that is shown, in characters. An int64 has at most 19 digits; a target may send anything. */
const MAX_ID = 100;

/** Counts the requests of a run, one exchange at a time. */
export function countUp(): { add(exchange: Exchange): void; result(): Report['requests'] } {
  const byPurpose: Record<string, number> = {};
  const created: string[] = [];
  let total = 0;
  let withKey = 0;
  let exchanges = 0;
  let lastId = 0;
  return {
    add(exchange) {
      const { id, stage, key, isRepeated } = exchange;
      const requests = isRepeated ? 2 : 1;
      byPurpose[stage] = (byPurpose[stage] ?? 0) + requests;
      total += requests;
      if (key === 'valid') withKey += requests;
      exchanges += 1;
      lastId = Math.max(lastId, id);
      const added = addedId(exchange);
      if (added !== undefined) created.push(added);
    },
    result() {
      // The ledger does not keep every exchange of a long exhaustion. Gaps in the ids count the missing ones.
      const missing = byPurpose.exhaust === undefined ? 0 : lastId - exchanges;
      const all = missing === 0 ? {} : { exhaust: (byPurpose.exhaust ?? 0) + missing };
      return {
        total: total + missing,
        withKey: withKey + missing,
        byPurpose: { ...byPurpose, ...all },
        created,
      };
    },
  };
}

/** The id of what an exchange added, as far as it is shown. */
function addedId(exchange: Exchange): string | undefined {
  if (!createsRecord(exchange) || !isSuccess(exchange)) return undefined;
  const body = parseJson(exchange.response?.body ?? '');
  const id = body.ok ? at(body.value, '/id') : undefined;
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint'
    ? clip(String(id), MAX_ID)
    : 'unknown';
}

/** The requests of a run by the kinds that its first line announces. */
export function requestsByKind({ total, byPurpose, areKeyless }: Report['requests']): string {
  if (areKeyless) return counted(total, 'request');
  const { keys = 0, messages = 0 } = byPurpose;
  const kinds = [
    `${total - keys - messages} with the key`,
    ...(keys === 0 ? [] : [`${keys} with wrong keys`]),
    ...(messages === 0 ? [] : [counted(messages, 'message')]),
  ];
  return `${counted(total, 'request')} (${kinds.join(', ')})`;
}
