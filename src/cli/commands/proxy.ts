import { existsSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import type { Contract } from '../../model/contract.ts';
import { visible } from '../../model/visible.ts';
import type { Closed, ThreadOptions } from '../../proxy/judging/messages.ts';
import type { News } from '../../proxy/judging/news.ts';
import { harOfLedger } from '../../proxy/judging/traffic-ledger.ts';
import { keptLines } from '../../proxy/page/live-page.ts';
import { ListenError, type ProxyOptions, startProxy } from '../../proxy/start-proxy.ts';
import { redactableFields } from '../../recording/redact-fields.ts';
import { assembleRecording } from '../../report/assemble-recording.ts';
import { REPORT_FILES, writeFileAtomically } from '../../report/formats/files.ts';
import type { Format } from '../../report/formats/formats.ts';
import { contractOf } from '../../run/contract-of.ts';
import { UsageError } from '../../run/options.ts';
import { selectRequirements } from '../../run/plan.ts';
import { openBaselines } from '../options/baselines.ts';
import { certificatesOf, serverCertificate } from '../options/certificates.ts';
import { DEFAULT_FORMATS, FORMAT_HELP, formats } from '../options/formats.ts';
import { isLoopback } from '../options/proxy-variables.ts';
import {
  address,
  detailOf,
  patterns,
  portNumber,
  refuseUnknownPlan,
  separated,
  wholeNumber,
} from '../options/run-options.ts';
import { refuseSigned } from '../options/signed-certificate.ts';
import { deliver } from '../output/deliver.ts';
import { fileErrorOf } from '../output/file-error.ts';
import { heedInterruption } from '../output/interruption.ts';
import { clearFolder, type OutFolder, openFolder } from '../output/out-folder.ts';
import { holdLedger, type OwnLedger } from '../output/own-ledger.ts';

interface ProxyFlags {
  port: number;
  pagePort: number;
  listen: string;
  apiUrl?: string;
  plan?: string;
  redact?: string[];
  only?: string[];
  strict?: boolean;
  set?: string;
  baseline?: string;
  writeBaseline?: string;
  tlsCert?: string;
  tlsKey?: string;
  ca?: string;
  clientCert?: string;
  clientKey?: string;
  insecure?: boolean;
  keepBodies?: boolean;
  maxLedger: number;
  out: string;
  format?: readonly Format[];
  quiet?: boolean;
  verbose?: boolean;
}

/** `petspec proxy <target>`: judges live traffic. */
export function proxyCommand(exit: (status: number) => void): Command {
  return new Command('proxy')
    .description(
      'Passes requests of clients on to a target until Ctrl-C, changes nothing, sends nothing of its own, and judges what passes. Prints a line for each new way of violating the interface; a page shows the traffic live.',
    )
    .argument('<target>', 'base URL of the service')
    .option('--port <n>', 'port for clients', portNumber, 8090)
    .option('--page-port <n>', 'port of the live page', portNumber, 8091)
    .option('--listen <address>', 'address that both ports are on', '127.0.0.1')
    .option(
      '--api-url <url>',
      'base URL of its message API, on the same server (default: told by the traffic)',
    )
    .option('--plan <name>', 'rate plan of the key')
    .option('--redact <names>', 'headers, parameters and JSON fields whose values are replaced', names)
    .option('--only <ids>', 'judge only these requirement ids, globs, sections or operations', patterns)
    .option('--set <version>', 'the version of petspec whose requirements apply')
    .option('--strict', 'count advisories as violations')
    .option('--baseline <file>', 'file of known violations; exit 0 if the traffic has exactly these')
    .option('--write-baseline <file>', 'write the violations to a baseline file')
    .option('--tls-cert <file>', 'certificate (PEM) for clients; without it they speak plain http')
    .option('--tls-key <file>', 'its private key (PEM), if it is in a file of its own')
    .option('--ca <file>', 'certificates (PEM) to trust in addition to the usual ones')
    .option('--client-cert <file>', 'certificate (PEM) that is shown to the target')
    .option('--client-key <file>', 'its private key (PEM), if it is in a file of its own')
    .option('--insecure', 'accept any certificate of the target')
    .option('--keep-bodies', 'keep all bodies, not only those that findings cite')
    .option('--max-ledger <MiB>', 'maximum size of the ledger', wholeNumber, 256)
    .option('--out <dir>', 'folder for the ledger and the reports', 'reports')
    .option('--format <names>', FORMAT_HELP, formats)
    .option('--quiet', 'print only the violations and the verdict')
    .option('--verbose', 'print what was observed as well')
    .addHelpText('after', EXAMPLES)
    .action(async (target: string, flags: ProxyFlags) => exit(await proxy(target, flags)));
}

async function proxy(target: string, flags: ProxyFlags): Promise<number> {
  if (flags.quiet && flags.verbose)
    throw new UsageError('cannot combine --quiet and --verbose; leave one out');
  const contract = contractOf(flags);
  const options = optionsOf(target, flags, contract);
  const baselines = await openBaselines(flags, contract);
  refuseSigned(flags.out);
  const { closed, out, held } = await untilInterrupted(options, flags);
  const { judged, counts, state } = closed;
  const { strict = false, plan } = flags;
  const record = { strict, counts, ...(plan === undefined ? {} : { plan }) };
  const compared = baselines.compare(assembleRecording(contract, record, judged), {
    probes: contract.operations.map(({ id }) => ({ id })),
  });
  const files = held?.isThere() ? writeTraffic(out, held) : [];
  for (const line of keptLines({ ...state, omissions: {} })) process.stdout.write(`${visible(line)}\n`);
  const status = await deliver(compared, () => judged.exchanges, {
    formats: (flags.format ?? DEFAULT_FORMATS).filter((each) => each !== 'har'),
    ...(held ? { out, isOurs: held.isThere } : {}),
    detail: detailOf(flags),
  });
  if (!flags.quiet && files.length > 0) process.stdout.write(`${files.join('  ')}\n`);
  await baselines.keep(compared);
  held?.close();
  return status;
}

type Options = Omit<ProxyOptions, 'judging' | 'onNews' | 'onBug'> & { judging: ThreadOptions };

/** @throws UsageError */
function optionsOf(text: string, flags: ProxyFlags, contract: Contract): Options {
  const target = address(text, 'target');
  const apiUrl = flags.apiUrl === undefined ? undefined : address(flags.apiUrl, '--api-url');
  if (apiUrl !== undefined && new URL(apiUrl).origin !== new URL(target).origin)
    throw new UsageError(`--api-url: '${apiUrl}' is another server; start a proxy of its own for it`);
  const { plan, redact = [], only = [], set } = flags;
  refuseUnknownPlan(plan, Object.keys(contract.ratePlans));
  redactableFields(contract, redact);
  const limits = plan === undefined ? undefined : contract.ratePlans[plan];
  const selected = selectRequirements(contract.requirements, only);
  const tls = serverCertificate(flags);
  const place = { host: flags.listen, ...(tls ? { tls } : {}) };
  return {
    contract,
    target,
    network: { ...certificatesOf(flags), ...(flags.insecure ? { insecure: true } : {}) },
    place: { ...place, port: flags.port },
    pagePlace: { ...place, port: flags.pagePort },
    judging: {
      servers: { baseUrl: target, ...(apiUrl === undefined ? {} : { apiUrl }) },
      set,
      only: only.length === 0 ? [] : selected.map(({ id }) => id),
      redact,
      ...(plan === undefined ? {} : { plan }),
      ...(limits && Object.keys(limits).length > 0 ? { limits } : {}),
    },
  };
}

/** What came of the traffic, the folder for its reports, and its ledger if it could be written. */
interface Ended {
  closed: Closed;
  out: string;
  held?: OwnLedger;
}

/** Runs the proxy until Ctrl-C. */
async function untilInterrupted(options: Options, flags: ProxyFlags): Promise<Ended> {
  process.stderr.write(warnings(options));
  let out: OutFolder = { path: '' };
  const judging = () => {
    out = openFolder(flags.out, makeRoom);
    if (out.problem) process.stderr.write(`petspec: ${out.problem}\n`);
    const most = flags.maxLedger * 1024 * 1024;
    const ledger = { path: join(out.path, LEDGER), most, keepsBodies: flags.keepBodies ?? false };
    return { ...options.judging, ...(out.problem ? {} : { ledger }) };
  };
  const running = await startProxy({ ...options, judging, onNews: tellNews, onBug: tellBroken }).catch(
    (error: unknown) => {
      throw error instanceof ListenError ? new UsageError(whyNotListening(error, flags)) : error;
    },
  );
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
  return { closed: await running.close(), out: out.path, ...(held ? { held } : {}) };
}

function whyNotListening({ isPage, code }: ListenError, { port, pagePort, listen }: ProxyFlags): string {
  const [option, number] = isPage ? ['--page-port', pagePort] : ['--port', port];
  if (code === 'EADDRINUSE') return `${option}: port ${number} is in use; name another one`;
  if (code === 'EACCES') return `${option}: no permission to listen on port ${number}; name another one`;
  return `--listen: cannot listen on '${listen}' (${code})`;
}

function warnings({ network, place, target }: Options): string {
  const address = `http://${place.host.includes(':') ? `[${place.host}]` : place.host}`;
  const isOpen = URL.canParse(address) && !isLoopback(new URL(address));
  const lines = [
    ...(network.insecure
      ? [`--insecure: CERTIFICATES ARE NOT VERIFIED. Anyone who answers for ${visible(target)} gets the keys`]
      : []),
    ...(isOpen && !place.tls
      ? ['--listen: plain http; anyone on the network can read the keys; use --tls-cert']
      : []),
  ];
  return lines.map((line) => `petspec: warning: ${line}\n`).join('');
}

function tellNews({ at, status, requirement, reason, expected, received, request }: News): void {
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

const LEDGER = 'traffic.jsonl';

/** The ledger of an earlier proxy stays once more: it may have been killed. */
const EARLIER = 'traffic.earlier.jsonl';

function makeRoom(folder: string): void {
  if (existsSync(join(folder, LEDGER))) renameSync(join(folder, LEDGER), join(folder, EARLIER));
  clearFolder(folder);
}

/** Writes the HAR of what the ledger holds. @returns the files with the traffic */
function writeTraffic(folder: string, { file }: OwnLedger): string[] {
  const ledger = join(folder, LEDGER);
  const har = join(folder, REPORT_FILES.har);
  const problem = fileErrorOf(() => writeFileAtomically(har, harOfLedger(file)));
  if (problem) process.stderr.write(`petspec: ${REPORT_FILES.har} cannot be written (${problem.code})\n`);
  return (problem ? [ledger] : [har, ledger]).map((each) => relative(process.cwd(), each) || each);
}

function names(text: string, earlier: string[] = []): string[] {
  return [...new Set([...earlier, ...separated(text)])];
}

const EXAMPLES = `
Clients use the printed address in place of that of the service. The ledger is written as requests pass, so nothing is lost
if petspec is killed: petspec judge reports/traffic.jsonl judges it.

Examples:
  petspec proxy https://api.example.com/v1
  petspec proxy http://localhost:3000/v1 --port 8080 --redact owner,x-tenant
  petspec proxy https://api.example.com/v1 --listen 0.0.0.0 --tls-cert server.pem --tls-key server.key`;
