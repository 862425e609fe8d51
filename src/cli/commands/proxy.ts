import { lstatSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { fileErrorOf } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import type { Closed } from '../../proxy/judging/judge-thread.ts';
import type { NewFinding } from '../../proxy/judging/new-findings.ts';
import { harOfLedger } from '../../proxy/judging/traffic-ledger.ts';
import { keptLines } from '../../proxy/page/live-page.ts';
import { ListenError, startProxy } from '../../proxy/start-proxy.ts';
import { assembleRecording } from '../../report/assemble/assemble-recording.ts';
import { REPORT_FILES, writeFileAtomically } from '../../report/files/formats.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { flagOf, OPTIONS } from '../../run/settings/option-table.ts';
import { withUndocumented } from '../../traffic/coverage/undocumented.ts';
import { openBaselines } from '../options/baselines.ts';
import { names, refuseQuietAndVerbose, withJudgingOptions } from '../options/judging-flags.ts';
import {
  collect,
  DEFAULT_FORMATS,
  day,
  FORMATS_HELP,
  portNumber,
  SEVERAL_HELP,
  serverAddress,
  UNDOCUMENTED_HELP,
  undocumented,
  wholeNumber,
} from '../options/option-values.ts';
import { type ProxyFlags, proxyOptions, proxyWarnings, type StatedProxy } from '../options/proxy-flags.ts';
import { detailOf } from '../options/run-options.ts';
import { refuseSigned } from '../options/signing.ts';
import { deliver } from '../output/deliver.ts';
import { heedInterruption } from '../output/interruption.ts';
import {
  clearFolder,
  holdLedger,
  type OutFolder,
  type OwnLedger,
  openReportFolder,
} from '../output/out-folder.ts';

/** `petspec proxy <target>`: judges live traffic. */
export function proxyCommand(exit: (status: number) => void): Command {
  const command = new Command('proxy')
    .description(
      'Passes requests of clients on to a target until Ctrl-C, changes nothing, sends nothing of its own, and judges what passes. Prints a line for each new way of violating the interface; a page shows the traffic live.',
    )
    .argument('<target>', 'base URL of the service')
    .option('--port <n>', 'port for clients', portNumber, 8090)
    .option('--page-port <n>', 'port of the live page', portNumber, 8091)
    .option('--listen <address>', 'address that both ports are on', '127.0.0.1')
    .option(
      '--allow-host <names>',
      'host names of requests to pass on, besides addresses, localhost, the name of --listen and those of --tls-cert; checked beyond this machine and with --client-cert',
      names('--allow-host'),
    )
    .option(
      '--api-url <url>',
      'base URL of its message API, on the same server (default: told by the traffic)',
    )
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
    .option('--as-of <date>', `${OPTIONS.asOf.words} (default: the day of each request)`, day)
    .option('--tls-cert <file>', 'certificate (PEM) for clients; without it they speak plain http')
    .option('--tls-key <file>', 'its private key (PEM), if it is in a file of its own')
    .option('--ca <file>', 'certificates (PEM) to trust in addition to the usual ones')
    .option('--client-cert <file>', 'certificate (PEM) that is shown to the target')
    .option('--client-key <file>', 'its private key (PEM), if it is in a file of its own')
    .option('--insecure', 'accept any certificate of the target')
    .option('--keep-bodies', 'keep all bodies, not only those that findings cite')
    .option('--max-ledger <MiB>', 'maximum size of the ledger', wholeNumber, 256);
  return withJudgingOptions(command, {
    exact: 'the traffic has exactly these',
    verbose: 'print what was observed as well',
  })
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (target: string, flags: ProxyFlags) => exit(await proxy(target, flags)));
}

async function proxy(target: string, flags: ProxyFlags): Promise<number> {
  refuseQuietAndVerbose(flags);
  const contract = withUndocumented((await interfaceOf(flags)).contract, flags.undocumented);
  const options = proxyOptions(target, flags, contract);
  const baselines = await openBaselines(flags, contract);
  refuseSigned(flags.out);
  const { closed, out, held } = await untilInterrupted(options, flags);
  const { judged, counts, state } = closed;
  const { strict = false, plan } = flags;
  const record = { strict, counts, plan, only: options.judging.only };
  const compared = baselines.compare(assembleRecording(contract, record, judged));
  const files = held?.isThere() ? writeTraffic(out, held) : [];
  if (!flags.quiet || state.ledger?.problem !== undefined)
    for (const line of keptLines({ ...state, omissions: {} })) process.stdout.write(`${visible(line)}\n`);
  const status = await deliver(compared, () => judged.exchanges, {
    formats: (flags.format ?? DEFAULT_FORMATS).filter((format) => format !== 'har'),
    ...(held ? { out, isOurs: held.isThere } : {}),
    detail: detailOf(flags),
  });
  if (!flags.quiet && files.length > 0) process.stdout.write(`${files.join('  ')}\n`);
  held?.close();
  if (judged.bug !== undefined) throw judged.bug;
  await baselines.keep(compared);
  return status;
}

/** The result of judging the traffic, the folder for its reports, and its ledger if it could be written. */
interface Ended {
  closed: Closed;
  out: string;
  held?: OwnLedger | undefined;
}

/** Runs the proxy until Ctrl-C. */
async function untilInterrupted(options: StatedProxy, flags: ProxyFlags): Promise<Ended> {
  process.stderr.write(proxyWarnings(options));
  let out: OutFolder = { path: '' };
  const judging = () => {
    out = openReportFolder(flags.out, makeRoom);
    const most = flags.maxLedger * 1024 * 1024;
    const ledger = { path: join(out.path, LEDGER), most, keepsBodies: flags.keepBodies ?? false };
    return { ...options.judging, ...(out.problem ? {} : { ledger }) };
  };
  const running = await startProxy({
    ...options,
    judging,
    onNewFinding(finding) {
      if (!flags.quiet || flags.strict || finding.status === 'violated') tellNewFinding(finding);
    },
    onBug: tellBroken,
    onOdd: () => process.stderr.write(ODD),
  }).catch((error: unknown) => {
    throw error instanceof ListenError ? new UsageError(whyNotListening(error, flags)) : error;
  });
  // Another proxy may write to the same folder later.
  const held = out.problem ? undefined : holdLedger(join(out.path, LEDGER));
  process.stdout.write(
    `proxy      ${running.baseUrl} -> ${visible(options.target)}\nlive page  ${running.pageUrl}\n\nPress Ctrl-C to stop and write the reports\n`,
  );
  await new Promise<void>((resolve) => {
    heedInterruption(() => {
      process.stderr.write('stopping: writing the reports (press Ctrl-C again to quit)\n');
      resolve();
    });
  });
  try {
    return { closed: await running.close(), out: out.path, held };
  } catch (error) {
    // What the ledger holds can be judged again.
    if (held?.isThere()) writeTraffic(out.path, held);
    throw error;
  }
}

function whyNotListening({ isPage, code }: ListenError, { port, pagePort, listen }: ProxyFlags): string {
  const [option, number] = isPage ? ['--page-port', pagePort] : ['--port', port];
  if (code === 'EADDRINUSE') return `${option}: port ${number} is in use; name another one`;
  if (code === 'EACCES') return `${option}: no permission to listen on port ${number}; name another one`;
  return `--listen: cannot listen on '${listen}' (${code})`;
}

function tellNewFinding({ at, status, requirement, reason, expected, received, request }: NewFinding): void {
  const time = new Date(at).toISOString().slice(11, 19);
  const sides =
    expected === undefined ? '' : ` (expected ${expected}, received ${received ?? 'something else'})`;
  const mark = status === 'violated' ? '✗' : '!';
  const line = `${time} ${mark} ${requirement}: ${reason}${sides}${request === undefined ? '' : ` in ${request}`}`;
  process.stdout.write(`${visible(line)}\n`);
}

function tellBroken(): void {
  process.stderr.write('petspec: internal error: nothing is judged any more; requests still pass\n');
}

const ODD =
  'petspec: internal error: a request cannot be judged; requests still pass, and the others are judged\n';

const LEDGER = 'traffic.jsonl';

/** The ledger of an earlier proxy is kept once more, because that proxy may have been killed. */
const EARLIER = 'traffic.earlier.jsonl';

function makeRoom(folder: string): void {
  // Also removes a link that leads nowhere.
  if (lstatSync(join(folder, LEDGER), { throwIfNoEntry: false }))
    renameSync(join(folder, LEDGER), join(folder, EARLIER));
  clearFolder(folder);
}

/** Writes the exchanges of the ledger as a HAR. @returns the files with the traffic */
function writeTraffic(folder: string, { file }: OwnLedger): string[] {
  const ledger = join(folder, LEDGER);
  const har = join(folder, REPORT_FILES.har);
  const problem = fileErrorOf(() => writeFileAtomically(har, harOfLedger(file)));
  if (problem) process.stderr.write(`petspec: ${REPORT_FILES.har} cannot be written (${problem.code})\n`);
  return (problem ? [ledger] : [har, ledger]).map((path) => relative(process.cwd(), path) || path);
}

const EXAMPLES = `
Clients use the printed address in place of that of the service. The ledger is written as requests pass, so no finding is
lost if petspec is killed: petspec judge reports/traffic.jsonl judges it. Without --keep-bodies, the ledger has only the
bodies that findings cite.

Examples:
  petspec proxy https://api.example.com/v1
  petspec proxy http://localhost:3000/api --interface openapi.yaml
  petspec proxy http://localhost:3000/v1 --port 8080 --redact owner,x-tenant
  petspec proxy https://api.example.com/v1 --listen 0.0.0.0 --tls-cert server.pem --tls-key server.key`;
