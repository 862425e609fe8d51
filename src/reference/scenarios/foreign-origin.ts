import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that has nothing to do with the service: it answers everything with an empty list. */
export interface ForeignOrigin {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  close(): Promise<void>;
}

/** Starts a server of another origin on 127.0.0.1. @param onRequest gets the head of each request */
export async function startForeignOrigin(
  onRequest: (request: IncomingMessage) => void = () => {},
): Promise<ForeignOrigin> {
  const server = createServer((request, response) => {
    onRequest(request);
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
