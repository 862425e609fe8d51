import { type OptionValues, optionRows, type SettingName } from '../run/settings/option-table.ts';

/** The settings of a target: options of `petspec run` with the same names, and a few of their own. Paths are relative to the file. */
export interface TargetSettings extends Pick<OptionValues, SettingName> {
  baseUrl?: string | undefined;
  /** Base URLs of the other servers of the interface, by name. */
  servers?: Readonly<Record<string, string>> | undefined;
  /** Name of the environment variable with the API key. */
  apiKeyVariable?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
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
export const PATHS = optionRows.flatMap(([name, { kind, setting }]) =>
  setting !== undefined && (kind === 'path' || kind === 'file') ? [name as SettingName] : [],
);

/** The default name of the configuration. */
export const CONFIG_FILE = 'petspec.config.yaml';

type HeaderSetting = readonly [name: string, value: string];

/** Headers, with overrides in place of those of the same names. */
export function withHeaders(
  headers: readonly HeaderSetting[],
  overrides: readonly HeaderSetting[],
): HeaderSetting[] {
  const replaced = new Set(overrides.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...overrides];
}

/** Settings that depend on another setting, or exclude it: if the other is overridden, they no longer apply. */
const GOES_WITH: Readonly<Record<string, readonly string[]>> = {
  plan: ['limit', 'dayLimit'],
  clientCert: ['clientKey'],
  apiKey: ['apiKeyFile'],
  apiKeyVariable: ['apiKeyFile'],
  readOnly: ['write'],
  budget: ['frugal'],
  deep: ['frugal'],
};

/** Settings with the address of the server that is named apiUrl as their `apiUrl`: both mean the same. */
export function withApiUrl(settings: TargetSettings): TargetSettings {
  const { apiUrl, ...servers } = settings.servers ?? {};
  return apiUrl === undefined ? settings : { ...settings, apiUrl, servers };
}

/** Settings without those that depend on an overridden setting. */
export function overriddenBy<Settings extends object>(settings: Settings, stated: object): Settings {
  // A switch that is off excludes no other setting: `readOnly: false` leaves `write`.
  const gone = Object.entries(stated).flatMap(([name, value]) =>
    value === false ? [] : (GOES_WITH[name] ?? []),
  );
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !gone.includes(name))) as Settings;
}
