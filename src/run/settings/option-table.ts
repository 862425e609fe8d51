import { DEFAULT_OPTIONS, type RunOptions } from '../options.ts';

/** What the value of an option is. */
interface Values {
  switch: boolean;
  count: number;
  seed: number;
  text: string;
  address: string;
  /** A path, which is resolved at once; a file is named as it was typed. */
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

/** An option of a run: all that its flag, its setting and its line in a page are made from. */
export interface OptionRow {
  /** As it is typed, with what stands for its value: `--limit <n>`. */
  flag: `--${string}`;
  kind: keyof Values;
  group: 'Target' | 'Key' | 'What is sent and judged' | 'Limits' | 'Connection';
  /** What it means, as the line of `--help`. */
  words: string;
  /** What its negation means, if it has one. */
  no?: string;
  default?: number | string;
  /** A target of the configuration may have it. The text says what it means there, if that is not what it means as an option. */
  setting?: true | string;
  /** A command that repeats a run has it: it says what is sent or judged, and holds no secret. */
  isRepeated?: true;
}

/** The options that say how a target is judged, by the names of their settings, in the order of `--help`. */
export const OPTIONS = {
  interface: {
    flag: '--interface <path>',
    kind: 'path',
    group: 'Target',
    words: 'OpenAPI 3.0, 3.1 or 3.2 document, its folder or its URL, to judge by; petspec then only reads',
    setting: true,
    isRepeated: true,
  },
  interfaceDigest: {
    flag: '--interface-digest <sha256>',
    kind: 'digest',
    group: 'Target',
    words: 'the SHA-256 that the document at the URL must have',
    isRepeated: true,
  },
  interfaceHeader: {
    flag: '--interface-header <name: value>',
    kind: 'headers',
    group: 'Target',
    words: 'header to send for the document at the URL alone, which gets no key (repeatable)',
  },
  example: {
    flag: '--example <file>',
    kind: 'path',
    group: 'Target',
    words: 'values for requests, by operation (YAML or JSON); what it names may be sent',
    setting: true,
    isRepeated: true,
  },
  apiUrl: {
    flag: '--api-url <url>',
    kind: 'address',
    group: 'Target',
    words: 'base URL of POST /messages; without it, its requirements are not tested',
    setting: true,
  },
  server: {
    flag: '--server <name=url>',
    kind: 'servers',
    group: 'Target',
    words: 'base URL of another server of the interface (repeatable); apiUrl=<url> is --api-url',
  },
  apiKey: {
    flag: '--api-key <key>',
    kind: 'text',
    group: 'Key',
    words: 'API key (prefer the PETSPEC_API_KEY environment variable)',
  },
  apiKeyFile: {
    flag: '--api-key-file <file>',
    kind: 'file',
    group: 'Key',
    words: 'read the API key from a file, or from stdin with -',
    setting: 'file that holds only the API key, instead of an environment variable',
  },
  apiKeyCommand: {
    flag: '--api-key-command <command>',
    kind: 'text',
    group: 'Key',
    words:
      'shell command whose first line of output is the API key; asked again where a key that worked is refused',
  },
  authFile: {
    flag: '--auth-file <file>',
    kind: 'file',
    group: 'Key',
    words:
      'users with fixed headers, as in Web Fuzzing Commons (YAML or JSON): the first has the key, the second is another user',
  },
  secondKey: {
    flag: '--second-key <key>',
    kind: 'text',
    group: 'Key',
    words:
      'API key of another user, to see what it reaches of what --write creates (prefer PETSPEC_SECOND_KEY)',
  },
  plan: {
    flag: '--plan <name>',
    kind: 'text',
    group: 'Key',
    words:
      'rate plan of the key: free, pro, business or enterprise (default: told by the rate-limit headers)',
    setting:
      'rate plan of the key: free, pro, business or enterprise, or one of the interface that is named (default: told by the rate-limit headers)',
    isRepeated: true,
  },
  limit: {
    flag: '--limit <n>',
    kind: 'count',
    group: 'Key',
    words: 'requests per minute of a custom plan',
    setting: true,
    isRepeated: true,
  },
  dayLimit: {
    flag: '--day-limit <n>',
    kind: 'count',
    group: 'Key',
    words: 'requests per day of a custom plan',
    setting: true,
    isRepeated: true,
  },
  categoryId: {
    flag: '--category-id <n>',
    kind: 'int64',
    group: 'Key',
    words: 'id of an existing category, if the listing shows none',
    setting: true,
    isRepeated: true,
  },
  sharedKey: {
    flag: '--shared-key',
    kind: 'switch',
    group: 'Key',
    words: 'others use this key during the run',
    no: 'nobody else uses this key; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  write: {
    flag: '--write',
    kind: 'switch',
    group: 'What is sent and judged',
    words: 'by an interface of your own: create things, and change and remove what was created',
    no: 'only read; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  sandbox: {
    flag: '--sandbox <host:port>',
    kind: 'text',
    group: 'What is sent and judged',
    words:
      'with --write: the target with this host is disposable; send every operation, also to what was not created',
    isRepeated: true,
  },
  readOnly: {
    flag: '--read-only',
    kind: 'switch',
    group: 'What is sent and judged',
    words: 'send only GET and HEAD requests',
    no: 'send POST requests; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  exhaust: {
    flag: '--exhaust <window>',
    kind: 'window',
    group: 'What is sent and judged',
    words:
      'rate limit to use up: minute, day (uses all requests of the day; needs a large --max-wait) or none',
    no: 'do not use up the rate limit; still judge its headers',
    default: DEFAULT_OPTIONS.exhaust,
    setting: true,
    isRepeated: true,
  },
  only: {
    flag: '--only <ids>',
    kind: 'ids',
    group: 'What is sent and judged',
    words: 'judge only these requirement ids, globs, sections or operations (repeatable or comma-separated)',
    isRepeated: true,
  },
  onlyViolated: {
    flag: '--only-violated <report>',
    kind: 'file',
    group: 'What is sent and judged',
    words: 'judge only what this report (or the one in this folder) found violated',
  },
  strict: {
    flag: '--strict',
    kind: 'switch',
    group: 'What is sent and judged',
    words: 'count advisories as violations',
    isRepeated: true,
  },
  set: {
    flag: '--set <version>',
    kind: 'text',
    group: 'What is sent and judged',
    words: 'judge only the requirements that this version of petspec has (default: all)',
    isRepeated: true,
  },
  asOf: {
    flag: '--as-of <date>',
    kind: 'day',
    group: 'What is sent and judged',
    words: 'judge by the dates of the document as on another day, such as 2030-12-06',
    default: 'today',
    isRepeated: true,
  },
  seed: {
    flag: '--seed <n>',
    kind: 'seed',
    group: 'What is sent and judged',
    words:
      'how the valid requests vary, or random; the same seed sends the same (default: one for each set of requirements)',
    isRepeated: true,
  },
  budget: {
    flag: '--budget <requests>',
    kind: 'count',
    group: 'What is sent and judged',
    words:
      'requests with the key in all, over several minutes: those that the run does not need test more (default: none)',
    isRepeated: true,
  },
  frugal: {
    flag: '--frugal',
    kind: 'switch',
    group: 'What is sent and judged',
    words: 'end at the recovery of the limit, and leave the next window to others who use the key',
    no: 'use most of the next window, too; overrides the configuration',
    setting: true,
    isRepeated: true,
  },
  deep: {
    flag: '--deep',
    kind: 'switch',
    group: 'What is sent and judged',
    words: 'a budget of ten times the limit per minute',
  },
  baseline: {
    flag: '--baseline <file>',
    kind: 'file',
    group: 'What is sent and judged',
    words: 'file of known violations; exit 0 if the run finds exactly these',
    setting: true,
  },
  writeBaseline: {
    flag: '--write-baseline <file>',
    kind: 'file',
    group: 'What is sent and judged',
    words: 'write the violations to a baseline file',
  },
  dryRun: {
    flag: '--dry-run',
    kind: 'switch',
    group: 'What is sent and judged',
    words: 'print the planned requests and the cost, send nothing',
  },
  timeout: {
    flag: '--timeout <ms>',
    kind: 'count',
    group: 'Limits',
    words: 'maximum milliseconds for one request',
    default: DEFAULT_OPTIONS.timeout,
    setting: true,
    isRepeated: true,
  },
  maxWait: {
    flag: '--max-wait <s>',
    kind: 'count',
    group: 'Limits',
    words: 'maximum seconds to wait for a rate limit',
    default: DEFAULT_OPTIONS.maxWait,
    setting: true,
    isRepeated: true,
  },
  maxTime: {
    flag: '--max-time <s>',
    kind: 'count',
    group: 'Limits',
    words:
      'maximum seconds for the run, which then ends with the results so far (default: printed at the start)',
    setting: true,
    isRepeated: true,
  },
  concurrency: {
    flag: '--concurrency <n>',
    kind: 'count',
    group: 'Limits',
    words: 'how many requests a burst has at most; 1: one at a time',
    default: DEFAULT_OPTIONS.concurrency,
    setting: true,
    isRepeated: true,
  },
  header: {
    flag: '--header <name: value>',
    kind: 'headers',
    group: 'Connection',
    words: "header to send with every request, instead of petspec's own of that name (repeatable)",
  },
  traceparent: {
    flag: '--traceparent',
    kind: 'switch',
    group: 'Connection',
    words: 'send a W3C trace context with every request; each finding names its trace',
    isRepeated: true,
  },
  ca: {
    flag: '--ca <file>',
    kind: 'file',
    group: 'Connection',
    words: 'trust the CA certificates in this PEM file, in addition to the usual ones',
    setting: true,
  },
  clientCert: {
    flag: '--client-cert <file>',
    kind: 'file',
    group: 'Connection',
    words: 'client certificate (PEM)',
    setting: true,
  },
  clientKey: {
    flag: '--client-key <file>',
    kind: 'file',
    group: 'Connection',
    words: 'private key of the client certificate (PEM), if that file lacks it',
    setting: true,
  },
  insecure: {
    flag: '--insecure',
    kind: 'switch',
    group: 'Connection',
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

/** The values of options that a user stated. Others are missing. */
export type OptionValues = { [Name in OptionName]?: Values[Rows[Name]['kind']] | undefined };

/** The names of the options that a target of the configuration may have. */
export type SettingName = {
  [Name in OptionName]: Rows[Name] extends { setting: true | string } ? Name : never;
}[OptionName];

/** The flag of an option without its value: `--max-wait`. */
export function flagOf(name: OptionName): string {
  return OPTIONS[name].flag.replace(/ .*/, '');
}
