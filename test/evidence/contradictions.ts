import type { Exchange } from '../../src/model/exchange.ts';
import type { Finding } from '../../src/model/finding.ts';
import { wrongBody } from './bodies.ts';
import { figureOf, saysLimit, wrongHeaders } from './headers.ts';
import { areStatusesUnsteady, wrongPayload } from './payload.ts';
import { dueOf, isSuccess, shownBy } from './requests.ts';

// What the exchanges of a run contradict, told from the sentences of interface.md alone: nothing in this folder asks
// the judging code, the checks or the OpenAPI document.

/** Requirements that are met although an exchange contradicts them, with the first one that does. */
export function metAgainstEvidence(
  exchanges: readonly Exchange[],
  findings: Readonly<Record<string, Finding>>,
): string[] {
  const against = new Map<string, number>();
  for (const { requirement, exchange } of [...contradictions(exchanges), ...wrongLimits(exchanges)])
    if (!against.has(requirement)) against.set(requirement, exchange);
  return [...against]
    .filter(([requirement]) => findings[requirement]?.status === 'met')
    .map(([requirement, exchange]) => `${requirement} is met, against exchange ${exchange}`);
}

function contradictions(exchanges: readonly Exchange[]): { requirement: string; exchange: number }[] {
  const ofService = exchanges.filter(isOfService);
  const isUnsteady = () => areStatusesUnsteady(ofService);
  return ofService.flatMap((exchange) => {
    const earlier = ofService.filter(({ id }) => id < exchange.id);
    const names = [
      ...wrongStatus(exchange, earlier),
      ...wrongHeaders(exchange),
      ...wrongBody(exchange, earlier),
      ...wrongPayload(exchange, earlier, isUnsteady),
    ];
    return names.map((requirement) => ({ requirement, exchange: exchange.id }));
  });
}

/** "will be removed on 5 December 2030": in some time zone that day begins on the 4th. */
const REMOVAL = Date.UTC(2030, 11, 4);

/** Whether an exchange shows what the service does: a response, or that it failed to give one. */
function isOfService(exchange: Exchange): boolean {
  const { response, failure, operation, sentAt, variation } = exchange;
  const others = ['refused', 'unreachable', 'tls', 'interrupted', 'too-large'];
  // What a service does with another spelling of a request, or a header that it did not ask for, is not shown.
  if (variation && response?.status !== 429 && !isSuccess(exchange)) return false;
  if (isFromGateway(exchange)) return false;
  if (
    isOtherSpelling(exchange) &&
    !(isSuccess(exchange) && shownBy(exchange).some(({ id }) => id !== undefined))
  )
    return false;
  if (operation === 'getPet' && sentAt >= REMOVAL && response && response.status >= 300) return false;
  return response !== undefined || (failure !== undefined && !others.includes(failure.kind));
}

/** Whether something in front of the service may have refused what the interface does not show: it says nothing of the limit. */
function isFromGateway(exchange: Exchange): boolean {
  const { response, variations } = exchange;
  const isRefused = response !== undefined && response.status >= 400 && response.status <= 499;
  return isRefused && variations !== undefined && !saysLimit(exchange);
}

/** Whether an address is not one that the interface names, but may lead to the same: `/pets/`, `//pets`, `/p%65ts`. */
function isOtherSpelling({ url }: Exchange): boolean {
  return /\/\/|\/$|\/\w*%/.test(new URL(url).pathname);
}

/** Statuses that "say there is no such operation". */
const ABSENT = [404, 405, 410];

function wrongStatus(exchange: Exchange, earlier: readonly Exchange[]): string[] {
  const { operation, key, stage, response } = exchange;
  const status = response?.status ?? 0;
  if (status === 429) return stage === 'recover' ? ['rate-limit.recovery'] : [];
  const isBroken = status === 0 || status >= 500;
  const names = [
    ...(response ? [] : ['service.http']),
    ...(status >= 500 ? [`${operation}.responses`] : []),
    ...(isBroken && stage === 'recover' ? ['rate-limit.recovery'] : []),
  ];
  const due = dueOf(exchange, earlier);
  if (key !== 'valid') return [...names, ...wrongRefusal(exchange, due.status)];
  if (status === 401) names.push('authentication.accepted');
  if (operation === 'getStoreOrders' && ABSENT.includes(status)) names.push('getStoreOrders.exists');
  if (due.status === undefined) return names;
  const isAnswered = due.status === '2XX' ? isSuccess(exchange) : String(status) === due.status;
  if (!isAnswered) names.push(`${operation}.${due.status}`);
  const isKept = due.status.startsWith('2') ? isAnswered : status >= 400 && status <= 499;
  return isKept ? names : [...names, ...due.rules];
}

/** "When the key is missing or invalid, the service answers 401", "All operations". */
function wrongRefusal(exchange: Exchange, due: string | undefined): string[] {
  const { key, response } = exchange;
  if (response?.status === 401) return [];
  const isOfScheme = key === 'scheme' || key === 'bare';
  const isLetIn = isSuccess(exchange) && key !== 'absent';
  const isWrongOtherwise = response !== undefined && (due === '400' || due === '404');
  return [
    'Unauthorized',
    ...(isLetIn ? [isOfScheme ? 'authentication.scheme' : 'authentication.key'] : []),
    ...(isWrongOtherwise ? ['authentication.first'] : []),
  ];
}

/** "60", "1,000"; "300", "10,000"; "1,000", "100,000": the limits of the plans, of a minute and of a day. */
const PLANS = [
  [60, 1_000],
  [300, 10_000],
  [1_000, 100_000],
];

/**
 * "The limit in force" of one operation is one figure; or the two of one plan in turn; and "Higher limits come from a plan
 * upgrade", which nothing takes back.
 */
function wrongLimits(exchanges: readonly Exchange[]): { requirement: string; exchange: number }[] {
  const plans = new Map<string, { limit: number; lowest: number }>();
  return exchanges
    .filter(({ key, response }) => key === 'valid' && response)
    .sort((one, other) => one.receivedAt - other.receivedAt)
    .flatMap((exchange) => {
      const limit = figureOf(exchange, 'X-RateLimit-Limit');
      if (Number.isNaN(limit)) return [];
      const known = plans.get(exchange.operation) ?? { limit, lowest: 0 };
      const possible = PLANS.findIndex((figures, plan) => plan >= known.lowest && figures.includes(limit));
      const isSame = limit === known.limit && !PLANS.flat().includes(limit);
      plans.set(exchange.operation, { limit, lowest: Math.max(known.lowest, possible) });
      const wasStated = PLANS.flat().includes(known.limit);
      return isSame || (possible >= 0 && wasStated)
        ? []
        : [{ requirement: 'rate-limit.constant', exchange: exchange.id }];
    });
}
