import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import type { Contract } from '../../model/contract.ts';
import { brief, type Exchange } from '../../model/exchange.ts';
import { UsageError } from '../../model/usage-error.ts';
import { redactableFields } from '../../recording/capture/redact-fields.ts';
import { judgeRecordings } from '../../recording/judge-recording.ts';
import type { JudgedRecording } from '../../recording/judgment.ts';
import { readRecording, STDIN, shownName } from '../../recording/reading/read-recording.ts';
import {
  assembleRecording,
  countRecorded,
  type RecordingRecord,
} from '../../report/assemble/assemble-recording.ts';
import { renderExchangeLine } from '../../report/text/explain.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { refuseUnknownPlan, refuseUnknownServers } from '../../run/options.ts';
import { selectRequirements } from '../../run/plan/select.ts';
import { flagOf, OPTIONS } from '../../run/settings/option-table.ts';
import { address } from '../../run/settings/values.ts';
import { type UNDOCUMENTED, withUndocumented } from '../../traffic/coverage/undocumented.ts';
import type { Servers } from '../../traffic/match-operation.ts';
import { openBaselines } from '../options/baselines.ts';
import {
  type JudgingFlags,
  names,
  refuseQuietAndVerbose,
  serversAt,
  withJudgingOptions,
} from '../options/judging-flags.ts';
import {
  collect,
  DEFAULT_FORMATS,
  day,
  FORMATS_HELP,
  SEVERAL_HELP,
  serverAddress,
  UNDOCUMENTED_HELP,
  undocumented,
} from '../options/option-values.ts';
import { detailOf, serversOf } from '../options/run-options.ts';
import { refuseSigned } from '../options/signing.ts';
import { deliver } from '../output/deliver.ts';
import { clearFolder, openReportFolder } from '../output/out-folder.ts';

interface JudgeFlags extends JudgingFlags {
  baseUrl?: string;
  apiUrl?: string;
  plan?: string;
  asOf?: string;
  redact?: string[];
  set?: string;
  interface?: string[];
  undocumented?: (typeof UNDOCUMENTED)[number];
  server?: (readonly [name: string, url: string])[];
}

/** `petspec judge <file...>`: judges recorded traffic. */
export function judgeCommand(exit: (status: number) => void): Command {
  const command = new Command('judge')
    .description(
      'Judges recorded traffic: HAR files of browsers, proxies and Playwright, ledgers and HAR files of petspec, and files with one HAR entry on each line. Sends nothing.',
    )
    .argument('<file...>', 'recordings; - reads standard input')
    .option('--base-url <url>', 'the server to judge (default: told by the recording)')
    .option('--api-url <url>', 'base URL of its message API (default: told by the recording)')
    .option('--interface <path>', SEVERAL_HELP, collect)
    .option(flagOf('server'), OPTIONS.server.words, serverAddress)
    .option('--undocumented <how>', UNDOCUMENTED_HELP, undocumented)
    .option('--plan <name>', 'rate plan of the key')
    .option(
      '--redact <names>',
      'headers, parameters and JSON fields whose values are replaced',
      names('--redact'),
    )
    .option('--set <version>', 'the version of petspec whose requirements apply')
    .option('--as-of <date>', `${OPTIONS.asOf.words} (default: the day of each request)`, day);
  return withJudgingOptions(command, {
    exact: 'the recording has exactly these',
    verbose: 'print a line for each exchange that is judged, and every finding in full',
  })
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (files: string[], flags: JudgeFlags) => exit(await judge(files, flags)));
}

async function judge(files: readonly string[], flags: JudgeFlags): Promise<number> {
  refuseQuietAndVerbose(flags);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice; leave one out`);
  refuseOwnFiles(files, flags.out);
  const { contract: stated, checks: allChecks } = await interfaceOf(flags);
  const contract = withUndocumented(stated, flags.undocumented);
  refuseUnknownPlan(flags.plan, Object.keys(contract.ratePlans));
  redactableFields(contract, flags.redact ?? []);
  const only = flags.only ?? [];
  const selected = new Set(selectRequirements(contract.requirements, { only }).map(({ id }) => id));
  const checks = allChecks.filter(({ requirement }) => only.length === 0 || selected.has(requirement));
  const settings = settingsOf(contract, flags);
  const baselines = await openBaselines(flags, contract);
  refuseSigned(flags.out);
  const counts = countRecorded(contract, allChecks);
  const judged = await judgeRecordings(
    contract,
    checks,
    files.map((name) => ({ name: shownName(name), entries: readRecording(name, process.stdin) })),
    {
      ...settings,
      onUnlisted: counts.unlisted,
      onExchange: (exchange, probe, classified) => {
        counts.add(exchange, probe, classified);
        if (flags.verbose) tell(exchange);
      },
    },
  );
  const record = { only: only.length === 0 ? [] : [...selected], counts: counts.result() };
  return report(contract, judged, record, flags, baselines);
}

/** @throws UsageError if an address is not a URL, or the interface has no such server */
function settingsOf(contract: Contract, flags: JudgeFlags) {
  const { baseUrl, plan, redact = [] } = flags;
  const limits = plan === undefined ? undefined : contract.ratePlans[plan];
  const { apiUrl = stated('--api-url', flags.apiUrl), ...otherServers } = serversOf(flags);
  refuseUnknownServers(contract, { servers: otherServers });
  return {
    servers: {
      ...serversAtBase(contract, baseUrl),
      ...(apiUrl === undefined ? {} : { apiUrl }),
      ...otherServers,
    },
    redact,
    plan,
    limits: limits && Object.keys(limits).length > 0 ? limits : undefined,
  };
}

/** @throws UsageError if several documents need an origin */
function serversAtBase(contract: Contract, baseUrl: string | undefined): Servers {
  if (baseUrl !== undefined) return serversAt(address(baseUrl, '--base-url'), contract, '--base-url');
  if (contract.bases === undefined) return {};
  throw new UsageError('several documents need the origin of their server; name it with --base-url');
}

function stated(option: string, url: string | undefined): string | undefined {
  return url === undefined ? undefined : address(url, option);
}

function tell(exchange: Exchange): void {
  process.stderr.write(`${renderExchangeLine(brief(exchange))}\n`);
}

async function report(
  contract: Contract,
  judged: JudgedRecording,
  record: Pick<RecordingRecord, 'only' | 'counts'>,
  flags: JudgeFlags,
  baselines: Awaited<ReturnType<typeof openBaselines>>,
): Promise<number> {
  const { path: out, problem } = openReportFolder(flags.out, clearFolder);
  const { strict = false, plan } = flags;
  const assembled = assembleRecording(contract, { ...record, strict, plan }, judged);
  const compared = baselines.compare(assembled);
  const status = await deliver(compared, () => judged.exchanges, {
    formats: flags.format ?? DEFAULT_FORMATS,
    out: problem ? undefined : out,
    detail: detailOf(flags),
  });
  if (judged.bug !== undefined) throw judged.bug;
  await baselines.keep(compared);
  return status;
}

/** @throws UsageError if the reports would replace a recording, as those of a run do */
function refuseOwnFiles(files: readonly string[], out: string): void {
  const inside = files.find((file) => file !== STDIN && dirname(resolve(file)) === resolve(out));
  if (inside !== undefined)
    throw new UsageError(`${inside} is in the folder for the reports; name another one with --out`);
}

const EXAMPLES = `
Each file is judged by itself. What no exchange puts to the test is not tested and narrows the verdict: exit status 0 with
the number of requirements that were judged, 3 if none was.

Examples:
  petspec judge session.har
  petspec judge session.har --interface openapi.yaml --base-url https://shop.example.com
  petspec judge monday.har tuesday.har --base-url https://api.example.com/v1 --plan pro
  zcat gateway.ndjson.gz | petspec judge ${STDIN} --format junit,html`;
