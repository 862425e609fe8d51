import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { MAX_TRAILERS } from './bounds.ts';
import { type HttpProxy, proxyAt, proxyFailed, proxyRefused } from './proxy.ts';
import { type HeadWatch, watchHeads } from './response-head.ts';
import { usualRoots } from './roots.ts';

/** Idle connections are left alone after this (ms): a server may be closing them at any time. */
const KEEP_ALIVE = 1_000;

/** How connections are made where not directly, with the usual roots and as nobody in particular: plain data. */
export interface Network {
  /** Certificates (PEM) that are trusted besides the usual roots. */
  ca?: string;
  /** What petspec shows to a service that asks who connects (PEM). */
  client?: { certificate: string; key: string };
  /** Whether the certificate of a service is taken for good without a look at it. */
  insecure?: boolean;
  /** Addresses of proxies, user and password included, by the origin that they lead to. */
  proxies?: Readonly<Record<string, string>>;
}

type Request = Omit<Dispatcher.RequestOptions, 'origin' | 'headers'> & { headers: string[] };

/** One connection at a time to one origin. */
export interface Connection {
  request(request: Request): Promise<Dispatcher.ResponseData>;
  /** Whether the service itself is known to be at the other end. */
  isReached(): boolean;
  /** What watches what comes over it; undefined until it is made. */
  watch(): HeadWatch | undefined;
  /** The proxy in between, as it may be shown. */
  proxy?: string;
  /** Ends it once it is idle. */
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/**
 * How an origin is connected to: directly; https through a tunnel of its proxy (RFC 9110 section 9.3.6); plain http by
 * asking the proxy for the whole address (RFC 9112 section 3.2.2).
 * @param timeout ms in which a proxy has to answer
 * @throws Error where a certificate or a key of `network` is none
 */
export function connector(network: Network, timeout: number): (origin: string) => Connection {
  const { ca, client, insecure = false, proxies = {} } = network;
  const roots = ca === undefined ? undefined : { ca: [...usualRoots(), ca] };
  // Made once: reading all roots takes its time.
  const trusting = roots && createSecureContext(roots);
  const named = client && createSecureContext({ ...roots, cert: client.certificate, key: client.key });
  const toService = connectorBy(named ?? trusting, { timeout: 0, rejectUnauthorized: !insecure });
  const toProxy = connectorBy(trusting, { timeout, rejectUnauthorized: true });
  return (origin) => {
    const address = proxies[origin];
    if (address === undefined) return directly(origin, toService);
    const proxy = proxyAt(address);
    // The name in its certificate is the proxy's, whatever Host says.
    const servername = new URL(address).hostname.replace(/^\[.*\]$|^[\d.]+$/, '');
    const reach: Connector = (options, callback) => toProxy({ ...options, servername }, callback);
    return origin.startsWith('https:')
      ? throughTunnel(origin, proxy, timeout, reach, toService)
      : byForwarding(origin, proxy, reach);
  };
}

type Connector = buildConnector.connector;

/** Verifying is stated, so that NODE_TLS_REJECT_UNAUTHORIZED turns nothing off unseen. */
function connectorBy(
  secureContext: SecureContext | undefined,
  options: { timeout: number; rejectUnauthorized: boolean },
): Connector {
  const context = secureContext === undefined ? {} : { secureContext };
  return buildConnector({ ...options, ...context, maxCachedSessions: 0 });
}

function directly(origin: string, connect: Connector): Connection {
  const { isConnected, ...client } = openClient(origin, connect);
  return { ...client, isReached: isConnected };
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
  const { isConnected, ...client } = openClient(origin, (options, callback) => {
    const headers = { host: authority, ...authorization(proxy) };
    tunnel.connect({ path: authority, headers }).then(
      ({ statusCode, socket }) => {
        if (statusCode >= 200 && statusCode <= 299) {
          // undici calls it a Duplex; it is the socket of the connection to the proxy.
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
    request: client.request,
    watch: client.watch,
    isReached: isConnected,
    proxy: proxy.name,
    close: async () => {
      await Promise.all([client.close(), tunnel.close()]);
    },
    destroy: async () => {
      await Promise.all([client.destroy(), tunnel.destroy()]);
    },
  };
}

/** Statuses by which a proxy says that it cannot pass a request on, or that a service may say of its own. */
const GATEWAY = [407, 502, 503, 504];

function byForwarding(origin: string, proxy: HttpProxy, toProxy: Connector): Connection {
  const authority = new URL(origin).host;
  const { isConnected: _isProxyConnected, ...client } = openClient(proxy.origin, (options, callback) =>
    toProxy(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(proxyFailed(proxy, error), null),
    ),
  );
  let isReached = false;
  return {
    ...client,
    async request({ path, headers, ...rest }) {
      const own = Object.entries({ host: authority, ...authorization(proxy) }).flat();
      const reply = await client.request({ ...rest, path: origin + path, headers: [...own, ...headers] });
      if (GATEWAY.includes(reply.statusCode)) throw proxyRefused(proxy, reply.statusCode, authority);
      isReached = true;
      return reply;
    },
    isReached: () => isReached,
    proxy: proxy.name,
  };
}

interface OneClient extends Pick<Connection, 'request' | 'watch' | 'close' | 'destroy'> {
  isConnected(): boolean;
}

function openClient(origin: string, connect: Connector): OneClient {
  let isConnected = false;
  let alert: Error | undefined;
  let watch: HeadWatch | undefined;
  const client = new Client(origin, {
    pipelining: 1,
    // Heads that are larger do not get this far.
    maxHeaderSize: MAX_TRAILERS,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        socket.once('error', (problem) => {
          if (isAlert(problem)) alert = problem;
        });
        watch = watchHeads(socket);
        callback(null, socket);
      }),
  });
  client.once('connect', () => {
    isConnected = true;
  });
  return {
    isConnected: () => isConnected,
    watch: () => watch,
    // undici says that the connection was closed, and not that TLS said why.
    request: (request) => client.request(request).catch((error) => Promise.reject(alert ?? error)),
    close: () => client.close(),
    destroy: () => client.destroy(),
  };
}

/** With TLS 1.3 a server refuses a client certificate, or none, only after the client's side of the handshake is over. */
function isAlert(error: Error): boolean {
  return 'code' in error && /^ERR_SSL_.*_ALERT_/.test(String(error.code));
}

function authorization({ authorization: value }: HttpProxy): Record<string, string> {
  return value === undefined ? {} : { 'proxy-authorization': value };
}

/** Host and port, the port always. */
function authorityOf(origin: string): string {
  const { host, port, protocol } = new URL(origin);
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
}

/** Whether a tunnel was closed before there was TLS: whoever did it, the service has not answered. */
function isCutOff(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}
