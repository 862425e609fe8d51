import { expect, test } from 'vitest';
import { KEPT, LIGHT, MAX_BODY, VALUES } from './http/bounds.ts';
import type { Answer } from './http/transport.ts';
import { openMemory } from './memory.ts';

const answering = (body: string, headers: [string, string][] = []): Answer => ({
  sentAt: 0,
  receivedAt: 1,
  response: { status: 200, headers, body },
});
const MEGABYTE = 'x'.repeat(1_000_000);

test('large bodies are kept until a run holds enough; small ones always', () => {
  const { keep, room } = openMemory();
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

test('what a body becomes once it is parsed counts, not its characters alone', () => {
  const values = `[${Array(500_000).fill('[]').join(',')}]`;
  expect(openMemory().keep(answering(values)).response).toMatchObject({ body: '', unread: VALUES });
  expect(openMemory().keep(answering('x'.repeat(values.length))).response?.unread).toBeUndefined();
});

test('headers count as well; where there is no room for them, nothing is held against the service', () => {
  const { keep } = openMemory();
  const headers = Array.from({ length: 10_000 }, (_, index): [string, string] => [`X-${index}`, 'x']);
  const last = Array.from({ length: 40 }, () => keep(answering('[]', headers))).at(-1);
  expect(last).toEqual({
    sentAt: 0,
    receivedAt: 1,
    failure: { kind: 'too-large', phase: 'headers', message: KEPT },
  });
});

test('a failure stays as it is', () => {
  const failed: Answer = { sentAt: 0, receivedAt: 1, failure: { kind: 'reset', phase: 'body', message: '' } };
  expect(openMemory().keep(failed)).toBe(failed);
});
