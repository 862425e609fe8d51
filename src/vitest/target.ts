import { UsageError } from '../run/options.ts';

/** A target that was started for the tests, as a start function returns it. */
export interface StartedTarget {
  baseUrl: string | URL;
  /** Where POST /messages lives; without it those requirements are left out. */
  apiUrl?: string | URL | undefined;
  apiKey?: string | undefined;
  /** Called after the run; `stop` is another name for it. */
  close?: (() => unknown) | undefined;
  stop?: (() => unknown) | undefined;
}

/** Where a target is: its base address, or that with what belongs to it. */
export type TargetAddress = string | URL | StartedTarget;

/** A target: where it is, or a function that starts it and says so. */
export type Target = TargetAddress | (() => TargetAddress | Promise<TargetAddress>);

/** @throws UsageError where what was handed over, or returned, is no target */
export async function openTarget(target: Target): Promise<{
  addresses: { baseUrl: string; apiUrl?: string; apiKey?: string };
  close: () => Promise<void>;
}> {
  const opened = typeof target === 'function' ? await target() : target;
  if (typeof opened === 'string' || opened instanceof URL)
    return { addresses: { baseUrl: String(opened) }, close: async () => {} };
  if (typeof opened !== 'object' || opened === null || !opened.baseUrl)
    throw new UsageError(
      'target: an address, { baseUrl, apiUrl, apiKey, close }, or a function that returns one of them is needed',
    );
  const { baseUrl, apiUrl, apiKey } = opened;
  return {
    addresses: {
      baseUrl: String(baseUrl),
      ...(apiUrl === undefined ? {} : { apiUrl: String(apiUrl) }),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
    close: async () => {
      // As methods: they may look for what they belong to.
      await (opened.close ? opened.close() : opened.stop?.());
    },
  };
}
