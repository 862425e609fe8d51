import type { Captured } from './capture/capture.ts';
import type { ReadLine } from './reading/entry.ts';
import { MAX_PART, MAX_PART_SIZE, type Recorded, sizeOf } from './recorded.ts';
import type { Matched } from './requests.ts';

/** The size of waiting entries, in characters: petspec proxy ends a part before its exchanges are as large. */
const MAX_WAITING = 2 * MAX_PART_SIZE;

/**
 * Replaces an entry by a later one with the same number, which has the bodies. petspec proxy writes it before it judges the
 * next part, so up to a part of entries waits.
 */
export async function* withoutReplaced(entries: AsyncIterable<ReadLine>): AsyncGenerator<ReadLine> {
  // In the order of writing: a replacement takes the place of its entry.
  const waiting = new Map<number, Recorded>();
  let size = 0;
  for await (const read of entries) {
    const recorded = read !== 'nothing' && 'recorded' in read ? read.recorded : undefined;
    if (recorded?.entry === undefined) {
      yield read;
      continue;
    }
    const before = waiting.get(recorded.entry);
    if (before) size -= sizeOf(before);
    // The file may contain a second ledger.
    if (before && !isSameRequest(before, recorded)) {
      waiting.delete(recorded.entry);
      yield { recorded: before };
    }
    waiting.set(recorded.entry, recorded);
    size += sizeOf(recorded);
    for (const [entry, oldest] of waiting) {
      if (waiting.size <= MAX_PART && size <= MAX_WAITING) break;
      waiting.delete(entry);
      size -= sizeOf(oldest);
      yield { recorded: oldest };
    }
  }
  for (const recorded of waiting.values()) yield { recorded };
}

function isSameRequest(left: Recorded, right: Recorded): boolean {
  return left.sentAt === right.sentAt && left.method === right.method && left.url === right.url;
}

/**
 * Leaves out the second record of an exchange that passed two recorders: the time of one is within that of the other, and
 * everything else is equal.
 * @param inOrder in the order in which they were sent
 */
export function withoutRepeated(inOrder: readonly Matched[], onRepeated: () => void): Matched[] {
  const latest = new Map<string, Captured>();
  return inOrder.filter(({ captured }) => {
    if (captured.own || captured.entry !== undefined) return true;
    const content = contentOf(captured);
    const before = latest.get(content);
    const isWithin =
      before !== undefined &&
      captured.sentAt >= before.sentAt &&
      captured.receivedAt <= before.receivedAt &&
      captured.receivedAt > before.sentAt;
    if (isWithin) onRepeated();
    else latest.set(content, captured);
    return !isWithin;
  });
}

/** What two records of one exchange have in common: recorders see different headers, but the same limiter. */
function contentOf({ method, url, requestBody, response }: Captured): string {
  const headers = response?.headers.filter(([name]) => /^(?:date|x-ratelimit-.*)$/i.test(name));
  const lines = headers?.map(([name, value]) => [name.toLowerCase(), value]);
  return JSON.stringify([method, url, requestBody, response?.status, response?.body, lines]);
}
