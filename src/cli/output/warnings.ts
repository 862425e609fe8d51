import { visible } from '../../model/visible.ts';
import type { RunOptions } from '../../run/options.ts';
import { isLoopback } from '../options/proxy-variables.ts';

/** What a user should know of the options of a run before anything is sent, however quiet the run: a line each. */
export function renderWarnings(options: RunOptions, isKeyInArguments: boolean): string {
  const { insecure, baseUrl, apiUrl, apiKey } = options;
  const addresses = [baseUrl, apiUrl].filter((each) => each !== undefined).map((each) => new URL(each));
  const readable = addresses.filter((each) => each.protocol === 'http:' && !isLoopback(each));
  const lines = [
    ...(isKeyInArguments
      ? [
          '--api-key: others on this machine may have seen it; PETSPEC_API_KEY or --api-key-file keeps it to you',
        ]
      : []),
    ...(insecure && baseUrl !== undefined
      ? [`--insecure: CERTIFICATES ARE NOT VERIFIED. Whoever answers for ${visible(baseUrl)} gets the key`]
      : []),
    ...(apiKey === undefined
      ? []
      : [...new Set(readable.map(({ origin }) => origin))].map(
          (origin) =>
            `${visible(origin)}: plain http: anyone on the network in between can read the key; use https`,
        )),
  ];
  return lines.map((line) => `petspec: warning: ${line}\n`).join('');
}
