import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { Command } from 'commander';
import type { BaselineEntry } from '../../../baseline/baseline.ts';
import { brokenExchanges } from '../../../diff/broken-exchanges.ts';
import {
  type ClassifiedChange,
  type InterfaceChanges,
  interfaceChanges,
  isBreaking,
  type OperationName,
} from '../../../diff/changes.ts';
import { type ChangeEvidence, effectOn, kindOfEvidence, outcomeOf } from '../../../diff/evidence.ts';
import { coveredBy, type KeptRuns, runOfCertificate, runsOfHistory } from '../../../diff/kept-runs.ts';
import { changesLines, evidenceLines } from '../../../diff/text.ts';
import type { Requirement } from '../../../model/contract.ts';
import { isFileError } from '../../../model/file-error.ts';
import { UsageError } from '../../../model/usage-error.ts';
import { shown, visible } from '../../../model/visible.ts';
import { readRecording, STDIN } from '../../../recording/reading/read-recording.ts';
import { pageOf } from '../../../report/text/style.ts';
import { contractOf, type Interface, interfaceOf } from '../../../run/contract-of.ts';
import { OPTIONS } from '../../../run/settings/option-table.ts';
import { address } from '../../../run/settings/values.ts';
import type { Servers } from '../../../traffic/match-operation.ts';
import { readKnown } from '../../options/baselines.ts';
import { readNamed } from '../../options/named-file.ts';
import { collect, day } from '../../options/option-values.ts';

/** The exit status if a file does not show whether something breaks. */
const INCOMPLETE = 3;

interface DiffFlags {
  against?: string[];
  asOf?: string;
  baseUrl?: string;
  json?: boolean;
}

/** `petspec diff`: what changes between two versions of an interface, and what that breaks. */
export function diffCommand(exit: (status: number) => void): Command {
  return new Command('diff')
    .description(
      'Compares two versions of an interface: which requirements appear, go, tighten or loosen. With --against, what that breaks: in recorded traffic, earlier runs, certificates and baselines. Sends nothing.',
    )
    .argument(
      '<old>',
      'OpenAPI document or its folder; or a version of the requirements of the animal store, such as 0.1.0',
    )
    .argument('<new>', 'the same of the newer version')
    .option(
      '--against <file>',
      'what may break (repeatable): recorded traffic as for petspec judge, a history, a certificate, or a baseline',
      collect,
    )
    .option(
      '--as-of <date>',
      `${OPTIONS.asOf.words}: of the newer version (default: the day of each request)`,
      day,
    )
    .option(
      '--base-url <url>',
      'the server to judge, if a recording has several (default: told by the recording)',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (older: string, newer: string, flags: DiffFlags) => exit(await diff(older, newer, flags)));
}

async function diff(older: string, newer: string, flags: DiffFlags): Promise<number> {
  const { against = [], asOf, baseUrl, json } = flags;
  if (against.includes(STDIN))
    throw new UsageError('--against reads a recording twice; name a file in place of -');
  const [before, after] = [await versionOf(older), await versionOf(newer, asOf)];
  const changes = interfaceChanges(before.contract, after.contract);
  const servers = baseUrl === undefined ? {} : { baseUrl: address(baseUrl, '--base-url') };
  const compared: Compared = { before, after, changes, servers };
  const evidence: ChangeEvidence[] = [];
  for (const file of against) evidence.push(await evidenceIn(file, compared));
  const page = pageOf(process.stdout, process.env);
  const data = { ...changesData(changes, asOf), against: evidence.map(evidenceData) };
  const lines = [
    changesLines(changes, asOf, page),
    ...evidence.map((change) => ['', ...evidenceLines(change, page)]),
  ];
  process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${lines.flat().join('\n')}\n`);
  if (against.length === 0) return isBreaking(changes) ? 1 : 0;
  const outcomes = evidence.map(outcomeOf);
  if (outcomes.includes('breaks')) return 1;
  return outcomes.includes('untold') ? INCOMPLETE : 0;
}

/** @throws UsageError if it is neither an interface nor a version of the requirements */
async function versionOf(named: string, asOf?: string): Promise<Interface> {
  try {
    if (existsSync(named)) return await interfaceOf({ interface: named, asOf });
  } catch (error) {
    // The user named it without an option.
    throw error instanceof UsageError ? new UsageError(error.message.replace('--interface', named)) : error;
  }
  const { sets } = contractOf({});
  if (sets.includes(named)) return interfaceOf({ set: named, asOf });
  throw new UsageError(
    `no such file '${named}'; name an OpenAPI document, its folder, or one of these versions of the animal store: ${sets.join(', ')}`,
  );
}

const EXAMPLES = `
Exit status: 1 if something breaks. With --against, that is what the files show, and otherwise a change that a service or a client
may not expect. 0 if nothing does, 2 if a file cannot be read, or 3 if a file does not say: nothing of a recording could be judged,
or a certificate does not know the new requirements.

Examples:
  petspec diff openapi-v1.yaml openapi-v2.yaml
  petspec diff openapi-v1.yaml openapi-v2.yaml --against traffic.har --against certified/certificate.json
  petspec diff openapi.yaml openapi.yaml --as-of 2030-12-06 --against traffic.har
  petspec diff 0.1.0 0.3.0 --against history.jsonl`;

/** Two versions of an interface, and their differences. */
interface Compared {
  before: Interface;
  after: Interface;
  changes: InterfaceChanges;
  /** The servers of recordings, if the user names any. */
  servers: Servers;
}

/** Bytes from which the kind of a file is recognized. */
const BEGINNING = 64 * 1024;

/** The most lines of a history that are reported because they are not entries. */
const MAX_PROBLEMS = 5;

/** The evidence in a file of `--against`. @throws UsageError if it cannot be read, or is of no known kind */
async function evidenceIn(file: string, compared: Compared): Promise<ChangeEvidence> {
  const kind = kindOfEvidence(beginningOf(file));
  const name = file;
  const { before, after, changes } = compared;
  if (kind === 'recording') {
    const open = () => ({ name, entries: readRecording(file, process.stdin) });
    const changed = new Set(changes.service.map(({ id }) => id));
    return { kind, name, ...(await brokenExchanges({ ...compared, changed, open })) };
  }
  if (kind === 'baseline') {
    const baseline = await readKnown('--against', file, before.contract);
    return { kind, name, ...effectOn(baseline, changes) };
  }
  const { runs, ...further } = kind === 'history' ? historyIn(file, compared) : certificateIn(file, compared);
  const { requirements } = after.contract;
  return { kind, name, ...further, runs: runs.map((run) => coveredBy(run, changes.service, requirements)) };
}

/** The first bytes of a file; empty if it cannot be read, which the reader of the file reports. */
function beginningOf(file: string): string {
  try {
    if (!statSync(file).isFile()) return '';
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(BEGINNING);
      return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, BEGINNING, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isFileError(error)) return '';
    throw error;
  }
}

function certificateIn(file: string, { before, after }: Compared): KeptRuns {
  const read = runOfCertificate(readNamed('--against', file), before.contract, after.contract);
  if (typeof read === 'string') throw new UsageError(`--against: ${file}: ${read}`);
  return read;
}

function historyIn(file: string, { before, after }: Compared): KeptRuns {
  let problems = 0;
  return runsOfHistory(file, before.contract, after.contract, ({ line, problem }) => {
    problems += 1;
    if (problems <= MAX_PROBLEMS)
      process.stderr.write(`petspec: ${visible(`${file}: line ${line}: ${problem}`)}; ignored\n`);
  });
}

/** The changes as `--json` prints them. */
function changesData(changes: InterfaceChanges, asOf: string | undefined) {
  const { service, clients, gone, removed } = changes;
  const ofParty = (party: 'service' | 'client') => (change: ClassifiedChange) => changeData(change, party);
  const named = ({ id, method, path }: OperationName) => ({ id, method, path });
  return {
    asOf,
    breaks: isBreaking(changes),
    changes: [...service.map(ofParty('service')), ...clients.map(ofParty('client'))],
    operations: {
      gone: gone.map(named),
      removed: removed.map((operation) => ({ ...named(operation), removal: operation.removal })),
    },
  };
}

function changeData(
  { id, change, breaks, before, after, isRequired }: ClassifiedChange,
  party: 'service' | 'client',
) {
  const side = (requirement: Requirement | undefined) =>
    requirement && { level: requirement.level, statement: requirement.statement };
  return {
    id,
    party,
    change,
    breaks,
    required: isRequired,
    section: (after ?? before)?.section,
    before: side(before),
    after: side(after),
  };
}

/** The evidence of a file as `--json` prints it. */
function evidenceData(evidence: ChangeEvidence) {
  const { name: file, kind, ...rest } = evidence;
  const outcome = outcomeOf(evidence);
  if (evidence.kind !== 'baseline') return shown({ file, kind, outcome, ...rest });
  const entries = (selected: readonly BaselineEntry[]) =>
    selected.map(({ requirement, line, lastLine }) => ({ requirement, line, lastLine }));
  const { void: none, looser, tighter, unknown } = evidence;
  return shown({
    ...{ file, kind, outcome, entries: evidence.entries, unknown },
    ...{ void: entries(none), looser: entries(looser), tighter: entries(tighter) },
  });
}
