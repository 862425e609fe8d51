import { type Exchange, isSuccess } from '../../model/exchange.ts';

/** Longer values give features by their kind only. */
const LONGEST_VALUE = 24;

/** Headers that every request has. */
const USUAL = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'user-agent',
  'host',
  'connection',
  'content-length',
]);

/**
 * Reads the features of exchanges, in order: the kind of request, its values, the status of its response and the exchange
 * before it. A feature is a short text, such as `op:listPets` or `q:limit=number`.
 */
export function featureReader(): (exchange: Exchange, status?: number) => ReadonlySet<string> {
  let before = 'nothing';
  let isRefused = false;
  let isBack = false;
  return (exchange, status = exchange.response?.status) => {
    const { operation, key } = exchange;
    const isOfLimit = exchange.response?.status === 429 && key === 'valid';
    isRefused ||= isOfLimit;
    isBack ||= isRefused && isSuccess(exchange) && key === 'valid';
    const features = new Set([
      `op:${operation}`,
      `key:${key}`,
      `status:${status ?? 'none'}`,
      `before:${before}`,
      ...(isRefused ? ['limit:refused'] : []),
      ...(isBack ? ['limit:back'] : []),
      ...(exchange.inFlight > 1 ? ['beside'] : []),
      ...addressFeatures(exchange),
      ...headerFeatures(exchange),
      ...bodyFeatures(exchange),
      ...(exchange.recorded === 'traffic' ? [] : planFeatures(exchange)),
    ]);
    before = `${operation} ${exchange.response?.status ?? 'none'}`;
    return features;
  };
}

/** Features that only runs have: the probe, which says the most, and the variations in any order. */
function planFeatures({ probe, variations = [], variation }: Exchange): string[] {
  return [...variations, ...(variation ? [variation] : [])]
    .map((name) => `variation:${name}`)
    .concat(`probe:${probe}`);
}

function addressFeatures({ url }: Exchange): string[] {
  const { pathname, searchParams } = new URL(url);
  const last = pathname.split('/').at(-1) ?? '';
  const names = [...searchParams.keys()];
  return [
    ...(names.length === 0 ? ['query:none'] : [`query:${[...new Set(names)].sort().join('+')}`]),
    ...(new Set(names).size < names.length ? ['query:repeated'] : []),
    ...[...searchParams].flatMap(([name, value]) => [`q:${name}`, ...valuesOf(`q:${name}`, value)]),
    ...(/\d/.test(last) ? valuesOf('path', last) : []),
    ...(/%|\/\//.test(pathname) ? ['path:spelled'] : []),
  ];
}

function headerFeatures({ requestHeaders }: Exchange): string[] {
  return requestHeaders.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const isUsual = USUAL.has(lower);
    const style = name === lower ? [] : [`h:${name === name.toUpperCase() ? 'UPPER' : 'Title'}`];
    if (lower === 'accept' || lower === 'content-type') return [`h:${lower}=${value.slice(0, 60)}`, ...style];
    return isUsual ? style : [`h:${lower}`, ...style];
  });
}

function bodyFeatures({ requestBody }: Exchange): string[] {
  if (requestBody === undefined) return [];
  const escapes = [/\\u/.test(requestBody) && 'b:escaped', /^\s|\n/.test(requestBody) && 'b:spaced'];
  const form = escapes.filter((feature) => feature !== false);
  try {
    const value: unknown = JSON.parse(requestBody);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`body:${kindOf(value)}`, ...form];
    const entries = Object.entries(value);
    return [
      ...form,
      `body:${entries
        .map(([name]) => name)
        .sort()
        .join('+')}`,
      `order:${entries.map(([name]) => name).join('+')}`,
      ...entries.flatMap(([name, member]) => [`b:${name}`, ...valuesOf(`b:${name}`, member)]),
    ];
  } catch {
    return ['body:not JSON', ...form];
  }
}

function valuesOf(place: string, value: unknown): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const exact = text.length <= LONGEST_VALUE ? [`${place}=${text}`] : [];
  return [`${place}:${kindOf(value)}`, ...sizeOf(text).map((size) => `${place}:${size}`), ...exact];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return 'digits';
  return typeof value;
}

/** Features of the length and the characters of a text. */
function sizeOf(text: string): string[] {
  const characters = [...text].length;
  return [
    ...(text === '' ? ['empty'] : []),
    ...[20, 64, 127, 255, 512].filter((length) => characters > length).map((length) => `over ${length}`),
    ...(/[^\0-\x7f]/.test(text) ? ['not ASCII'] : []),
    ...(/[\u{10000}-\u{10ffff}]/u.test(text) ? ['beyond the BMP'] : []),
    ...(/\p{M}/u.test(text) ? ['combining'] : []),
    ...(/['"\\<>&;%]/.test(text) ? ['special characters'] : []),
    ...(text !== text.trim() ? ['outer spaces'] : []),
  ];
}

/** Whether an exchange meets a condition. */
export function hasAll(features: ReadonlySet<string>, condition: readonly string[]): boolean {
  return condition.every((feature) => features.has(feature));
}
