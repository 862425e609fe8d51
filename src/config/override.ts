/** Settings that depend on another one: if that one is overridden, they no longer apply. */
const GOES_WITH: Readonly<Record<string, readonly string[]>> = {
  plan: ['limit', 'dayLimit'],
  clientCert: ['clientKey'],
  apiKey: ['apiKeyFile'],
  apiKeyVariable: ['apiKeyFile'],
};

/** Settings without those that depend on an overridden one. */
export function overriddenBy<Settings extends object>(settings: Settings, stated: object): Settings {
  const gone = Object.keys(stated).flatMap((name) => GOES_WITH[name] ?? []);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !gone.includes(name))) as Settings;
}
