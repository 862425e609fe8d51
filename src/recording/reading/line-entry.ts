import { isObject } from '../../contract/schema.ts';
import type { Exchange } from '../../model/exchange.ts';
import { ledgerLineProblem } from '../../model/report/report-schema.ts';
import { isLight, withinWeight } from '../../session/terms/memory-limit.ts';
import { httpUrlOf, isTime, type ReadEntry } from '../recorded.ts';
import { ownRecord, readHarEntry } from './har-entry.ts';

/** The addresses that the header of a ledger names. */
export interface LedgerAddresses {
  baseUrl: string;
  apiUrl?: string;
}

/** A line of newline-delimited JSON: an exchange of a ledger, or an entry of a HAR. A ledger begins with its addresses. */
export type ReadLine = ReadEntry | { addresses: LedgerAddresses } | 'nothing';

/** Reads one parsed line. Pure, and total for any value. */
export function readLine(line: unknown): ReadLine {
  if (!isObject(line)) return { omitted: 'unreadable' };
  if ('request' in line) return readHarEntry(line);
  if (ledgerLineProblem(line) !== undefined) return { omitted: 'unreadable' };
  if (line.record === 'run') {
    const target = line.target as LedgerAddresses;
    const baseUrl = httpUrlOf(target.baseUrl);
    const apiUrl = httpUrlOf(target.apiUrl ?? target.baseUrl);
    if (baseUrl === undefined || apiUrl === undefined) return 'nothing';
    return { addresses: { baseUrl, ...(target.apiUrl === undefined ? {} : { apiUrl }) } };
  }
  return 'record' in line ? 'nothing' : ofLedger(line as unknown as Exchange);
}

function ofLedger(exchange: Exchange): ReadEntry {
  const { method, requestHeaders, requestBody = '', sentAt, receivedAt, response, failure } = exchange;
  const own = ownRecord(exchange);
  const url = httpUrlOf(exchange.url);
  if (!own || url === undefined || ![sentAt, receivedAt].every(isTime)) return { omitted: 'unreadable' };
  if (!response && !failure) return { omitted: 'aborted' };
  return {
    recorded: {
      ...{ method, url, requestHeaders, sentAt, receivedAt, isTimed: true, own },
      requestBody: isLight(requestBody) ? requestBody : undefined,
      variation: exchange.variation,
      response: response && withinWeight(response),
      failure,
    },
  };
}
