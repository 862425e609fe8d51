import { isObject } from '../../contract/schema.ts';
import { CLOCK } from '../../model/clock.ts';
import { didYouMean, expecting, notValid, type Rule, UsageError } from '../../model/usage-error.ts';
import { MAX_SEED } from '../options.ts';
import { type OptionRow, optionRows } from './option-table.ts';
import {
  A_DAY,
  addressProblem,
  EXHAUSTIBLE,
  isDay,
  isHeaderName,
  isHeaderValue,
  isInt64,
  isKeyHeader,
  isPositiveInteger,
  isSeed,
  isWrittenByHttp,
  keyProblem,
} from './values.ts';

/** A rule that may depend on the other settings. */
type SettingRule = Rule<Readonly<Record<string, unknown>>>;

const isText = (value: unknown) => typeof value === 'string';
const TEXT = expecting('a text that is not empty', (value) => isText(value) && value !== '');
const SWITCH = expecting('true or false', (value) => typeof value === 'boolean');
const COUNT = expecting('a positive integer', isPositiveInteger);
const IDS = expecting(
  "a list, such as ['listPets.*']",
  (value) => Array.isArray(value) && value.every(isText),
);

const ADDRESS: SettingRule = (value) => {
  if (typeof value !== 'string') return notValid('a base URL as text');
  const problem = addressProblem(value, "'headers'");
  return problem && `: ${problem}`;
};

const SERVERS: SettingRule = (value) => {
  if (!isObject(value)) return notValid('base URLs by the names of the servers');
  return Object.values(value)
    .map((url) => ADDRESS(url, {}))
    .find((problem) => problem !== undefined);
};

/** An empty key is a missing key, which is reported where a key is needed. Only a user's interface may take it as a whole header. */
const KEY: SettingRule = (value, { interface: document }) => {
  if (typeof value !== 'string') return notValid('the API key as text');
  const problem = value === '' ? undefined : keyProblem(value, document !== undefined);
  return problem && `: ${problem}`;
};

const KEYS: SettingRule = (value, settings) => {
  if (!isObject(value)) return notValid('API keys by the names of their schemes');
  return Object.values(value)
    .map((key) => (key === '' ? notValid('keys that are not empty') : KEY(key, settings)))
    .find((problem) => problem !== undefined);
};

const LIMITS = expecting(
  'requests per window, each a positive integer, such as { minute: 60, day: 1000 }',
  (value) =>
    isObject(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, count]) => /^(?:minute|day)$/.test(name) && isPositiveInteger(count)),
);

const HEADERS: SettingRule = (value) => {
  const wrong = notValid("names with values, such as [['X-Gateway', 'open']]");
  if (!Array.isArray(value)) return wrong;
  for (const header of value) {
    const [name, text, ...more]: unknown[] = Array.isArray(header) ? header : [];
    if (typeof name !== 'string' || typeof text !== 'string' || more.length > 0) return wrong;
    if (isKeyHeader(name)) return ": Authorization carries the API key; set it with 'apiKey'";
    if (isWrittenByHttp(name)) return `: ${name} is written by petspec itself; leave it out`;
    if (!isHeaderName(name) || !isHeaderValue(text)) return `${wrong}, without characters that no header has`;
  }
  return undefined;
};

/** The rules for the values of options. */
const BY_KIND: Readonly<Partial<Record<OptionRow['kind'], SettingRule>>> = {
  switch: SWITCH,
  count: COUNT,
  text: TEXT,
  path: TEXT,
  address: ADDRESS,
  int64: expecting('an int64 as text', (value) => typeof value === 'string' && isInt64(value)),
  day: expecting(A_DAY, isDay),
  seed: expecting(`an integer from 0 to ${MAX_SEED}`, (value) => value === 'none' || isSeed(value)),
  window: expecting(`one of ${EXHAUSTIBLE.join(', ')}`, (value) =>
    EXHAUSTIBLE.some((window) => window === value),
  ),
  ids: IDS,
};

/** Settings that are not options, or mean something else. */
const FURTHER_RULES: Readonly<Record<string, SettingRule>> = {
  clock: CLOCK,
  baseUrl: ADDRESS,
  servers: SERVERS,
  apiKey: KEY,
  secondKey: KEY,
  keys: KEYS,
  secondKeys: KEYS,
  limits: LIMITS,
  headers: HEADERS,
  network: expecting('an object', isObject),
  keyFrom: TEXT,
};

/** Options that only the command line has. */
const TYPED: ReadonlySet<string> = new Set([
  'interfaceDigest',
  'apiKeyCommand',
  'authFile',
  'sandbox',
  'limit',
  'dayLimit',
  'deep',
  'dryRun',
]);

/** The rule for every setting that a caller of petspec's functions may state. */
const RULES: Readonly<Record<string, SettingRule>> = {
  ...FURTHER_RULES,
  ...Object.fromEntries(
    optionRows.flatMap(([name, { kind }]) => {
      const rule = name in FURTHER_RULES || TYPED.has(name) ? undefined : BY_KIND[kind];
      return rule ? [[name, rule]] : [];
    }),
  ),
};

/**
 * Refuses unknown settings, and values that mean nothing. The command line has the same rules for its options.
 * @param known the names of the settings, if not all of those of a run
 * @throws UsageError with one line that names the setting
 */
export function refuseWrongSettings(settings: object, known: readonly string[] = Object.keys(RULES)): void {
  if (!isObject(settings))
    throw new UsageError(`expected an object with settings, such as { ${known.slice(0, 3).join(', ')} }`);
  for (const [name, value] of Object.entries(settings)) {
    if (!known.includes(name)) throw new UsageError(`unknown setting '${name}'${didYouMean(name, known)}`);
    const problem = value === undefined ? undefined : RULES[name]?.(value, settings);
    if (problem !== undefined) throw new UsageError(`'${name}'${problem}`);
  }
}
