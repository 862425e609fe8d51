import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../model/usage-error.ts';
import { isInterfaceUrl } from './network/fetched-interface.ts';
import {
  day,
  digest,
  exhaustible,
  headerLine,
  int64,
  patterns,
  SERVER_HELP,
  seed,
  serverAddress,
  wholeNumber,
} from './option-values.ts';
import { DEFAULTS } from './run-options.ts';

/** What `--help` says about the target of a command. */
export const TARGET_HELP =
  'base URL, such as https://staging.example.com/v1, or a target name from the configuration';

/** Adds to a command what says how a target is judged: everything but where the reports go. */
export function addRunFlags(command: Command): void {
  refuseBothExhaustions(command);
  addTarget(command);
  addSelection(command);
  addTiming(command);
  addConnection(command);
}

/** Adds the options that name an interface. */
export function addInterface(command: Command): Command {
  return command
    .option(
      '--interface <path>',
      'OpenAPI 3.0, 3.1 or 3.2 document, its folder or its URL, to judge by; petspec then only reads',
      (path) => (isInterfaceUrl(path) ? path : resolve(path)),
    )
    .option('--interface-digest <sha256>', 'the SHA-256 that the document at the URL must have', digest)
    .option(
      '--interface-header <name: value>',
      'header to send for the document at the URL alone, which gets no key (repeatable)',
      headerLine('--interface-header'),
    )
    .option(
      '--example <file>',
      'values for requests, by operation (YAML or JSON); what it names may be sent',
      (path) => resolve(path),
    );
}

function addTarget(command: Command): void {
  addInterface(command.optionsGroup('Target:'))
    .option('--api-url <url>', 'base URL of POST /messages; without it, its requirements are not tested')
    .option('--server <name=url>', SERVER_HELP, serverAddress)
    .optionsGroup('Key:');
  addKey(command)
    .option(
      '--api-key-command <command>',
      'shell command whose first line of output is the API key; asked again where a key that worked is refused',
    )
    .option(
      '--second-key <key>',
      'API key of another user, to see what it reaches of what --write creates (prefer PETSPEC_SECOND_KEY)',
    )
    .option(
      '--plan <name>',
      'rate plan of the key: free, pro, business or enterprise (default: told by the rate-limit headers)',
    )
    .option('--limit <n>', 'requests per minute of a custom plan', wholeNumber)
    .option('--day-limit <n>', 'requests per day of a custom plan', wholeNumber)
    .option('--category-id <n>', 'id of an existing category, if the listing shows none', int64)
    .option('--shared-key', 'others use this key during the run')
    .option('--no-shared-key', 'nobody else uses this key; overrides the configuration');
}

/** Adds the options that hold the key. */
export function addKey(command: Command): Command {
  return command
    .option('--api-key <key>', 'API key (prefer the PETSPEC_API_KEY environment variable)')
    .option('--api-key-file <file>', 'read the API key from a file, or from stdin with -');
}

function addSelection(command: Command): void {
  command
    .optionsGroup('What is sent and judged:')
    .option('--write', 'by an interface of your own: create things, and change and remove what was created')
    .option('--no-write', 'only read; overrides the configuration')
    .option('--read-only', 'send only GET and HEAD requests')
    .option('--no-read-only', 'send POST requests; overrides the configuration')
    .option(
      '--exhaust <window>',
      `rate limit to use up: minute, day (uses all requests of the day; needs a large --max-wait) or none (default: ${DEFAULTS.exhaust})`,
      exhaustible,
    )
    .option('--no-exhaust', 'do not use up the rate limit; still judge its headers')
    .option(
      '--only <ids>',
      'judge only these requirement ids, globs, sections or operations (repeatable or comma-separated)',
      patterns,
    )
    .option(
      '--only-violated <report>',
      'judge only what this report (or the one in this folder) found violated',
    )
    .option('--strict', 'count advisories as violations')
    .option('--set <version>', 'judge only the requirements that this version of petspec has (default: all)')
    .option(
      '--as-of <date>',
      'judge by the dates of the document as on another day, such as 2030-12-06 (default: today)',
      day,
    )
    .option(
      '--seed <n>',
      'how the valid requests vary, or random; the same seed sends the same (default: one for each set of requirements)',
      seed,
    )
    .option(
      '--budget <requests>',
      'requests with the key in all, over several minutes: those that the run does not need test more (default: none)',
      wholeNumber,
    )
    .option(
      '--frugal',
      'end at the recovery of the limit, and leave the next window to others who use the key',
    )
    .option('--no-frugal', 'use most of the next window, too; overrides the configuration')
    .option('--deep', 'a budget of ten times the limit per minute')
    .option('--baseline <file>', 'file of known violations; exit 0 if the run finds exactly these')
    .option('--write-baseline <file>', 'write the violations to a baseline file')
    .option('--dry-run', 'print the planned requests and the cost, send nothing');
}

function addTiming(command: Command): void {
  command
    .optionsGroup('Limits:')
    .option('--timeout <ms>', `maximum time for one request (default: ${DEFAULTS.timeout})`, wholeNumber)
    .option(
      '--max-wait <s>',
      `maximum seconds to wait for a rate limit (default: ${DEFAULTS.maxWait})`,
      wholeNumber,
    )
    .option(
      '--max-time <s>',
      'maximum seconds for the run, which then ends with the results so far (default: printed at the start)',
      wholeNumber,
    )
    .option(
      '--concurrency <n>',
      `how many requests a burst has at most; 1: one at a time (default: ${DEFAULTS.concurrency})`,
      wholeNumber,
    );
}

/** Adds the options of headers, certificates and proxies. */
export function addConnection(command: Command): void {
  command
    .optionsGroup('Connection:')
    .option(
      '--header <name: value>',
      "header to send with every request, instead of petspec's own of that name (repeatable)",
      headerLine('--header'),
    )
    .option('--traceparent', 'send a W3C trace context with every request; each finding names its trace')
    .option('--ca <file>', 'trust the CA certificates in this PEM file, in addition to the usual ones')
    .option('--client-cert <file>', 'client certificate (PEM)')
    .option('--client-key <file>', 'private key of the client certificate (PEM), if that file lacks it')
    .option('--insecure', 'do not verify certificates; anyone in between can answer and read the key')
    .option('--no-insecure', 'verify certificates; overrides the configuration');
}

/** Refuses an option beside its negation, because commander would silently take the later one. */
function refuseBothExhaustions(command: Command): void {
  const stated = new Set<string>();
  for (const name of ['exhaust', 'no-exhaust'])
    command.on(`option:${name}`, (value) => {
      if (value !== 'none') stated.add(name);
      if (stated.size > 1) throw new UsageError('cannot combine --exhaust and --no-exhaust; leave one out');
    });
}
