import { type Json, parseJson } from '../../src/model/json.ts';
import { type Deviating, judged, listed } from '../../src/traffic/client-check.ts';
import type { ClientCheck, ClientRequest, ScenarioTraffic } from '../../src/traffic/client-traffic.ts';

const requirement = listed(
  'ids',
  'must',
  'Pet (animal record, returned by the service)',
  'An id (int64) that the service returned is sent back with every digit.',
);

/** What the interface asks of clients about ids. */
export const idChecks: readonly ClientCheck[] = [
  {
    requirement,
    judge({ scenarios }) {
      const results = scenarios.map(examine);
      return judged(
        requirement,
        results.flatMap(({ wrong }) => wrong),
        results.flatMap(({ held }) => held),
        'send back an id beyond 2^53',
      );
    },
  },
];

/** Compares the ids of a scenario's requests with those of the responses before them. */
function examine({ scenario, requests }: ScenarioTraffic): { wrong: Deviating[]; held: ClientRequest[] } {
  const returned = new Set<bigint>();
  const byDouble = new Map<number, bigint>();
  const wrong: Deviating[] = [];
  const held: ClientRequest[] = [];
  for (const request of requests) {
    for (const { schema, value } of request.classified.values) {
      // A number that is no bigint is one that a double holds.
      if (schema.format !== 'int64' || typeof value !== 'bigint') continue;
      const meant = byDouble.get(Number(value));
      if (returned.has(value)) held.push(request);
      else if (meant !== undefined)
        wrong.push({
          scenario,
          request,
          deviation: {
            kind: 'meaning',
            reason: 'an id lost digits: it was read as a floating-point number',
            expected: String(meant),
            received: String(value),
          },
        });
    }
    for (const id of largeIntegers(request.exchange.response?.body ?? '')) {
      returned.add(id);
      byDouble.set(Number(id), id);
    }
  }
  return { wrong, held };
}

/** The integers of a JSON text that a double cannot hold. */
function largeIntegers(text: string): bigint[] {
  const parsed = parseJson(text);
  const found: bigint[] = [];
  const visit = (value: Json) => {
    if (typeof value === 'bigint') found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  if (parsed.ok) visit(parsed.value);
  return found;
}
