import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { RecordingPart } from '../../recording/judgment.ts';

/** A way of violating the interface that was not seen before. */
export interface NewFinding {
  requirement: string;
  status: 'violated' | 'advisory';
  reason: string;
  expected?: string;
  received?: string;
  /** ms since the epoch: when the first exchange that shows it was sent. */
  at: number;
  /** The first exchange that shows it, and how many like it do: `GET /v1/pets?limit=5 -> 200, 1 of 9`. */
  request?: string;
}

/** Ways of violating that are distinguished, at most. */
const MAX_WAYS = 1_000;

/** The ways of violating in a part that are not in `known`; they are added to it. */
export function newFindingsIn({ requests, findings }: RecordingPart, known: Set<string>): NewFinding[] {
  return Object.entries(findings).flatMap(([requirement, finding]) => {
    const { status } = finding;
    if (status !== 'violated' && status !== 'advisory') return [];
    const ways = waysOf(finding).map((way) => `${requirement} ${way}`);
    const fresh = ways.filter((way) => !known.has(way));
    if (fresh.length === 0 || known.size >= MAX_WAYS) return [];
    for (const way of fresh) known.add(way);
    const first = requests.find(({ exchange }) => exchange.id === finding.evidence[0])?.exchange;
    const { expected, received, reason } = finding;
    return [
      {
        requirement,
        status,
        reason,
        ...(expected === undefined ? {} : { expected }),
        ...(received === undefined ? {} : { received }),
        at: first?.sentAt ?? requests.at(-1)?.exchange.sentAt ?? 0,
        ...(first ? { request: requestOf(first, finding) } : {}),
      },
    ];
  });
}

/** The first exchange, and how many like it deviate. */
function requestOf({ method, url, operation, response }: Exchange, { occurrences = [] }: Finding): string {
  const like = occurrences.find(
    (occurrence) => occurrence.operation === operation && occurrence.status === response?.status,
  );
  const counts = like === undefined ? '' : `, ${like.deviating} of ${like.of}`;
  return `${method} ${pathOf(url)} -> ${response?.status ?? 'no response'}${counts}`;
}

function waysOf({ seen = [], kind, pointer = '' }: Finding): string[] {
  if (seen.length === 0) return [`${kind ?? ''} ${pointer.replace(/\d+/g, '#')}`];
  return seen.map((sighting) => `${sighting.kind} ${sighting.pointer ?? ''}`);
}

function pathOf(url: string): string {
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' };
  return pathname + search;
}
