import { loadContract } from '../../src/contract/load.ts';
import type { Judged } from '../../src/judge/evidence/judged.ts';
import type { Exchange, HeaderLine, Received } from '../../src/model/exchange.ts';
import type { Probe } from '../../src/model/probe.ts';
import { probesOf } from '../../src/run/plan/probes.ts';
import { allChecks } from '../../suites/index.ts';
import { exchange } from './exchange.ts';

export const contract = loadContract();
export const probes = probesOf(contract, allChecks(contract));

/** The headers of every response, and of every JSON response. */
export const RATE_HEADERS: readonly HeaderLine[] = [
  ['X-RateLimit-Limit', '60'],
  ['X-RateLimit-Remaining', '59'],
  ['X-RateLimit-Reset', '1795262400'],
];
export const JSON_HEADERS: readonly HeaderLine[] = [['Content-Type', 'application/json'], ...RATE_HEADERS];

const PET = '{"id":1,"name":"Rex","categoryId":1}';
const BODIES: Readonly<Record<string, string>> = {
  listPets: `[${PET}]`,
  sendMessage: '{"id":"1","message":"Rex","status":"sent","createdAt":"2026-11-21T12:00:00Z"}',
};

/** The probe with this id, of these probes. */
export function probeNamed(id: string, all: readonly Probe[] = probes): Probe {
  const probe = all.find((each) => each.id === id);
  if (!probe) throw new Error(`no probe ${id}`);
  return probe;
}

/** An exchange of a probe to which no response came, unless `change` has one. */
export function exchangeOf(probe: Probe, change: Partial<Exchange> = {}): Exchange {
  const { id, operation, stage, key } = probe;
  const address = operation === 'sendMessage' ? 'apiUrl' : 'baseUrl';
  return exchange({ probe: id, operation, address, stage, key, ...change });
}

/** A response with the body that the interface documents for its status. */
export function responseTo(operation: string, { status = 200, ...rest }: Partial<Received> = {}): Received {
  const retryAfter: HeaderLine[] = status === 429 ? [['Retry-After', '30']] : [];
  const error = JSON.stringify({ code: 'c', message: 'm', status });
  const body = status < 300 ? (BODIES[operation] ?? PET) : error;
  return { status, headers: [...JSON_HEADERS, ...retryAfter], body, ...rest };
}

/** A judged exchange in which nothing is wrong, unless `change` says otherwise. */
export function judgedOf(probe: Probe, exchange: Exchange, change: object = {}): Judged {
  const operation = contract.operations.find(({ id }) => id === probe.operation);
  if (!operation) throw new Error(`no operation ${probe.operation}`);
  const nothingWrong = { outcome: 'answered', isSound: true, met: [], deviations: [], hidden: [] } as const;
  return { exchange, probe, operation, ...nothingWrong, ...change };
}
