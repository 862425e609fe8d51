import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { type HttpProxy, proxyAt } from '../../model/http/proxy-address.ts';
import { MAX_TRAILERS } from './bounds.ts';
import { proxyFailed, proxyRefused } from './failures.ts';
import { type OnHead, readResponse } from './read-response.ts';
import { HeadWatch } from './response-head.ts';
import { buildConnector, Client, type Connector, clientOf, connectBy } from './undici.ts';

/** How connections are made; by default directly, with the usual roots and without a client certificate. Plain data. */
export interface Network {
  /** Certificates (PEM) that petspec trusts besides the usual roots. */
  ca?: string;
  /** The certificate that petspec shows to the service, with its key (PEM). */
  client?: { certificate: string; key: string };
  /** Accepts any certificate of the service. */
  insecure?: boolean;
  /** Addresses of proxies, with user and password, by the origin that they serve. */
  proxies?: Readonly<Record<string, string>>;
}

/** Made once, because undici would make an error with a stack for each connection that ends. */
const ENDED = new Error('petspec ended the connection');

type Request = Omit<Dispatcher.RequestOptions, 'origin' | 'headers'> & { headers: string[] };

/** A connection to an origin, for one request at a time. */
export interface Connection {
  /** Sends a request, and returns the bytes of the response's body. @throws like `readResponse` */
  request(request: Request, onHead: OnHead): Promise<Buffer>;
  /** Whether the service itself is at the other end. */
  isReached(): boolean;
  /** Watches the responses; undefined until the connection is made. */
  watch(): HeadWatch | undefined;
  /** The proxy in between, without its user and password. */
  proxy?: string;
  /** Ends it at once. */
  destroy(): Promise<void>;
}

/** Opens a connection to an origin in place of the network. */
export type Dial = (origin: string) => Duplex;

/** Connects to origins in memory, with the same HTTP as over the network. */
export function inMemoryConnector(dial: Dial): (origin: string) => Connection {
  return (origin) =>
    openConnection(origin, (_options, callback) => {
      // undici types it as a socket, but uses only what a stream in memory has. It expects it later.
      setImmediate(() => callback(null, dial(origin) as Socket));
    });
}

/**
 * Connects to origins: directly, for https through a tunnel of a proxy (RFC 9110 section 9.3.6), or for http by asking a
 * proxy for the whole URL (RFC 9112 section 3.2.2).
 * @param timeout ms in which a proxy must respond
 * @throws Error if a certificate or a key of `network` is invalid
 */
export function connector(network: Network, timeout: number): (origin: string) => Connection {
  const { ca, client, insecure = false, proxies = {} } = network;
  const roots = ca === undefined ? undefined : { ca: [...usualRoots(), ca] };
  // Made once per connector, because reading all roots takes time.
  const trusting = roots && createSecureContext(roots);
  const named = client && createSecureContext({ ...roots, cert: client.certificate, key: client.key });
  const toService = connectorBy(named ?? trusting, { timeout: 0, rejectUnauthorized: !insecure });
  const toProxy = connectorBy(trusting, { timeout, rejectUnauthorized: true });
  return (origin) => {
    const address = proxies[origin];
    if (address === undefined) return openConnection(origin, toService);
    const proxy = proxyAt(address);
    // The certificate has the name of the proxy, not the one in Host.
    const servername = new URL(address).hostname.replace(/^\[.*\]$|^[\d.]+$/, '');
    const reach: Connector = (options, callback) => toProxy({ ...options, servername }, callback);
    return origin.startsWith('https:')
      ? throughTunnel(origin, proxy, timeout, reach, toService)
      : byForwarding(origin, proxy, reach);
  };
}

/** States whether to verify certificates, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect. */
function connectorBy(
  secureContext: SecureContext | undefined,
  options: { timeout: number; rejectUnauthorized: boolean },
): Connector {
  const context = secureContext === undefined ? {} : { secureContext };
  return buildConnector({ ...options, ...context, maxCachedSessions: 0 });
}

function throughTunnel(
  origin: string,
  proxy: HttpProxy,
  timeout: number,
  toProxy: Connector,
  toService: Connector,
): Connection {
  const authority = authorityOf(origin);
  const tunnel = new Client(proxy.origin, { connect: toProxy, headersTimeout: timeout });
  const client = openConnection(origin, (options, callback) => {
    const headers = { host: authority, ...authorization(proxy) };
    connectBy(tunnel, { path: authority, headers }).then(
      ({ statusCode, socket }) => {
        if (statusCode >= 200 && statusCode <= 299) {
          // undici types it as a Duplex, but it is the socket of the connection to the proxy.
          const httpSocket = socket as NonNullable<typeof options.httpSocket>;
          toService({ ...options, httpSocket }, (...[error, secured]) => {
            if (error === null) callback(null, secured);
            else callback(isCutOff(error) ? proxyFailed(proxy, error) : error, null);
          });
          return;
        }
        socket.on('error', () => {}).destroy();
        callback(proxyRefused(proxy, statusCode, authority), null);
      },
      (error) => callback(proxyFailed(proxy, error), null),
    );
  });
  return {
    ...client,
    proxy: proxy.name,
    destroy: async () => {
      await Promise.all([client.destroy(), tunnel.destroy(ENDED)]);
    },
  };
}

/** Statuses of a proxy that cannot forward a request. A service may use most of them, too. */
const GATEWAY_STATUSES = [407, 502, 503, 504];

function byForwarding(origin: string, proxy: HttpProxy, toProxy: Connector): Connection {
  const authority = new URL(origin).host;
  const client = openConnection(proxy.origin, (options, callback) =>
    toProxy(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(proxyFailed(proxy, error), null),
    ),
  );
  let isReached = false;
  return {
    ...client,
    request({ path, headers, ...rest }, onHead) {
      const ofProxy = Object.entries({ host: authority, ...authorization(proxy) }).flat();
      const forwarded = { ...rest, path: origin + path, headers: [...ofProxy, ...headers] };
      return client.request(forwarded, (head, stop) => {
        if (GATEWAY_STATUSES.includes(head.status)) throw proxyRefused(proxy, head.status, authority);
        isReached = true;
        return onHead(head, stop);
      });
    },
    // A connection to the proxy does not reach the service.
    isReached: () => isReached,
    proxy: proxy.name,
  };
}

function openConnection(origin: string, connect: Connector): Connection {
  let isConnected = false;
  let alert: Error | undefined;
  let watch: HeadWatch | undefined;
  // HeadWatch stops larger heads before they get here.
  const client = clientOf(origin, MAX_TRAILERS, connect, (socket) => {
    socket.once('error', (problem) => {
      if (isAlert(problem)) alert = problem;
    });
    watch = new HeadWatch(socket);
  });
  client.once('connect', () => {
    isConnected = true;
  });
  return {
    isReached: () => isConnected,
    watch: () => watch,
    // undici only says that the connection was closed; the TLS alert says why.
    request: (request, onHead) =>
      readResponse((handler) => client.dispatch(request, handler), onHead).catch((error) =>
        Promise.reject(alert ?? error),
      ),
    destroy: () => client.destroy(ENDED),
  };
}

/** With TLS 1.3 a server refuses a client certificate, or its absence, only after the client has finished its handshake. */
function isAlert(error: Error): boolean {
  return 'code' in error && /^ERR_SSL_.*_ALERT_/.test(String(error.code));
}

function authorization({ authorization: value }: HttpProxy): Record<string, string> {
  return value === undefined ? {} : { 'proxy-authorization': value };
}

/** Host and port, even if it is the default port. */
function authorityOf(origin: string): string {
  const { host, port, protocol } = new URL(origin);
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
}

/** Whether a tunnel was closed before TLS was established: whoever closed it, the service has not responded. */
function isCutOff(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

/** The roots that Node trusts by default. They have to be named, because naming another root replaces them. */
export function usualRoots(): readonly string[] {
  // The oldest Node that petspec supports does not have this function.
  const current = (tls as { getCACertificates?: (type: 'default') => string[] }).getCACertificates;
  if (current) return current('default');
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra && existsSync(extra) ? [...rootCertificates, readFileSync(extra, 'utf8')] : rootCertificates;
}
