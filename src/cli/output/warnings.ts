import { visible } from '../../model/visible.ts';
import type { RunOptions } from '../../run/options.ts';
import { isLoopback } from '../options/network/proxy-variables.ts';
import type { RunFlags } from '../options/run-options.ts';

/**
 * The warnings about the options of a run, a line each. They are printed before anything is sent, even with --quiet.
 * @param leftOut the parts of the user's files that are not used, a line each
 */
export function renderWarnings(
  options: RunOptions,
  { apiKey: typed, secondKey }: Pick<RunFlags, 'apiKey' | 'secondKey'>,
  leftOut: readonly string[] = [],
): string {
  const { insecure, baseUrl, apiUrl, servers = {}, apiKey } = options;
  const addresses = [baseUrl, apiUrl, ...Object.values(servers)]
    .filter((address) => address !== undefined)
    .map((address) => new URL(address));
  const readable = addresses.filter((url) => url.protocol === 'http:' && !isLoopback(url));
  const lines = [
    ...leftOut,
    ...(secondKey === undefined
      ? []
      : ['--second-key: other users of this machine can see it; use PETSPEC_SECOND_KEY']),
    ...(typed !== undefined
      ? ['--api-key: other users of this machine can see it; use PETSPEC_API_KEY or --api-key-file']
      : []),
    ...(insecure && baseUrl !== undefined
      ? [`--insecure: CERTIFICATES ARE NOT VERIFIED. Anyone who answers for ${visible(baseUrl)} gets the key`]
      : []),
    ...(apiKey === undefined
      ? []
      : [...new Set(readable.map(({ origin }) => origin))].map(
          (origin) => `${visible(origin)}: plain http; anyone on the network can read the key; use https`,
        )),
  ];
  return lines.map((line) => `petspec: warning: ${line}\n`).join('');
}
