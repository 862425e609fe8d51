import { didYouMean, UsageError } from '../model/usage-error.ts';
import type { RunOptions } from './options.ts';

/** Every setting that a caller of petspec's functions may state. */
const NAMES: Record<Exclude<keyof RunOptions, 'violatedBefore'> | 'clock', true> = {
  clock: true,
  baseUrl: true,
  apiUrl: true,
  servers: true,
  interface: true,
  example: true,
  write: true,
  apiKey: true,
  plan: true,
  limits: true,
  categoryId: true,
  sharedKey: true,
  readOnly: true,
  exhaust: true,
  budget: true,
  only: true,
  strict: true,
  set: true,
  seed: true,
  timeout: true,
  maxWait: true,
  maxTime: true,
  concurrency: true,
  headers: true,
  traceparent: true,
  insecure: true,
  network: true,
  keyFrom: true,
};

/**
 * Refuses settings that would silently mean something else: a name that petspec does not know, and text in place of a
 * list.
 * @throws UsageError
 */
export function refuseWrongSettings(settings: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(NAMES);
  for (const name of Object.keys(settings))
    if (!Object.hasOwn(NAMES, name))
      throw new UsageError(`unknown setting '${name}'${didYouMean(name, names)}`);
  const { only } = settings;
  if (only !== undefined && !(Array.isArray(only) && only.every((each) => typeof each === 'string')))
    throw new UsageError("'only' is not valid; expected a list, such as ['listPets.*']");
}
