/** Settings that say more of another one: whoever replaces that one means them to go. */
const GOES_WITH: Readonly<Record<string, readonly string[]>> = {
  plan: ['limit', 'dayLimit'],
  clientCert: ['clientKey'],
  apiKey: ['apiKeyFile'],
  apiKeyVariable: ['apiKeyFile'],
};

/** Settings, but for those that only went with what is stated over them. */
export function overriddenBy<Settings extends object>(settings: Settings, stated: object): Settings {
  const gone = Object.keys(stated).flatMap((name) => GOES_WITH[name] ?? []);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !gone.includes(name))) as Settings;
}
