import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { type RequirementChange, requirementChanges } from '../../contract/changes/requirement-changes.ts';
import { UsageError } from '../../model/usage-error.ts';
import { type Broken, brokenBy } from '../../recording/broken-by.ts';
import { readRecording, STDIN, shownName } from '../../recording/reading/read-recording.ts';
import { type InterfaceChanges, renderInterfaceChanges } from '../../report/text/interface-changes.ts';
import { pageOf } from '../../report/text/style.ts';
import { contractOf, type Interface, interfaceOf } from '../../run/contract-of.ts';
import { address } from '../../run/settings/values.ts';
import type { Servers } from '../../traffic/match-operation.ts';

/** The exit status where nothing could be judged. */
const INCOMPLETE = 3;

interface DiffFlags {
  against?: string;
  baseUrl?: string;
  json?: boolean;
}

/** `petspec diff`: what changes between two versions of an interface, and what recorded traffic that breaks. */
export function diffCommand(exit: (status: number) => void): Command {
  return new Command('diff')
    .description(
      'Compares two versions of an interface: which requirements appear, go, tighten or loosen. With --against, also what recorded traffic violates by the newer version and not by the older one. Sends nothing.',
    )
    .argument(
      '<old>',
      'OpenAPI document or its folder; or a version of the requirements of the animal store, such as 0.1.0',
    )
    .argument('<new>', 'the same of the newer version')
    .option('--against <file>', 'recorded traffic: a HAR file, or a ledger of petspec')
    .option(
      '--base-url <url>',
      'the server to judge, if the recording has several (default: told by the recording)',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (older: string, newer: string, flags: DiffFlags) => exit(await diff(older, newer, flags)));
}

async function diff(older: string, newer: string, { against, baseUrl, json }: DiffFlags): Promise<number> {
  if (against === STDIN)
    throw new UsageError('--against reads the recording twice; name a file in place of -');
  const [before, after] = [await versionOf(older), await versionOf(newer)];
  const changes: InterfaceChanges = {
    changes: requirementChanges(before.contract, after.contract),
    against:
      against === undefined ? undefined : await judgedAgainst(before, after, against, serversAt(baseUrl)),
  };
  const page = pageOf(process.stdout, process.env);
  process.stdout.write(
    json ? `${JSON.stringify(asData(changes), null, 2)}\n` : renderInterfaceChanges(changes, page),
  );
  if (changes.against?.judged === 0) return INCOMPLETE;
  return (changes.against?.broken.length ?? 0) > 0 ? 1 : 0;
}

/** @throws UsageError if it is neither a file nor a version */
async function versionOf(named: string): Promise<Interface> {
  if (existsSync(named)) return interfaceOf({ interface: named });
  const { sets } = contractOf({});
  if (sets.includes(named)) return interfaceOf({ set: named });
  throw new UsageError(
    `no such file '${named}'; name an OpenAPI document, its folder, or one of these versions of the animal store: ${sets.join(', ')}`,
  );
}

function serversAt(baseUrl: string | undefined): Servers {
  return baseUrl === undefined ? {} : { baseUrl: address(baseUrl, '--base-url') };
}

async function judgedAgainst(before: Interface, after: Interface, file: string, servers: Servers) {
  const name = shownName(file);
  const open = () => ({ name, entries: readRecording(file, process.stdin) });
  return { name, ...(await brokenBy(before, after, open, servers)) };
}

/** What `--json` prints. */
function asData({ changes, against }: InterfaceChanges) {
  const side = (requirement: RequirementChange['before']) =>
    requirement && { level: requirement.level, statement: requirement.statement };
  return {
    changes: changes.map(({ id, change, before, after }) => ({
      id,
      change,
      section: (after ?? before)?.section,
      before: side(before),
      after: side(after),
    })),
    against: against && {
      recording: against.name,
      exchanges: against.judged,
      broken: against.broken.map(brokenData),
    },
  };
}

function brokenData({ requirement, finding, exchanges }: Broken) {
  return {
    requirement: requirement.id,
    reason: finding.reason,
    exchanges: exchanges.map(({ id, method, url, response }) => ({
      id,
      method,
      url,
      status: response?.status,
    })),
  };
}

const EXAMPLES = `
Exit status: 0, or 1 if recorded traffic violates what it did not violate before, 2 if a file cannot be read, or 3 if nothing
of the recording could be judged.

Examples:
  petspec diff openapi-v1.yaml openapi-v2.yaml
  petspec diff openapi-v1.yaml openapi-v2.yaml --against traffic.har
  petspec diff 0.1.0 0.3.0`;
