import { expect, test } from 'vitest';
import { KEPT, LIGHT, MAX_BODY, VALUES } from '../http/bounds.ts';
import type { TransportResult } from '../http/transport.ts';
import { limitMemory } from './memory-limit.ts';

const answering = (body: string, headers: [string, string][] = []): TransportResult => ({
  sentAt: 0,
  receivedAt: 1,
  response: { status: 200, headers, body },
});
const MEGABYTE = 'x'.repeat(1_000_000);

test('large bodies are kept until the run holds too much; small ones always are', () => {
  const { keep, room } = limitMemory();
  expect(room()).toBe(MAX_BODY);
  const kept = Array.from({ length: 40 }, () => keep(answering(MEGABYTE)).response);
  const held = kept.filter((each) => each?.unread === undefined);
  expect(held.length).toBeGreaterThan(5);
  expect(held.length).toBeLessThan(10);
  expect(kept.at(-1)).toEqual({ status: 200, headers: [], body: '', unread: KEPT });
  expect(keep(answering('[]')).response?.body).toBe('[]');
  expect(room()).toBeLessThan(MAX_BODY);
  for (let count = 0; count < 200; count += 1) keep(answering('x'.repeat(LIGHT - 1_000)));
  expect(room()).toBe(LIGHT);
});

test('a body counts by what it takes up once it is parsed', () => {
  const values = `[${Array(500_000).fill('[]').join(',')}]`;
  expect(limitMemory().keep(answering(values)).response).toMatchObject({ body: '', unread: VALUES });
  expect(limitMemory().keep(answering('x'.repeat(values.length))).response?.unread).toBeUndefined();
});

test('headers count too; the service is not to blame if there is no room for them', () => {
  const { keep } = limitMemory();
  const headers = Array.from({ length: 10_000 }, (_, index): [string, string] => [`X-${index}`, 'x']);
  const last = Array.from({ length: 40 }, () => keep(answering('[]', headers))).at(-1);
  expect(last).toEqual({
    sentAt: 0,
    receivedAt: 1,
    failure: { kind: 'too-large', phase: 'headers', message: KEPT },
  });
});

test('a failure stays as it is', () => {
  const failed: TransportResult = {
    sentAt: 0,
    receivedAt: 1,
    failure: { kind: 'reset', phase: 'body', message: '' },
  };
  expect(limitMemory().keep(failed)).toBe(failed);
});
