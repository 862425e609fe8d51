import { expect, test } from 'vitest';
import type { Connection } from './connect.ts';
import { ConnectionPool } from './connection-pool.ts';

const ORIGIN = 'https://staging.example.com';

function pool() {
  return new ConnectionPool(() => ({ destroy: async () => {} }) as unknown as Connection);
}

test('a connection is kept for its holder, and nobody else gets it until it is released', () => {
  const own = pool();
  const [holder, other] = [{}, {}];
  const slot = own.acquire(ORIGIN, holder);
  slot.isBusy = false;
  expect(own.acquire(ORIGIN)).not.toBe(slot);
  expect(own.acquire(ORIGIN, other)).not.toBe(slot);
  expect(own.acquire(ORIGIN, holder)).toBe(slot);
  slot.isBusy = false;
  own.release(holder);
  expect(own.acquire(ORIGIN)).toBe(slot);
});

test('a connection that is free is used before a new one is made', () => {
  const own = pool();
  const slot = own.acquire(ORIGIN);
  expect(own.acquire(ORIGIN)).not.toBe(slot);
  slot.isBusy = false;
  expect(own.acquire(ORIGIN, {})).toBe(slot);
});

test('a holder has a connection for each origin', () => {
  const own = pool();
  const holder = {};
  const slot = own.acquire(ORIGIN, holder);
  slot.isBusy = false;
  expect(own.acquire('https://messages.example.com', holder)).not.toBe(slot);
});
