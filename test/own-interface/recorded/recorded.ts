import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request, as a service got it. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What a service responds. */
export interface Answered {
  status: number;
  value?: unknown;
  headers?: Record<string, string>;
}

/** Starts a service on 127.0.0.1 for one test. It keeps what it got. */
export async function startRecorded(answer: (asked: Asked) => Answered | Promise<Answered>) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const each = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    asked.push(each);
    const { status, value, headers = {} } = await answer(each);
    const type = value === undefined ? {} : { 'Content-Type': 'application/json' };
    response.writeHead(status, { ...type, ...headers });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
