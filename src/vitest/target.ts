import { UsageError } from '../model/usage-error.ts';

/** A target that was started for the tests. */
export interface StartedTarget {
  /** Base URL of the service. */
  baseUrl: string | URL;
  /** Base URL of the message API. Without it, the requirements of the message API are left out. */
  apiUrl?: string | URL | undefined;
  /** API key of the target. */
  apiKey?: string | undefined;
  /** Stops the target. Called after the run, and awaited. */
  close?: (() => unknown) | undefined;
  /** Another name for `close`, called if there is no `close`. */
  stop?: (() => unknown) | undefined;
}

/** The base URL of a target, alone or with its other addresses. */
export type TargetAddress = string | URL | StartedTarget;

/** The address of a target, or a function that starts the target and returns the address. */
export type Target = TargetAddress | (() => TargetAddress | Promise<TargetAddress>);

/**
 * Starts a target if it is a function.
 * @throws UsageError if the value, or what the function returns, is not a target
 */
export async function openTarget(target: Target): Promise<{
  addresses: { baseUrl: string; apiUrl?: string; apiKey?: string };
  close: () => Promise<void>;
}> {
  const opened = typeof target === 'function' ? await target() : target;
  if (typeof opened === 'string' || opened instanceof URL)
    return { addresses: { baseUrl: String(opened) }, close: async () => {} };
  if (typeof opened !== 'object' || opened === null || !opened.baseUrl)
    throw new UsageError(
      "'target' is not valid; expected a base URL, { baseUrl, apiUrl, apiKey, close }, or a function that returns one of them",
    );
  const { baseUrl, apiUrl, apiKey } = opened;
  return {
    addresses: {
      baseUrl: String(baseUrl),
      ...(apiUrl === undefined ? {} : { apiUrl: String(apiUrl) }),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
    close: async () => {
      // Called as methods, because they may use `this`.
      await (opened.close ? opened.close() : opened.stop?.());
    },
  };
}
