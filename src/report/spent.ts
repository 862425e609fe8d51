import { at, parseJson } from '../json.ts';
import type { Exchange } from '../session/exchange.ts';
import type { Report } from './model.ts';
import { clip } from './visible.ts';

/** An id is a number of at most 19 digits; whatever else a target calls one is shown up to so many characters. */
const MAX_ID = 100;

/** Counts what a run cost its target, one exchange at a time. */
export function countUp(): { add(exchange: Exchange): void; result(): Report['requests'] } {
  const byPurpose: Record<string, number> = {};
  const created: string[] = [];
  let total = 0;
  let withKey = 0;
  return {
    add(exchange) {
      const { stage, key } = exchange;
      byPurpose[stage] = (byPurpose[stage] ?? 0) + 1;
      total += 1;
      if (key === 'valid') withKey += 1;
      const id = createdId(exchange);
      if (id !== undefined) created.push(id);
    },
    result: () => ({ total, withKey, byPurpose, created }),
  };
}

/** Counts those of a long exhaustion, too, that were not kept: requests with the key, all of them. */
export function withDropped(requests: Report['requests'], dropped: number): Report['requests'] {
  const { total, withKey, byPurpose } = requests;
  const exhaust = (byPurpose.exhaust ?? 0) + dropped;
  return {
    ...requests,
    total: total + dropped,
    withKey: withKey + dropped,
    byPurpose: { ...byPurpose, exhaust },
  };
}

/** The id of what an exchange added at the base address: nothing that petspec adds can be deleted by it again. */
function createdId({ method, address, response }: Exchange): string | undefined {
  const isAdded =
    method === 'POST' && address === 'baseUrl' && Math.floor((response?.status ?? 0) / 100) === 2;
  if (!response || !isAdded) return undefined;
  const body = parseJson(response.body);
  const id = body.ok ? at(body.value, '/id') : undefined;
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint'
    ? clip(String(id), MAX_ID)
    : 'unknown';
}
