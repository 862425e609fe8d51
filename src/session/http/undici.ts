import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { buildConnector as connectorOf, Dispatcher, Client as UndiciClient } from 'undici';

type Undici = typeof import('undici');

const require = createRequire(import.meta.url);

/** The two parts of undici that petspec uses, loaded by file: all of undici takes three times as long to load. */
export const Client: Undici['Client'] = require('undici/lib/dispatcher/client.js');
export const buildConnector: Undici['buildConnector'] = require('undici/lib/core/connect.js');

/** Asks a proxy for a tunnel, like `client.connect(options)`, a method that clients have only if all of undici is loaded. */
export function connectBy(
  client: InstanceType<typeof Client>,
  options: Parameters<InstanceType<typeof Client>['connect']>[0],
): Promise<Dispatcher.ConnectData> {
  return require('undici/lib/api/api-connect.js').call(client, options);
}

export type Connector = connectorOf.connector;

/** How long (ms) an idle connection is reused: a server may close it at any time. */
const KEEP_ALIVE_MS = 1_000;

/**
 * A client with one connection for one request at a time, without timeouts.
 * @param maxHeaderSize in bytes
 * @param onConnected gets each socket before anything is sent over it
 */
export function clientOf(
  origin: string,
  maxHeaderSize: number,
  connect: Connector,
  onConnected: (socket: Socket) => void,
): UndiciClient {
  return new Client(origin, {
    pipelining: 1,
    maxHeaderSize,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        onConnected(socket);
        callback(null, socket);
      }),
  });
}
