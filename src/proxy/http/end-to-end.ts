/** Fields of one connection, which an intermediary does not pass on (RFC 9110 section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...(['connection', 'keep-alive', 'proxy-connection'] as const),
  ...(['te', 'transfer-encoding', 'upgrade'] as const),
]);

/** Header lines one after the other: name, value, name, value. */
export type FlatLines = readonly string[];

/**
 * The end-to-end lines of a head in their order, case and repetitions. Those that Connection names are left out as well.
 * @param excluded names in lower case of further lines to leave out
 */
export function endToEnd(lines: FlatLines, excluded: ReadonlySet<string> = new Set()): string[] {
  const named = namedByConnection(lines);
  const kept: string[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', value = ''] = [lines[at], lines[at + 1]];
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || excluded.has(lower) || named?.has(lower)) continue;
    kept.push(name, value);
  }
  return kept;
}

function namedByConnection(lines: FlatLines): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined;
  for (let at = 0; at + 1 < lines.length; at += 2) {
    if (lines[at]?.length !== 10 || lines[at]?.toLowerCase() !== 'connection') continue;
    named ??= new Set();
    for (const name of membersOf(lines[at + 1] ?? '')) named.add(name);
  }
  return named;
}

function membersOf(value: string): string[] {
  return value.split(',').map((each) => each.trim().toLowerCase());
}

/** Whether a head has a line with this name. @param name in lower case */
export function hasLine(lines: FlatLines, name: string): boolean {
  return lines.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

/** Whether a head has a transfer coding other than `chunked`, which neither Node nor undici decodes. */
export function hasOtherCoding(lines: FlatLines): boolean {
  for (let at = 0; at + 1 < lines.length; at += 2)
    if (lines[at]?.toLowerCase() === 'transfer-encoding')
      if (membersOf(lines[at + 1] ?? '').some((coding) => coding !== 'chunked')) return true;
  return false;
}

/** Header lines as pairs. */
export function pairsOf(lines: FlatLines): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) pairs.push([lines[at] ?? '', lines[at + 1] ?? '']);
  return pairs;
}
