import { join } from 'node:path';
import { clientWith, type FaultyClient, HABITS, type Habits } from './client.ts';

function faulty(id: string, summary: string, violates: string, habits: Partial<Habits>): FaultyClient {
  return { id: `key-${id}`, summary, violates: [`client.key.${violates}`], use: clientWith(habits) };
}

const form = (id: string, write: (key: string) => string) =>
  faulty(id, `sends Authorization: ${write('<key>')}`, 'form', {
    keyed: (key) => ({ Authorization: write(key) }),
  });

const { keyed, url } = HABITS;

/** Follows a redirect with all headers. */
async function followWithKey(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, redirect: 'manual' });
  const location = response.headers.get('Location');
  return response.status === 307 && location !== null ? fetch(location, init) : response;
}

/** Clients that do not handle the key as the interface says. */
export const faultyKeys: readonly FaultyClient[] = [
  form('bare', (key) => key),
  form('token', (key) => `Token ${key}`),
  form('basic', (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`),
  form('undefined', () => 'Bearer undefined'),
  form('quoted', (key) => `Bearer "${key}"`),
  form('twice', (key) => `Bearer Bearer ${key}`),
  form('empty', () => 'Bearer'),
  faulty('nowhere', 'sends no key', 'sent', { keyed: () => ({}) }),
  faulty('not-for-messages', 'sends messages without the key', 'sent', {
    keyed: (key, address) => (address.endsWith('/messages') ? {} : keyed(key, address)),
  }),
  faulty('in-query', 'sends the key in the query', 'place', {
    keyed: () => ({}),
    url: (service, address, path) =>
      `${url(service, address, path)}${path.includes('?') ? '&' : '?'}api_key=${service.apiKey}`,
  }),
  faulty('in-query-too', 'sends the key in the header and in the query', 'place', {
    url: (service, address, path) =>
      `${url(service, address, path)}${path.includes('?') ? '&' : '?'}token=${service.apiKey}`,
  }),
  faulty('in-own-header', 'sends the key as X-Api-Key', 'place', { keyed: (key) => ({ 'X-Api-Key': key }) }),
  faulty('in-cookie', 'sends the key in a cookie, too', 'place', {
    keyed: (key, address) => ({ ...keyed(key, address), Cookie: `key=${key}` }),
  }),
  faulty('follows-redirects', 'sends the key wherever it is redirected', 'origin', { fetch: followWithKey }),
];

/** Commands that do not. */
export const faultyCommands: readonly (Omit<FaultyClient, 'use'> & { command: readonly string[] })[] = [
  {
    id: 'python-redirects',
    summary: "Python's urllib with its defaults, which follow redirects with all headers",
    violates: ['client.key.origin'],
    command: ['python3', join(import.meta.dirname, 'programs', 'urllib_redirect.py')],
  },
];
