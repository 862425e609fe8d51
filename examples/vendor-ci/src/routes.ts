import { randomUUID } from 'node:crypto';
import { invalid, limitOf, newPet, objectOf, type Pets, statusOf } from './pets.js';
import { Refusal } from './refusal.js';

/** The parts of a request that the service uses. */
export interface Asked {
  method: string;
  url: URL;
  /** The body as JSON. @throws Refusal if it is not JSON */
  body: () => Promise<unknown>;
  /** ms since the epoch. */
  now: number;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

/** The operations of the base address. */
export function animals(pets: Pets): Route {
  return async ({ method, url, body }) => {
    const { pathname, searchParams } = url;
    if (pathname === '/v1/pets' && method === 'GET') {
      const status = searchParams.get('status');
      const limit = limitOf(searchParams.get('limit'));
      return { status: 200, body: pets.list(limit, status === null ? undefined : statusOf(status)) };
    }
    if (pathname === '/v1/pets' && method === 'POST')
      return { status: 201, body: pets.add(newPet(await body())) };
    if (pathname.startsWith('/v1/pets/') && method === 'GET') {
      const sunset = { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };
      return { status: 200, body: pets.get(pathname.slice('/v1/pets/'.length)), headers: sunset };
    }
    if (pathname === '/v1/store/orders' && method === 'GET') return { status: 200, body: [] };
    throw new Refusal(404, 'not_found', 'unknown operation');
  };
}

/** The operations of the message address. */
export const messages: Route = async ({ method, url, body, now }) => {
  if (url.pathname !== '/messages' || method !== 'POST')
    throw new Refusal(404, 'not_found', 'unknown operation');
  const { message } = objectOf(await body());
  if (typeof message !== 'string') throw invalid('message is a string');
  const createdAt = new Date(now).toISOString();
  return { status: 202, body: { id: randomUUID(), message, status: 'queued', createdAt } };
};
