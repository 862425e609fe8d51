import type { HeaderLine, Received } from '../../model/exchange.ts';
import type { Captured } from '../../recording/capture/capture.ts';
import { type BodyContent, entryOf } from '../../report/formats/har.ts';

/** How an exchange is written to the ledger. */
export interface LineOptions {
  hasBodies: boolean;
  /** Stands for the key, so that keys are told apart when the ledger is judged. */
  keyName?: string | undefined;
}

/**
 * A line of the ledger: an entry of HAR 1.2. Bodies are left out, and only their sizes stay, unless a finding cites
 * the exchange.
 */
export function ledgerLine(captured: Captured, { hasBodies, keyName }: LineOptions): string {
  const { requestHeaders, requestBody, sentAt, receivedAt, response, entry, isHeadComplete } = captured;
  const bodies = {
    requestSize: requestBody === undefined ? -1 : Buffer.byteLength(requestBody),
    requestText: hasBodies && requestBody ? requestBody : undefined,
    content: contentOf(response, hasBodies),
  };
  // A duration of 0 would be an unknown one.
  const time = Math.max(0.001, receivedAt - sentAt);
  const line = {
    ...entryOf({ ...captured, requestHeaders: withKeyName(requestHeaders, keyName) }, time, bodies),
    _entry: entry,
    ...(isHeadComplete ? { _isHeadComplete: true } : {}),
    ...(hasBodies ? { _hasBodies: true } : {}),
  };
  return `${JSON.stringify(line)}\n`;
}

function contentOf(response: Received | undefined, hasBodies: boolean): BodyContent {
  const { body = '', undecodable, unread } = response ?? {};
  return {
    size: Buffer.byteLength(body),
    text: hasBodies && unread === undefined && undecodable === undefined ? body : undefined,
    _undecodable: hasBodies && undecodable !== undefined ? undecodable : undefined,
    _unread: unread,
  };
}

function withKeyName(lines: readonly HeaderLine[], keyName: string | undefined): readonly HeaderLine[] {
  if (keyName === undefined) return lines;
  return lines.map(([name, value]) => {
    if (!/^authorization$/i.test(name)) return [name, value];
    const [, scheme] = /^(\S+) \S/.exec(value) ?? [];
    return [name, scheme === undefined ? keyName : `${scheme} ${keyName}`];
  });
}
