import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import axios from 'axios';
import got from 'got';
import ky from 'ky';
import { ofetch } from 'ofetch';
import { Agent, interceptors, request } from 'undici';
import type { Service } from '../../src/client/run-client.ts';
import { clientWith, HABITS, msOf, type TriedClient } from './client.ts';

/** A client that conforms. */
export interface ConformantClient extends TriedClient {
  /** The advisories that it gets nevertheless, and why. */
  advised?: readonly string[];
  because?: string;
}

const keyed = ({ apiKey }: Service) => ({ Authorization: `Bearer ${apiKey}` });
const ANIMAL = { name: 'Rex', categoryId: 1 };
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Undici's interceptor of retries waits for Retry-After; with this it also pauses longer each time. */
async function undiciRetry(service: Service): Promise<void> {
  const retry = interceptors.retry({
    methods: ['GET', 'POST'],
    statusCodes: [429],
    retry: (error, { state }, callback) => {
      const { headers } = error as Error & { headers?: Record<string, string> };
      if (state.counter >= 5 || !headers?.['retry-after']) return callback(error);
      setTimeout(callback, msOf(headers['retry-after']) * 1.5 ** state.counter++, null);
    },
  });
  const agent = new Agent();
  const dispatcher = agent.compose(retry);
  const headers = keyed(service);
  const body = JSON.stringify(ANIMAL);
  try {
    await (await request(`${service.baseUrl}/pets?limit=1`, { dispatcher, headers })).body.text();
    const typed = { ...headers, 'content-type': 'application/json' };
    await (
      await request(`${service.baseUrl}/pets`, { dispatcher, method: 'POST', headers: typed, body })
    ).body.text();
  } finally {
    await agent.destroy();
  }
}

async function withKy(service: Service): Promise<void> {
  const api = ky.create({
    headers: keyed(service),
    retry: { limit: 5, methods: ['get', 'post'], statusCodes: [429], afterStatusCodes: [429] },
    timeout: false,
    hooks: { beforeRetry: [({ retryCount }) => pause(1_000 * 2 ** (retryCount - 1))] },
  });
  await api.get(`${service.baseUrl}/pets`, { searchParams: { limit: 100, status: 'sold' } }).text();
  await api.post(`${service.baseUrl}/pets`, { json: ANIMAL }).text();
}

async function withOfetch(service: Service): Promise<void> {
  let attempt = 0;
  const api = ofetch.create({
    headers: keyed(service),
    ignoreResponseError: false,
    retry: 5,
    retryStatusCodes: [429],
    retryDelay: ({ response }) => msOf(response?.headers.get('Retry-After') ?? '1') * 1.5 ** attempt++,
  });
  await api(`${service.baseUrl}/pets`, { query: { limit: 20 } });
  await api(`${service.apiUrl}/messages`, { method: 'POST', body: { message: 'hello' } });
}

async function withAxios(service: Service): Promise<void> {
  const api = axios.create({
    headers: keyed(service),
    validateStatus: (status) => status !== 429,
    proxy: false,
  });
  let attempt = 0;
  api.interceptors.response.use(undefined, async (error) => {
    const after = error.response?.headers['retry-after'];
    if (error.response?.status !== 429 || attempt > 5) throw error;
    await pause(msOf(after) * 1.5 ** attempt++);
    return api.request(error.config);
  });
  await api.get(`${service.baseUrl}/pets`, { params: { status: 'pending' } });
  await api.post(`${service.baseUrl}/pets`, ANIMAL);
}

async function withGot(service: Service): Promise<void> {
  const api = got.extend({
    headers: keyed(service),
    throwHttpErrors: false,
    retry: {
      limit: 5,
      methods: ['GET', 'POST'],
      statusCodes: [429],
      calculateDelay: ({ attemptCount, computedValue }) => computedValue * 1.5 ** (attemptCount - 1),
    },
  });
  await api.get(`${service.baseUrl}/pets`, { searchParams: { limit: 1 } });
  await api.post(`${service.baseUrl}/pets`, { json: ANIMAL });
}

/** node:http over one connection; a refusal ends the work of this run, and it comes back later. */
async function withNodeHttp(service: Service): Promise<void> {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const list = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const sent = httpRequest(
        `${service.baseUrl}/pets?limit=3`,
        { agent, headers: keyed(service) },
        (response) => {
          response.resume().on('end', () => resolve(response.headers['retry-after']));
        },
      );
      sent.on('error', reject).end();
    });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const retryAfter = await list();
    if (retryAfter === undefined) break;
    await pause(msOf(retryAfter) * 1.5 ** attempt);
  }
  agent.destroy();
}

/** Sends four requests side by side; whichever is refused, all wait. */
async function sideBySide(service: Service): Promise<void> {
  const list = (status: string) =>
    fetch(`${service.baseUrl}/pets?status=${status}`, { headers: keyed(service) });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const responses = await Promise.all(['available', 'pending', 'sold', 'sold'].map(list));
    await Promise.all(responses.map((each) => each.text()));
    const waits = responses.flatMap((each) => msOf(each.headers.get('Retry-After') ?? 'none') || []);
    if (waits.length === 0) return;
    await pause(Math.max(...waits) * 1.5 ** attempt);
  }
}

/** Each of its requests is retried by itself, as libraries do. */
async function retriedOneByOne(service: Service): Promise<void> {
  await Promise.all([clientWith()(service), clientWith()(service), clientWith()(service)]);
}

/** The folder of the clients in other languages. */
const programs = join(import.meta.dirname, 'programs');

/** A client that is a command: its words, with the addresses in the environment. */
export interface ConformantCommand extends Omit<ConformantClient, 'use'> {
  command: readonly string[];
}

const EXACTLY = 'it waits exactly as long as Retry-After says each time';

/** Clients in this process that conform. */
export const conformantClients: readonly ConformantClient[] = [
  { id: 'fetch', summary: 'fetch with waits of its own', use: clientWith() },
  {
    id: 'fetch-lower-case',
    summary: 'fetch with the scheme in lower case, and media types with a charset',
    use: clientWith({
      keyed: (key) => ({ authorization: `bearer ${key}` }),
      additionType: 'Application/JSON; charset=UTF-8',
    }),
  },
  {
    id: 'fetch-extra',
    summary: 'fetch with parameters, fields and headers that the interface does not list',
    use: clientWith({
      query: '?limit=100&offset=20&sort=name',
      addition: (id) => `{"categoryId":${id},"name":"${'x'.repeat(2_000)}","color":null}`,
      keyed: (key, url) => ({ ...HABITS.keyed(key, url), 'X-Client': 'sync', 'Accept-Language': 'de' }),
      also: (service, send) => send(`${service.baseUrl}/store/orders`),
    }),
  },
  { id: 'side-by-side', summary: 'requests side by side that wait for each other', use: sideBySide },
  { id: 'one-by-one', summary: 'requests side by side, each with a wait of its own', use: retriedOneByOne },
  { id: 'node-http', summary: 'node:http over one connection', use: withNodeHttp },
  { id: 'undici', summary: 'undici with its interceptor of retries', use: undiciRetry },
  { id: 'ky', summary: 'ky', use: withKy },
  { id: 'ofetch', summary: 'ofetch', use: withOfetch },
  { id: 'axios', summary: 'axios with an interceptor', use: withAxios },
  { id: 'got', summary: 'got', use: withGot },
];

/** Commands that conform. */
export const conformantCommands: readonly ConformantCommand[] = [
  {
    id: 'python-urllib',
    summary: "Python's urllib",
    command: ['python3', join(programs, 'urllib_client.py')],
  },
  {
    id: 'python-http-client',
    summary: "Python's http.client",
    command: ['python3', join(programs, 'http_client.py')],
  },
  {
    id: 'curl',
    summary: 'curl --retry',
    command: ['bash', join(programs, 'curl-retry.sh')],
    advised: ['client.backoff'],
    because: EXACTLY,
  },
];
