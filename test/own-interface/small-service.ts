import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunSettings, run } from '../../src/index.ts';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** A status, a value that is sent as JSON, or bytes that are sent as they are, and headers. */
export type Answered = readonly [
  status: number,
  value?: unknown,
  headers?: Record<string, string | string[]>,
];

/** Writes a document with these paths, as text if it has numbers beyond 2^53, into a folder of its own. */
export function documentWith(paths: object | string, components: object = {}, openapi = '3.1.0'): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-small-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'openapi.json');
  const text = typeof paths === 'string' ? paths : JSON.stringify(paths);
  writeFileSync(file, `{"openapi":"${openapi}","paths":${text},"components":${JSON.stringify(components)}}`);
  return file;
}

/** A service that throws answers 500, as frameworks do. */
function answeredBy(answer: (asked: Asked) => Answered, asked: Asked): Answered {
  try {
    return answer(asked);
  } catch {
    return [500];
  }
}

/** Starts a service that answers with what a function returns, and keeps what it was asked. */
export async function startSmall(answer: (asked: Asked) => Answered) {
  const all: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname: path, searchParams: query } = new URL(`http://a.test${request.url ?? ''}`);
    const { method = '', headers } = request;
    const body = Buffer.concat(chunks).toString();
    const asked = { method, path, query, headers: headers as Asked['headers'], body };
    all.push(asked);
    const [status, value, own = {}] = answeredBy(answer, asked);
    const isJson = value !== undefined && !Buffer.isBuffer(value);
    const text = isJson ? JSON.stringify(value) : value;
    response.writeHead(status, {
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...own,
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: all };
}

/** What a run reports of a service with this document, and what it asked. */
export async function judged(path: string, answer: (asked: Asked) => Answered, options: RunSettings = {}) {
  const { baseUrl, asked } = await startSmall(answer);
  const report = await run({ baseUrl, interface: path, ...options });
  const withStatus = (...statuses: string[]) =>
    report.requirements.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  return {
    report,
    asked,
    wrong: withStatus('violated', 'advisory'),
    met: withStatus('met'),
    untested: withStatus('not-tested'),
  };
}
