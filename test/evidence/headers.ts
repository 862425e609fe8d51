import type { Exchange } from '../../src/model/exchange.ts';

const RATE_LIMIT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const DAY_MS = 86_400_000;

/** The values of a header, also where a proxy joined two lines with a comma. */
export function valuesOf({ response }: Exchange, name: string): string[] {
  const wanted = name.toLowerCase();
  const lines = (response?.headers ?? []).filter(
    ([each]) => each.length === wanted.length && each.toLowerCase() === wanted,
  );
  const members = lines.flatMap(([, value]) => (/^[\d\s,]+$/.test(value) ? value.split(',') : [value]));
  return [...new Set(members.map((each) => each.trim()))];
}

/** The one number of a header; NaN where there is none. */
export function figureOf(exchange: Exchange, name: string): number {
  const [value = '', ...others] = valuesOf(exchange, name);
  return others.length === 0 && /^\d+$/.test(value) ? Number(value) : Number.NaN;
}

/** Whether one of the headers is there that every response of the service carries. */
export function saysLimit(exchange: Exchange): boolean {
  return RATE_LIMIT.some((name) => valuesOf(exchange, name).length > 0);
}

/** "Every API response carries" three headers, a 429 Retry-After as well; and what these say of each other. */
export function wrongHeaders(exchange: Exchange): string[] {
  const { response, key } = exchange;
  if (!response) return [];
  const carried = [...RATE_LIMIT, ...(response.status === 429 ? ['Retry-After'] : [])];
  const names = carried.flatMap((name) => {
    const [value, ...others] = valuesOf(exchange, name);
    if (value === undefined) return [name];
    const isDate = name === 'Retry-After' && !Number.isNaN(Date.parse(value));
    return others.length === 0 && (/^\d+$/.test(value) || isDate) ? [] : [`${name}.schema`];
  });
  if (figureOf(exchange, 'X-RateLimit-Remaining') > figureOf(exchange, 'X-RateLimit-Limit'))
    names.push('rate-limit.remaining');
  const reset = figureOf(exchange, 'X-RateLimit-Reset');
  // "Unix timestamp": no milliseconds, and not the seconds to go.
  if (key === 'valid' && (reset > 1e11 || reset < 1e8)) names.push('rate-limit.reset');
  const isRefused = response.status === 429 && key === 'valid';
  const left = figureOf(exchange, 'X-RateLimit-Remaining');
  const [wait = ''] = valuesOf(exchange, 'Retry-After');
  // A Limit of the day says nothing of the minute, and a minute is over sooner than a day that is used up.
  const isOfDay = Number(wait) > 120;
  if (isRefused && !isOfDay && left > mostLeft(exchange) && figureOf(exchange, 'X-RateLimit-Limit') === 60)
    names.push('rate-limit.early');
  if (isRefused && /^[A-Z][a-z]+day,|^[A-Z][a-z]{2} [A-Z]/.test(wait)) names.push('rate-limit.http-date');
  if (response.status === 401 && key !== 'valid' && valuesOf(exchange, 'WWW-Authenticate').length === 0)
    names.push('authentication.challenge');
  return [...names, ...wrongSunset(exchange)];
}

/** How many may be left if a request is refused: a limiter that estimates may be off by three, and some requests cost more. */
function mostLeft({ method, operation }: Exchange): number {
  if (operation === 'listPets') return 8;
  return method === 'POST' ? 4 : 3;
}

/** "will be removed on 5 December 2030" */
function wrongSunset(exchange: Exchange): string[] {
  const [sunset] = valuesOf(exchange, 'Sunset');
  if (sunset === undefined || exchange.stage !== 'read' || exchange.operation !== 'getPet') return [];
  const days = (Date.parse(sunset) - Date.UTC(2030, 11, 5)) / DAY_MS;
  return days > -1 && days < 2 ? [] : ['getPet.sunset'];
}
