import type { RunOptions } from '../harness/options.ts';
import { visible } from '../report/visible.ts';

/** What a user should know of the options of a run before anything is sent, however quiet the run: a line each. */
export function renderWarnings(options: RunOptions, isKeyInArguments: boolean): string {
  const { insecure, baseUrl } = options;
  const lines = [
    ...(isKeyInArguments
      ? [
          '--api-key: others on this machine may have seen it; PETSPEC_API_KEY or --api-key-file keeps it to you',
        ]
      : []),
    ...(insecure && baseUrl !== undefined
      ? [`--insecure: CERTIFICATES ARE NOT VERIFIED. Whoever answers for ${visible(baseUrl)} gets the key`]
      : []),
  ];
  return lines.map((line) => `petspec: warning: ${line}\n`).join('');
}
