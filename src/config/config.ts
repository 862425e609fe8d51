/** The settings of a target. Each is the option of `petspec run` with the same name. Paths are relative to the file. */
export interface TargetSettings {
  baseUrl?: string;
  /** Path of the OpenAPI document, or of its folder, by which to judge. */
  interface?: string | undefined;
  /** Path of a file with values for requests. */
  example?: string;
  apiUrl?: string;
  /** Base URLs of the other servers of the interface, by name. */
  servers?: Readonly<Record<string, string>>;
  /** Name of the environment variable with the API key. */
  apiKeyVariable?: string;
  /** Path of a file that holds only the API key. */
  apiKeyFile?: string;
  plan?: string | undefined;
  /** Requests per minute of a custom plan. */
  limit?: number;
  /** Requests per day of a custom plan. */
  dayLimit?: number;
  /** An int64, in decimal. */
  categoryId?: string | undefined;
  sharedKey?: boolean;
  readOnly?: boolean;
  /** By an interface other than the bundled one: create, change and remove things. */
  write?: boolean;
  exhaust?: 'minute' | 'day' | 'none';
  /** Leave the window after the recovery to others who use the key. */
  frugal?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** Path of CA certificates (PEM) to trust in addition to the usual ones. */
  ca?: string;
  /** Path of the client certificate (PEM). */
  clientCert?: string;
  /** Path of its private key (PEM), if that file lacks it. */
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
  /** Path of the baseline. */
  baseline?: string;
}

/** A target of a configuration: the settings of `defaults`, overridden by its own. */
export interface ConfiguredTarget extends TargetSettings {
  name: string;
  baseUrl: string;
  /** Its place in the configuration, as file:line:column, for later errors. */
  place: string;
}

/** A petspec.config.yaml. */
export interface Config {
  /** Its path. */
  file: string;
  /** In the order of the file. */
  targets: readonly ConfiguredTarget[];
}

/** A mistake in a configuration. The message is one line: where, what is wrong, what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';

  readonly more: readonly string[];

  /** @param more further mistakes, a line each */
  constructor(message: string, more: readonly string[] = []) {
    super(message);
    this.more = more;
  }
}

/** Settings that are paths. */
export const PATHS = [
  'interface',
  'example',
  'apiKeyFile',
  'ca',
  'clientCert',
  'clientKey',
  'baseline',
] as const;

/** The default name of the configuration. */
export const CONFIG_FILE = 'petspec.config.yaml';

type HeaderSetting = readonly [name: string, value: string];

/** Headers, overridden by others of the same names. */
export function withHeaders(
  headers: readonly HeaderSetting[],
  others: readonly HeaderSetting[],
): HeaderSetting[] {
  const replaced = new Set(others.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...others];
}

/** Settings that depend on another one, or exclude it: if that one is overridden, they no longer apply. */
const GOES_WITH: Readonly<Record<string, readonly string[]>> = {
  plan: ['limit', 'dayLimit'],
  clientCert: ['clientKey'],
  apiKey: ['apiKeyFile'],
  apiKeyVariable: ['apiKeyFile'],
  readOnly: ['write'],
  budget: ['frugal'],
  deep: ['frugal'],
};

/** Settings with the address of the server that is named apiUrl as their `apiUrl`: the two are the same. */
export function withApiUrl(settings: TargetSettings): TargetSettings {
  const { apiUrl, ...servers } = settings.servers ?? {};
  return apiUrl === undefined ? settings : { ...settings, apiUrl, servers };
}

/** Settings without those that depend on an overridden one. */
export function overriddenBy<Settings extends object>(settings: Settings, stated: object): Settings {
  // What is switched off excludes nothing: `readOnly: false` leaves `write`.
  const gone = Object.entries(stated).flatMap(([name, value]) =>
    value === false ? [] : (GOES_WITH[name] ?? []),
  );
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !gone.includes(name))) as Settings;
}
