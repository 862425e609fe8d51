import ky from 'ky';
import { Agent, RetryAgent, request } from 'undici';
import type { Service } from '../../src/client/run-client.ts';
import { clientWith, type FaultyClient, type Habits, msOf } from './client.ts';

function faulty(id: string, summary: string, violates: string, habits: Partial<Habits>): FaultyClient {
  return { id, summary, violates: [`client.${violates}`], waits: true, use: clientWith(habits) };
}

const hasty = (id: string, summary: string, wait: Habits['wait']) =>
  faulty(id, summary, 'retry-after', { wait });

/** Sends again at once over another connection. */
const freshly: Habits['fetch'] = (url, init) =>
  fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), Connection: 'close' } });

/** Lists, and if refused, adds nevertheless. */
async function goesOn({ baseUrl, apiKey }: Service): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const list = () => fetch(`${baseUrl}/pets`, { headers });
  const refused = await list();
  await refused.text();
  const body = '{"name":"Rex","categoryId":1}';
  await (await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body })).text();
  if (refused.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, msOf(refused.headers.get('Retry-After') ?? '1')));
    await (await list()).text();
  }
}

/** Sends more when it is refused. */
async function floods({ baseUrl, apiKey }: Service): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const list = async () => (await fetch(`${baseUrl}/pets`, { headers })).status;
  for (let round = 0; round < 4; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 4 }, list));
    if (!statuses.includes(429)) return;
  }
}

/** Undici with the defaults of its retries: it waits for 30 seconds at most. */
async function undiciDefaults({ baseUrl, apiKey }: Service): Promise<void> {
  const dispatcher = new RetryAgent(new Agent());
  const headers = { Authorization: `Bearer ${apiKey}` };
  try {
    const { body } = await request(`${baseUrl}/pets`, { headers, dispatcher });
    await body.text();
  } finally {
    await dispatcher.destroy();
  }
}

/** ky retries only what it throws, so with this option it goes on at once. */
async function silentKy({ baseUrl, apiKey }: Service): Promise<void> {
  const api = ky.create({ headers: { Authorization: `Bearer ${apiKey}` }, throwHttpErrors: false });
  await api.get(`${baseUrl}/pets`).text();
  await api.post(`${baseUrl}/pets`, { json: { name: 'Rex', categoryId: 1 } }).text();
}

/** Clients that do not wait as the interface asks. */
export const faultyWaiting: readonly FaultyClient[] = [
  hasty('retries-at-once', 'retries at once', () => 0),
  hasty('waits-half', 'waits for half of the time', (after) => msOf(after) / 2),
  hasty('reads-ms', 'takes the seconds for milliseconds', (after, attempt) =>
    /^\d+$/.test(after) ? Number(after) : msOf(after) * 1.5 ** attempt,
  ),
  hasty('ignores-dates', 'does not understand dates', (after, attempt) =>
    /^\d+$/.test(after) ? msOf(after) * 1.5 ** attempt : 0,
  ),
  hasty('own-pauses', 'doubles pauses of its own, from 100 ms', (_after, attempt) => 100 * 2 ** attempt),
  faulty('retries-freshly', 'retries at once over another connection', 'retry-after', {
    fetch: freshly,
    wait: () => 0,
  }),
  {
    id: 'goes-on',
    summary: 'sends other requests while it waits',
    violates: ['client.retry-after'],
    waits: true,
    use: goesOn,
  },
  {
    id: 'floods',
    summary: 'sends four requests at once until none is refused',
    violates: ['client.retry-after'],
    waits: true,
    use: floods,
  },
  {
    id: 'ky-silent',
    summary: 'ky with throwHttpErrors: false, which turns off its retries',
    violates: ['client.retry-after'],
    waits: true,
    use: silentKy,
  },
  faulty('gives-up', 'gives up after a 429', 'retry', { wait: () => undefined }),
  faulty('constant-pauses', 'pauses as long each time', 'backoff', { wait: (after) => msOf(after) }),
  {
    id: 'undici-defaults',
    summary: 'undici with the defaults of its retries, which wait for 30 seconds at most',
    violates: ['client.retry-after'],
    waits: true,
    isSlow: true,
    use: undiciDefaults,
  },
];
