import { buildConnector, type Client, type Dispatcher } from 'undici';
import { MAX_HEADERS } from '../../session/http/bounds.ts';
import { type Connector, clientOf, type Network } from '../../session/http/connect.ts';
import { HeadWatch } from '../../session/http/response-head.ts';
import { usualRoots } from '../../session/http/roots.ts';

/** How the target is reached. */
export type TargetNetwork = Pick<Network, 'ca' | 'client' | 'insecure'>;

/** The connections to a target: as many as there are requests at the same time. */
export interface TargetConnections {
  /** Sends a request over a connection that has no other. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** Connects to one origin, without timeouts. */
export function targetConnections(origin: string, network: TargetNetwork = {}): TargetConnections {
  const connect = connectorBy(network);
  const all: Connection[] = [];
  const idle: Connection[] = [];
  const open = () => {
    const connection = openConnection(origin, connect);
    all.push(connection);
    return connection;
  };
  return {
    dispatch(request, handler) {
      const connection = idle.pop() ?? open();
      let isBusy = true;
      const release = () => {
        if (isBusy) idle.push(connection);
        isBusy = false;
      };
      connection.client.dispatch(request, {
        onRequestStart(controller, context) {
          connection.watch?.expect();
          handler.onRequestStart?.(controller, context);
        },
        onResponseStart: (...head) => handler.onResponseStart?.(...head),
        onResponseData: (...data) => handler.onResponseData?.(...data),
        onResponseEnd(...end) {
          release();
          handler.onResponseEnd?.(...end);
        },
        onResponseError(...failure) {
          release();
          handler.onResponseError?.(...failure);
        },
      });
    },
    async close() {
      await Promise.all(all.map(({ client }) => client.destroy().catch(() => {})));
    },
  };
}

interface Connection {
  client: Client;
  /** Watches what arrives, once it is connected. */
  watch?: HeadWatch;
}

function openConnection(origin: string, connect: Connector): Connection {
  const client = clientOf(origin, MAX_HEADERS, connect, (socket) => {
    // Nothing limits the time of a response here, so a head that is too large is not read to its end.
    connection.watch = new HeadWatch(socket, { readsLargeToEnd: false });
  });
  const connection: Connection = { client };
  return connection;
}

function connectorBy({ ca, client, insecure = false }: TargetNetwork): Connector {
  return buildConnector({
    timeout: 0,
    rejectUnauthorized: !insecure,
    ca: ca === undefined ? undefined : [...usualRoots(), ca],
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
  });
}
