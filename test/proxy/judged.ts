import { Agent } from 'undici';
import { loadContract } from '../../src/contract/load.ts';
import { realClock } from '../../src/model/clock.ts';
import { forwarder } from '../../src/proxy/http/forward.ts';
import { listen } from '../../src/proxy/http/listen.ts';
import type { Passed } from '../../src/proxy/http/passed.ts';
import { LiveJudge, type LiveOptions } from '../../src/proxy/judging/live-judge.ts';
import { type Change, startReference } from '../../src/reference/index.ts';
import { allChecks } from '../../suites/index.ts';

export const contract = loadContract();
const checks = allChecks(contract);
export const KEY = 'a-live-key-4711-0815';

/** A judge of live traffic by the whole interface. */
export function liveJudge(options: Partial<LiveOptions> & Pick<LiveOptions, 'servers'>): LiveJudge {
  return new LiveJudge(contract, checks, { redact: [], ...options });
}

/** Sends a request through the proxy. */
export type Say = (
  method: string,
  path: string,
  ask?: { body?: unknown; key?: string | null; headers?: Record<string, string> },
) => Promise<{ status: number; json: unknown }>;

/** The reference behind a proxy that judges, and a client in front of it. */
export async function throughProxy(
  changes: readonly Change[],
  use: (say: Say, judge: LiveJudge, origin: string) => Promise<void>,
  options: Partial<LiveOptions> = {},
): Promise<LiveJudge> {
  const reference = await startReference({ clock: realClock, apiKey: KEY, changes, plan: 'pro' });
  const { origin } = new URL(reference.baseUrl);
  const judge = liveJudge({ servers: { baseUrl: reference.baseUrl }, ...options });
  const forward = forwarder({
    origin,
    isJudged: () => true,
    onPassed: (passed) => judge.add(passed),
    onUnjudged: () => judge.omit('other-path'),
    onUnanswered: () => judge.omit('aborted'),
  });
  const listening = await listen(forward.handle, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({
    maxHeaderSize: 1024 * 1024,
    keepAliveTimeout: 1_000,
    headersTimeout: 1_000,
    bodyTimeout: 1_000,
  });
  const base = new URL(reference.baseUrl).pathname;
  const say: Say = async (method, path, { body, key = KEY, headers = {} } = {}) => {
    const response = await agent.request({
      origin: listening.origin,
      path: base + path,
      method: method as 'GET',
      headers: {
        accept: 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, json: safely(text) };
  };
  try {
    await use(say, judge, listening.origin);
  } finally {
    await agent.destroy();
    await listening.close();
    await forward.close();
    await reference.close();
  }
  return judge;
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a client of a store says on an ordinary day. */
export async function ordinaryDay(say: Say): Promise<void> {
  const listed = await say('GET', '/pets');
  const [first] = Array.isArray(listed.json) ? (listed.json as { categoryId?: number }[]) : [];
  const categoryId = first?.categoryId ?? 1;
  const added = await say('POST', '/pets', {
    body: { name: 'Rex of the day', categoryId, status: 'pending' },
  });
  const { id } = (added.json ?? {}) as { id?: number };
  await say('GET', `/pets/${id ?? 1}`);
  await say('GET', '/pets?limit=3');
  await say('GET', '/pets?limit=100');
  await say('GET', '/pets?status=sold');
  await say('POST', '/pets', { body: { name: 'no category' } });
  await say('POST', '/pets', { body: { name: 'Max', categoryId } });
  await say('GET', '/pets/999999999999');
  await say('GET', '/pets', { headers: { authorization: `Basic ${KEY}` }, key: null });
  await say('GET', '/store/orders');
  await say('GET', '/pets?limit=100');
}

/** An exchange that passed, as many services answer. */
export function passedAt(at: number, change: Partial<Passed> = {}): Passed {
  const body = `[{"id":${at},"name":"Rex","categoryId":1}]`;
  return {
    method: 'GET',
    url: 'http://a.example/v1/pets',
    requestHeaders: ['Accept', 'application/json', 'Authorization', `Bearer ${KEY}`],
    requestBody: { bytes: '', size: 0 },
    sentAt: 1_790_000_000_000 + at,
    receivedAt: 1_790_000_000_002 + at,
    status: 200,
    responseHeaders: [
      ...['Content-Type', 'application/json', 'Date', new Date(1_790_000_000_000 + at).toUTCString()],
      ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '5', 'X-RateLimit-Reset', '1790000060'],
    ],
    responseBody: { bytes: body, size: body.length },
    ...change,
  };
}
