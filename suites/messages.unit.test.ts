import { describe, expect, test } from 'vitest';
import type { Json } from '../src/suite.ts';
import { probeNamed } from '../test/exchanges/exchanges.ts';
import { findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const MESSAGE = { id: 'm1', message: 'Rex', status: 'queued', createdAt: '2026-11-23T12:00:00Z' };
const message = (body: Json, status = 202): Sent => ({ probe: 'sendMessage:minimal', body, status });

describe('what the interface leaves open about messages', () => {
  test.each<[requirement: string, sent: Sent[], observed: string]>([
    ['open.message-status', [message(MESSAGE)], 'a message gets 202, and its status is "queued"'],
    ['open.message-status', [message({ id: 'm1' }, 200)], 'a message gets 200, and its status is null'],
    ['open.message-status', [], 'no response showed this'],
    ['open.message-area', [message(MESSAGE)], 'no other fields'],
    ['open.message-area', [message({ ...MESSAGE, to: 'x', priority: 1 })], 'other fields: to, priority'],
    ['open.message-area', [message(MESSAGE, 302)], 'no response showed this'],
    [
      'open.message-type',
      [{ probe: 'sendMessage:message-number', status: 400, body: { code: 'c', message: 'm', status: 400 } }],
      `${probeNamed('sendMessage:message-number').title}: 400`,
    ],
  ])('%s: %#', (requirement, sent, observed) => {
    expect(findingOf(requirement, sent)).toMatchObject({ status: 'observed', observed });
  });

  test('is shown by the plainest message, and by one of a wrong type', () => {
    expect(probesFor('open.message-status')).toEqual(['sendMessage:minimal']);
    expect(probesFor('open.message-area')).toEqual(['sendMessage:minimal']);
    expect(probesFor('open.message-type')).toEqual(['sendMessage:message-number']);
  });
});
