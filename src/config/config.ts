/** What a configuration says of a target: each setting is the option of `petspec run` of the same name. */
export interface TargetSettings {
  baseUrl?: string;
  apiUrl?: string;
  /** Name of the environment variable that holds the key. */
  apiKeyVariable?: string;
  plan?: string;
  /** Requests per minute of a custom plan. */
  limit?: number;
  /** Requests per day of a custom plan. */
  dayLimit?: number;
  /** An int64, in decimal. */
  categoryId?: string;
  sharedKey?: boolean;
  readOnly?: boolean;
  exhaust?: 'minute' | 'day' | 'none';
  headers?: Readonly<Record<string, string>>;
  /** ms for one request. */
  timeout?: number;
  /** Seconds. */
  maxWait?: number;
  concurrency?: number;
  /** Path of the file of known violations, relative to the configuration. */
  baseline?: string;
}

/** A target of a configuration: its own settings, and those of `defaults` that it does not replace. */
export interface ConfiguredTarget extends TargetSettings {
  name: string;
  baseUrl: string;
  /** Where the configuration names it: file, line and column, for what turns out later. */
  place: string;
}

/** A petspec.config.yaml. */
export interface Config {
  /** Its path, as it was named or found. */
  file: string;
  /** In the order of the file. */
  targets: readonly ConfiguredTarget[];
}

/** A mistake in a configuration: one line that says where, what, and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The name of the file that is looked for. */
export const CONFIG_FILE = 'petspec.config.yaml';
