import type { Contract } from '../../model/contract.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import type { ThreadOptions } from '../../proxy/judging/judge-thread.ts';
import type { ProxyOptions } from '../../proxy/start-proxy.ts';
import { redactableFields } from '../../recording/capture/redact-fields.ts';
import { refuseUnknownPlan, refuseUnknownServers } from '../../run/options.ts';
import { selectRequirements } from '../../run/plan/select.ts';
import { address } from '../../run/settings/values.ts';
import type { UNDOCUMENTED } from '../../traffic/coverage/undocumented.ts';
import { type JudgingFlags, serversAt } from './judging-flags.ts';
import { type CertificateFlags, certificatesOf, serverCertificate } from './network/certificates.ts';
import { isLoopback } from './network/proxy-variables.ts';
import { serversOf } from './run-options.ts';

/** The options of `petspec proxy`, as commander parses them. */
export interface ProxyFlags extends JudgingFlags, CertificateFlags {
  port: number;
  pagePort: number;
  listen: string;
  allowHost?: string[];
  apiUrl?: string;
  plan?: string;
  redact?: string[];
  set?: string;
  asOf?: string;
  interface?: string[];
  undocumented?: (typeof UNDOCUMENTED)[number];
  server?: (readonly [name: string, url: string])[];
  tlsCert?: string;
  tlsKey?: string;
  insecure?: boolean;
  keepBodies?: boolean;
  /** MiB */
  maxLedger: number;
}

/** The options that the command line states. The ledger depends on the folder, which is made later. */
export type StatedProxy = Omit<ProxyOptions, 'judging' | 'onNewFinding' | 'onOdd' | 'onBug'> & {
  judging: ThreadOptions;
};

/** Checks the options of a proxy. @throws UsageError with one line */
export function proxyOptions(text: string, flags: ProxyFlags, contract: Contract): StatedProxy {
  const target = address(text, 'target');
  // Without an address, Node would listen on every address. A variable of a script may be empty.
  if (flags.listen.trim() === '')
    throw new UsageError('--listen: no address named; leave it out to listen on 127.0.0.1');
  refuseItself(target, flags);
  const servers = { ...serversAt(target, contract, 'target'), ...othersAt(target, flags, contract) };
  const { plan, redact = [], only = [] } = flags;
  refuseUnknownPlan(plan, Object.keys(contract.ratePlans));
  redactableFields(contract, redact);
  const limits = plan === undefined ? undefined : contract.ratePlans[plan];
  const selected = selectRequirements(contract.requirements, { only });
  const tls = serverCertificate(flags);
  const place = { host: flags.listen, tls };
  const network = { ...certificatesOf(flags), insecure: flags.insecure ?? false };
  const names = flags.allowHost ?? [];
  const isReachable = isOpen(place) || network.client !== undefined;
  return {
    contract,
    target,
    servers,
    network,
    // If only this machine can connect, names of the hosts file may lead here.
    place: { ...place, port: flags.port, names: isReachable ? names : undefined },
    pagePlace: { ...place, port: flags.pagePort, names },
    judging: {
      servers,
      named: { interface: flags.interface, set: flags.set, asOf: flags.asOf },
      only: only.length === 0 ? [] : selected.map(({ id }) => id),
      redact,
      plan,
      limits: limits && Object.keys(limits).length > 0 ? limits : undefined,
    },
  };
}

/** The other servers of the interface. @throws UsageError if a server is not at the origin of the target */
function othersAt(target: string, flags: ProxyFlags, contract: Contract): Record<string, string> {
  const apiUrl = flags.apiUrl === undefined ? {} : { apiUrl: address(flags.apiUrl, '--api-url') };
  const servers = { ...serversOf(flags), ...apiUrl };
  refuseUnknownServers(contract, { servers });
  for (const [name, url] of Object.entries(servers))
    if (new URL(url).origin !== new URL(target).origin)
      throw new UsageError(
        `${name === 'apiUrl' ? '--api-url' : `--server ${name}`}: '${url}' is another server; start a proxy of its own for it`,
      );
  return servers;
}

/**
 * Refuses a target that is the proxy itself: each request would come back as a new request, without end.
 * @throws UsageError that names the port
 */
function refuseItself(target: string, { listen, port, pagePort }: ProxyFlags): void {
  const url = new URL(target);
  // A URL leaves out the port that its scheme has by default.
  const targetPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  const option = { [port]: '--port', [pagePort]: '--page-port' }[targetPort];
  if (option && isListenedOn(url, listen))
    throw new UsageError(`${option}: port ${targetPort} is that of the target; name another one`);
}

/** Whether a URL has the host that a server listens on. */
function isListenedOn(url: URL, listen: string): boolean {
  const listening = urlOf(listen);
  if (listening === undefined || ['0.0.0.0', '[::]'].includes(listening.hostname)) return isLoopback(url);
  const isNamed = [url.hostname, listening.hostname].includes('localhost');
  return url.hostname === listening.hostname || (isNamed && isLoopback(url) && isLoopback(listening));
}

/** The URL of an address to listen on. Node also listens on addresses without a URL, such as ::%lo for every address. */
function urlOf(listen: string): URL | undefined {
  const text = `http://${listen.includes(':') ? `[${listen}]` : listen}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether other machines may connect. */
function isOpen({ host }: { host: string }): boolean {
  const listening = urlOf(host);
  return listening === undefined || !isLoopback(listening);
}

/** The warnings about the options, a line each. */
export function proxyWarnings({ network, place, target }: StatedProxy): string {
  const lines = [
    ...(network.insecure
      ? [`--insecure: CERTIFICATES ARE NOT VERIFIED. Anyone who answers for ${visible(target)} gets the keys`]
      : []),
    ...(isOpen(place) && !place.tls
      ? ['--listen: plain http; anyone on the network can read the keys; use --tls-cert']
      : []),
  ];
  return lines.map((line) => `petspec: warning: ${line}\n`).join('');
}
