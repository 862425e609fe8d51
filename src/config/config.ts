/**
 * What a configuration says of a target: each setting is the option of `petspec run` of the same name. Paths are
 * relative to the configuration.
 */
export interface TargetSettings {
  baseUrl?: string;
  apiUrl?: string;
  /** Name of the environment variable that holds the key. */
  apiKeyVariable?: string;
  /** Path of a file with the key alone, where no environment variable holds it. */
  apiKeyFile?: string;
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
  /** Path of certificates (PEM) to trust besides the usual roots. */
  ca?: string;
  /** Path of the certificate (PEM) by which petspec shows who it is. */
  clientCert?: string;
  /** Path of its private key (PEM), if that does not hold it. */
  clientKey?: string;
  /** Do not verify certificates. */
  insecure?: boolean;
  /** ms for one request. */
  timeout?: number;
  /** Seconds. */
  maxWait?: number;
  /** Seconds. */
  maxTime?: number;
  concurrency?: number;
  /** Path of the file of known violations. */
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

/** Settings that are paths. */
export const PATHS = ['apiKeyFile', 'ca', 'clientCert', 'clientKey', 'baseline'] as const;

/** The name of the file that is looked for. */
export const CONFIG_FILE = 'petspec.config.yaml';
