import type { Captured } from './capture/capture.ts';
import type { Matched } from './requests.ts';

/** Leaves out the entries that a later one with the same number replaces. */
export function withoutReplaced(
  part: readonly Captured[],
  onReplaced: (captured: Captured) => void,
): Captured[] {
  const last = new Map(part.map((each) => [each.entry, each]));
  return part.filter((each) => {
    const isReplaced = each.entry !== undefined && last.get(each.entry) !== each;
    if (isReplaced) onReplaced(each);
    return !isReplaced;
  });
}

/**
 * Leaves out the second record of an exchange that passed two recorders: the time of one lies within that of the other, and
 * all else is the same.
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

/** What two records of one exchange have in common: recorders on its way see other headers, but the same limiter. */
function contentOf({ method, url, requestBody, response }: Captured): string {
  const headers = response?.headers.filter(([name]) => /^(?:date|x-ratelimit-.*)$/i.test(name));
  const lines = headers?.map(([name, value]) => [name.toLowerCase(), value]);
  return JSON.stringify([method, url, requestBody, response?.status, response?.body, lines]);
}
