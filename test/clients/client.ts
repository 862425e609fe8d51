import type { Service } from '../../src/client/run-client.ts';

/** A client that petspec is tried with. */
export interface TriedClient {
  id: string;
  /** One line: what it does. */
  summary: string;
  use: (service: Service) => Promise<unknown>;
  /** Only a Retry-After of 35 seconds shows how it differs. */
  isSlow?: true;
}

/** A client with a mistake. */
export interface FaultyClient extends TriedClient {
  /** The requirement that it violates. A second one needs the reason why both are one mistake. */
  violates: readonly [string] | readonly [string, string];
  because?: string;
  /** Its mistake shows only in scenarios in which it is refused. */
  waits?: true;
}

/** What a client does. Each habit can be replaced by a mistake. */
export interface Habits {
  /** The query of the list. */
  query: string;
  /** The body of an addition. @param categoryId the digits of an id from the list */
  addition: (categoryId: string) => string | undefined;
  additionType: string | undefined;
  message: string;
  messageType: string;
  /** The headers with the key. */
  keyed: (key: string, url: string) => Record<string, string>;
  /** The URL of a request: path below an address. */
  url: (service: Service, address: 'baseUrl' | 'apiUrl', path: string) => string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Ms to wait after a 429; undefined gives up. @param attempt from 0 */
  wait: (retryAfter: string, attempt: number) => number | undefined;
  /** What else it does after the list. */
  also?: (service: Service, send: (url: string) => Promise<Response>, list: string) => Promise<unknown>;
}

/** Ms from now until the time in Retry-After. */
export function msOf(retryAfter: string): number {
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
}

/** Habits that conform. */
export const HABITS: Habits = {
  query: '?limit=5&status=available',
  addition: (categoryId) => `{"name":"Rex","categoryId":${categoryId},"status":"pending"}`,
  additionType: 'application/json',
  message: '{"message":"hello"}',
  messageType: 'application/json',
  keyed: (key) => ({ Authorization: `Bearer ${key}` }),
  url: (service, address, path) => service[address] + path,
  fetch: (url, init) => fetch(url, init),
  wait: (retryAfter, attempt) => msOf(retryAfter) * 1.5 ** attempt,
};

const MOST_ATTEMPTS = 5;

/** A client that lists, adds an animal to a category of the list, and sends a message; with some habits replaced. */
export function clientWith(own: Partial<Habits> = {}): (service: Service) => Promise<void> {
  const habits = { ...HABITS, ...own };
  return async (service) => {
    const send = (url: string, init: RequestInit = {}) => retrying(habits, service, url, init);
    const list = await (await send(habits.url(service, 'baseUrl', `/pets${habits.query}`))).text();
    const categoryId = /"categoryId":(\d+)/.exec(list)?.[1] ?? '1';
    const [addition, message] = [habits.addition(categoryId), habits.message];
    await send(habits.url(service, 'baseUrl', '/pets'), posting(addition, habits.additionType));
    await send(habits.url(service, 'apiUrl', '/messages'), posting(message, habits.messageType));
    await habits.also?.(service, send, list);
  };
}

function posting(body: string | undefined, type: string | undefined): RequestInit {
  return {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
  };
}

async function retrying(habits: Habits, service: Service, url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const headers = { ...(init.headers as Record<string, string>), ...habits.keyed(service.apiKey, url) };
    const response = await habits.fetch(url, { ...init, headers });
    const retryAfter = response.headers.get('Retry-After');
    if (response.status !== 429 || retryAfter === null || attempt === MOST_ATTEMPTS) return response;
    await response.text();
    const wait = habits.wait(retryAfter, attempt);
    if (wait === undefined) return response;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
