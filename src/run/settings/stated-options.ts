import { isAbsolute, relative } from 'node:path';
import { DEFAULT_OPTIONS, type RunOptions } from '../options.ts';

/**
 * The options of a run as words of its command line, so that another run sends nothing else. Left out are the addresses, the key,
 * and the headers of the user, whose values may be secrets.
 */
export function statedOptions(options: RunOptions): string[] {
  const { servers = {}, limits = {}, seed, exhaust, violatedBefore = [], words = [] } = options;
  const only = [...options.only, ...violatedBefore];
  const valued = [
    ['--interface', options.interfaceSource?.url ?? (options.interface && fromHere(options.interface))],
    ['--interface-digest', options.interfaceSource?.digest],
    ['--example', options.example && fromHere(options.example)],
    ...Object.entries(servers).map(([name, url]) => ['--server', `${name}=${url}`] as const),
    ['--plan', options.plan],
    ['--limit', limits.minute],
    ['--day-limit', limits.day],
    ['--category-id', options.categoryId],
    ['--exhaust', exhaust === DEFAULT_OPTIONS.exhaust ? undefined : exhaust],
    ['--only', only.length === 0 ? undefined : only.join(',')],
    ['--set', options.set],
    ['--as-of', options.asOf],
    // Only runs of older versions vary nothing.
    ['--seed', seed === 'none' ? undefined : seed],
    ['--budget', options.budget],
    ...NUMBERS.map(([option, name]) => [option, changed(options, name)] as const),
  ] as const;
  return [
    ...valued.flatMap(([option, value]) => (value === undefined ? [] : [option, String(value)])),
    ...SWITCHES.flatMap(([option, name]) => (options[name] ? [option] : [])),
    ...words,
  ];
}

/** A path as a user in this folder types it. */
export function fromHere(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
}

const NUMBERS = [
  ['--timeout', 'timeout'],
  ['--max-wait', 'maxWait'],
  ['--max-time', 'maxTime'],
  ['--concurrency', 'concurrency'],
] as const;

const SWITCHES = [
  ['--write', 'write'],
  ['--read-only', 'readOnly'],
  ['--shared-key', 'sharedKey'],
  ['--strict', 'strict'],
  ['--frugal', 'frugal'],
  ['--traceparent', 'traceparent'],
  ['--insecure', 'insecure'],
] as const;

function changed(options: RunOptions, name: (typeof NUMBERS)[number][1]): number | undefined {
  return options[name] === DEFAULT_OPTIONS[name] ? undefined : options[name];
}
