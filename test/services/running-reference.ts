import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { VirtualClock } from '../../src/model/clock.ts';
import type { Reference, ReferenceOptions } from '../../src/reference/index.ts';
import { startReference } from '../../src/reference/index.ts';

/** A full minute, half a day before midnight: fixed windows begin here. */
export const NOON = Date.UTC(2026, 10, 21, 12, 0, 0);
export const KEY = 'k-123456789';

/** A response for tests. Header names are in lower case; `raw` keeps repetitions. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  raw: string[];
  text: string;
  /** The body's JSON; undefined if it is not JSON. */
  json: unknown;
  /** The same, typed as an object or a list of objects. */
  object: Record<string, unknown>;
  list: Record<string, unknown>[];
}

export interface Ask {
  method?: string;
  body?: string | Uint8Array;
  key?: string | null;
  headers?: Record<string, string>;
  messages?: boolean;
  signal?: AbortSignal;
  /** Sends the body in chunks, without Content-Length. */
  chunked?: boolean;
}

/** A running reference with its own clock, and a client that holds that clock like the session does. */
export interface Running extends Reference {
  clock: VirtualClock;
  ask: Client;
  /** A client that has a connection of its own to each address, and no other. */
  connect(): Client;
}

type Client = (path: string, ask?: Ask) => Promise<Reply>;

export async function running(
  options: Partial<ReferenceOptions> = {},
  use: (reference: Running) => Promise<void>,
): Promise<void> {
  const clock = new VirtualClock(NOON);
  const reference = await startReference({ clock, apiKey: KEY, ...options });
  const agents: Agent[] = [];
  const clientOf = (agent: Agent): Client => {
    agents.push(agent);
    return (path, request) => askBy(agent, path, request);
  };
  const askBy = async (agent: Agent, path: string, request: Ask = {}) => {
    const { method = 'GET', body, key, headers, messages, signal, chunked = false } = request;
    const authorization = key === null ? {} : { authorization: key ?? `Bearer ${KEY}` };
    const base = new URL(messages ? reference.apiUrl : reference.baseUrl);
    const answered = clock.hold();
    try {
      const response = await agent.request({
        origin: base.origin,
        path: (messages ? '' : base.pathname) + path,
        method: method as 'GET',
        headers: { ...authorization, ...headers },
        body: chunked && body !== undefined ? Readable.from([Buffer.from(body)]) : (body ?? null),
        signal: signal ?? null,
        responseHeaders: 'raw',
      });
      const text = await response.body.text();
      answered('answered');
      return readReply(response.statusCode, response.headers as unknown as string[], text);
    } catch (error) {
      answered('abandoned');
      throw error;
    }
  };
  try {
    const connect = () => clientOf(new Agent({ connections: 1 }));
    await use({ ...reference, clock, ask: clientOf(new Agent()), connect });
  } finally {
    await reference.close();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}

function readReply(status: number, raw: string[], text: string): Reply {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) headers[raw[at]?.toLowerCase() ?? ''] = raw[at + 1] ?? '';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {}
  return {
    status,
    headers,
    raw,
    text,
    json,
    object: json as Reply['object'],
    list: json as Reply['list'],
  };
}
