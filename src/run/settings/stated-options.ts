import { isAbsolute, relative } from 'node:path';
import { DEFAULT_OPTIONS, type RunOptions } from '../options.ts';

/**
 * The options of a run as words of its command line, except for the addresses and the key, so that another run can have them.
 * The values of headers may be secrets, and are left to the user.
 */
export function statedOptions(options: RunOptions): string[] {
  const { servers = {}, limits = {}, seed, exhaust, only, headers } = options;
  const valued = [
    ['--interface', fromHere(options.interface)],
    ['--example', fromHere(options.example)],
    ...Object.entries(servers).map(([name, url]) => ['--server', `${name}=${url}`] as const),
    ['--plan', options.plan],
    ['--limit', limits.minute],
    ['--day-limit', limits.day],
    ['--category-id', options.categoryId],
    ['--exhaust', exhaust === DEFAULT_OPTIONS.exhaust ? undefined : exhaust],
    ['--only', only.length === 0 ? undefined : only.join(',')],
    ['--set', options.set],
    ['--seed', seed],
    ['--budget', options.budget],
    ...NUMBERS.map(([option, name]) => [option, changed(options, name)] as const),
    ...headers.map(([name]) => ['--header', `${name}: <value>`] as const),
  ] as const;
  return [
    ...valued.flatMap(([option, value]) => (value === undefined ? [] : [option, String(value)])),
    ...SWITCHES.flatMap(([option, name]) => (options[name] ? [option] : [])),
  ];
}

/** A path as a user in this folder types it. */
function fromHere(path: string | undefined): string | undefined {
  const near = path === undefined ? '' : relative(process.cwd(), path);
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
  ['--traceparent', 'traceparent'],
  ['--insecure', 'insecure'],
] as const;

function changed(options: RunOptions, name: (typeof NUMBERS)[number][1]): number | undefined {
  return options[name] === DEFAULT_OPTIONS[name] ? undefined : options[name];
}
