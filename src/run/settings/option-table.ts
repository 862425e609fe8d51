import { DEFAULT_OPTIONS, type RunOptions } from '../options.ts';
import { optionOf } from './stated-name.ts';

/** The type of an option's value, by its kind. */
interface Values {
  switch: boolean;
  count: number;
  seed: number;
  text: string;
  address: string;
  /** A path is resolved at once; a file is named as it was typed. */
  path: string;
  file: string;
  int64: string;
  day: string;
  digest: string;
  window: RunOptions['exhaust'];
  ids: string[];
  headers: (readonly [name: string, value: string])[];
  servers: (readonly [name: string, url: string])[];
}

/** An option of a run: its flag, its setting and its line in a page are made from it. */
export interface OptionRow {
  /** The placeholder for its value in the help: `<n>`. A switch has none. */
  value?: string;
  kind: keyof Values;
  /** Its meaning, as the line of `--help`. */
  words: string;
  /** The meaning of its negation, if there is a negation. */
  no?: string;
  default?: number | string;
  /** A target of the configuration may have it. A text is its meaning there, if that differs. */
  setting?: true | string;
  /** Commands that repeat a run have it: it affects what is sent or judged, and holds no secret. */
  isRepeated?: true;
}

/** The options that say how a target is judged, by the names of their settings, in the order of `--help`. */
export const OPTIONS = {
  interface: {
    value: '<path>',
    kind: 'path',
    words: 'OpenAPI 3.0, 3.1 or 3.2 document, its folder or its URL, to judge by; petspec then only reads',
    setting: true,
    isRepeated: true,
  },
  interfaceDigest: {
    value: '<sha256>',
    kind: 'digest',
    words: 'the SHA-256 that the document at the URL must have',
    isRepeated: true,
  },
  interfaceHeader: {
    value: '<name: value>',
    kind: 'headers',
    words: 'header to send for the document at the URL alone, which gets no key (repeatable)',
  },
  example: {
    value: '<file>',
    kind: 'path',
    words: 'values for requests, by operation (YAML or JSON); what it names may be sent',
    setting: true,
    isRepeated: true,
  },
  apiUrl: {
    value: '<url>',
    kind: 'address',
    words: 'base URL of POST /messages; without it, its requirements are not tested',
    setting: true,
  },
  server: {
    value: '<name=url>',
    kind: 'servers',
    words: 'base URL of another server of the interface (repeatable); apiUrl=<url> is --api-url',
  },
  apiKey: {
    value: '<key>',
    kind: 'text',
    words: 'API key (prefer the PETSPEC_API_KEY environment variable)',
  },
  apiKeyFile: {
    value: '<file>',
    kind: 'file',
    words: 'read the API key from a file, or from stdin with -',
    setting: 'file that holds only the API key, instead of an environment variable',
  },
  apiKeyCommand: {
    value: '<command>',
    kind: 'text',
    words:
      'shell command whose first line of output is the API key; asked again where a key that worked is refused',
  },
  authFile: {
    value: '<file>',
    kind: 'file',
    words:
      'users with fixed headers, as in Web Fuzzing Commons (YAML or JSON): the first has the key, the second is another user',
  },
  secondKey: {
    value: '<key>',
    kind: 'text',
    words:
      'API key of another user, to see what it reaches of what --write creates (prefer PETSPEC_SECOND_KEY)',
  },
  plan: {
    value: '<name>',
    kind: 'text',
    words:
      'rate plan of the key: free, pro, business or enterprise (default: told by the rate-limit headers)',
    setting:
      'rate plan of the key: free, pro, business or enterprise, or one of the interface that is named (default: told by the rate-limit headers)',
    isRepeated: true,
  },
  limit: {
    value: '<n>',
    kind: 'count',
    words: 'requests per minute of a custom plan',
    setting: true,
    isRepeated: true,
  },
  dayLimit: {
    value: '<n>',
    kind: 'count',
    words: 'requests per day of a custom plan',
    setting: true,
    isRepeated: true,
  },
  categoryId: {
    value: '<n>',
    kind: 'int64',
    words: 'id of an existing category, if the listing shows none',
    setting: true,
    isRepeated: true,
  },
  sharedKey: {
    kind: 'switch',
    words: 'others use this key during the run',
    no: 'nobody else uses this key; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  write: {
    kind: 'switch',
    words: 'by an interface of your own: create things, and change and remove what was created',
    no: 'only read; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  sandbox: {
    value: '<host:port>',
    kind: 'text',
    words:
      'with --write: the target with this host is disposable; send every operation, also to what was not created',
    isRepeated: true,
  },
  readOnly: {
    kind: 'switch',
    words: 'send only GET and HEAD requests',
    no: 'send POST requests; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  exhaust: {
    value: '<window>',
    kind: 'window',
    words:
      'rate limit to use up: minute, day (uses all requests of the day; needs a large --max-wait) or none',
    no: 'do not use up the rate limit; still judge its headers',
    default: DEFAULT_OPTIONS.exhaust,
    setting: true,
    isRepeated: true,
  },
  only: {
    value: '<ids>',
    kind: 'ids',
    words: 'judge only these requirement ids, globs, sections or operations (repeatable or comma-separated)',
    isRepeated: true,
  },
  onlyViolated: {
    value: '<report>',
    kind: 'file',
    words: 'judge only what this report (or the one in this folder) found violated',
  },
  strict: {
    kind: 'switch',
    words: 'count advisories as violations',
    isRepeated: true,
  },
  set: {
    value: '<version>',
    kind: 'text',
    words: 'judge only the requirements that this version of petspec has (default: all)',
    isRepeated: true,
  },
  asOf: {
    value: '<date>',
    kind: 'day',
    words: 'judge by the dates of the document as on another day, such as 2030-12-06',
    default: 'today',
    isRepeated: true,
  },
  seed: {
    value: '<n>',
    kind: 'seed',
    words:
      'how the valid requests vary, or random; the same seed sends the same (default: one for each set of requirements)',
    isRepeated: true,
  },
  budget: {
    value: '<requests>',
    kind: 'count',
    words:
      'requests with the key in all: those that the run does not need test more, if need be in further windows (default: none)',
    isRepeated: true,
  },
  frugal: {
    kind: 'switch',
    words: 'end at the recovery of the limit, and leave the next window to others who use the key',
    no: 'use most of the next window, too; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  deep: {
    kind: 'switch',
    words: 'a budget of ten times the limit per minute',
  },
  baseline: {
    value: '<file>',
    kind: 'file',
    words: 'file of known violations; exit 0 if the run finds exactly these',
    setting: true,
  },
  writeBaseline: {
    value: '<file>',
    kind: 'file',
    words: 'write the violations to a baseline file',
  },
  dryRun: {
    kind: 'switch',
    words: 'print the planned requests and the cost, send nothing',
  },
  timeout: {
    value: '<ms>',
    kind: 'count',
    words: 'maximum milliseconds for one request',
    default: DEFAULT_OPTIONS.timeout,
    setting: true,
    isRepeated: true,
  },
  maxWait: {
    value: '<s>',
    kind: 'count',
    words: 'maximum seconds to wait for a rate limit',
    default: DEFAULT_OPTIONS.maxWait,
    setting: true,
    isRepeated: true,
  },
  maxTime: {
    value: '<s>',
    kind: 'count',
    words:
      'maximum seconds for the run, which then ends with the results so far (default: printed at the start)',
    setting: true,
    isRepeated: true,
  },
  concurrency: {
    value: '<n>',
    kind: 'count',
    words: 'how many requests a burst has at most; 1: one at a time',
    default: DEFAULT_OPTIONS.concurrency,
    setting: true,
    isRepeated: true,
  },
  header: {
    value: '<name: value>',
    kind: 'headers',
    words: "header to send with every request, instead of petspec's own of that name (repeatable)",
  },
  traceparent: {
    kind: 'switch',
    words: 'send a W3C trace context with every request; each finding names its trace',
    isRepeated: true,
  },
  ca: {
    value: '<file>',
    kind: 'file',
    words: 'trust the CA certificates in this PEM file, in addition to the usual ones',
    setting: true,
  },
  clientCert: {
    value: '<file>',
    kind: 'file',
    words: 'client certificate (PEM)',
    setting: true,
  },
  clientKey: {
    value: '<file>',
    kind: 'file',
    words: 'private key of the client certificate (PEM), if that file lacks it',
    setting: true,
  },
  insecure: {
    kind: 'switch',
    words: 'do not verify certificates; anyone in between can answer and read the key',
    no: 'verify certificates; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
} as const satisfies Record<string, OptionRow>;

type Rows = typeof OPTIONS;
export type OptionName = keyof Rows;

/** The rows by name, with the fields that only some have. */
export const optionRows = Object.entries(OPTIONS) as unknown as readonly (readonly [OptionName, OptionRow])[];

/** The groups of `--help`, by the first option of each. */
const GROUPS: Readonly<Partial<Record<OptionName, string>>> = {
  interface: 'Target',
  apiKey: 'Key',
  write: 'What is sent and judged',
  timeout: 'Limits',
  header: 'Connection',
};

/** The names of the options by their groups, in the order of `--help`. */
export function optionGroups(): { group: string; names: OptionName[] }[] {
  const groups: { group: string; names: OptionName[] }[] = [];
  for (const [name] of optionRows) {
    const group = GROUPS[name];
    if (group !== undefined) groups.push({ group, names: [] });
    groups.at(-1)?.names.push(name);
  }
  return groups;
}

/** The values of the options that a user stated. */
export type OptionValues = { [Name in OptionName]?: Values[Rows[Name]['kind']] | undefined };

/** The names of the options that a target of the configuration may have. */
export type SettingName = {
  [Name in OptionName]: Rows[Name] extends { setting: true | string } ? Name : never;
}[OptionName];

/** An option as the help shows it, with the placeholder of its value: `--max-wait <s>`. */
export function flagOf(name: OptionName): string {
  const { value }: OptionRow = OPTIONS[name];
  return value === undefined ? optionOf(name) : `${optionOf(name)} ${value}`;
}
