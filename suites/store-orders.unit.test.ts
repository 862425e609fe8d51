import { describe, expect, test } from 'vitest';
import { JSON_HEADERS } from '../test/exchanges/exchanges.ts';
import { findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const orders = (status: number, response?: object): Sent => ({
  probe: 'getStoreOrders:plain',
  status,
  body: [],
  ...(response ? { change: { response: { status, headers: JSON_HEADERS, body: '', ...response } } } : {}),
});

describe('the operation exists', () => {
  test.each([200, 204, 400, 403, 406])('with status %s', (status) => {
    expect(findingOf('getStoreOrders.exists', [orders(status)])).toMatchObject({
      status: 'met',
      exercised: true,
    });
  });

  test.each([404, 405, 410])('not with status %s', (status) => {
    expect(findingOf('getStoreOrders.exists', [orders(status)])).toMatchObject({
      status: 'violated',
      reason: 'the operation does not exist',
      expected: 'a status other than 404, 405, 410',
      received: `status ${status}`,
    });
  });

  test('although it has no order for a parameter', () => {
    const filtered: Sent = { ...orders(404), as: { stage: 'surplus', query: [['id', '7']] } };
    expect(findingOf('getStoreOrders.exists', [orders(200), filtered])).toMatchObject({ status: 'met' });
  });

  test('as requests with the key show', () => {
    const shown = ['plain', 'exhaust', 'recover'].map((each) => `getStoreOrders:${each}`);
    for (const requirement of ['getStoreOrders.exists', 'open.orders', 'open.order-record'])
      expect(probesFor(requirement)).toEqual(shown);
  });
});

describe('what the interface leaves open about orders', () => {
  test.each<[requirement: string, sent: Sent, observed: string]>([
    ['open.orders', orders(200), 'the orders get 200, with application/json'],
    ['open.orders', orders(403, { headers: [] }), 'the orders get 403, with no Content-Type'],
    ['open.order-record', orders(204, { body: '' }), 'the response has no body'],
    ['open.order-record', orders(200, { body: '[{}]' }), 'the response has a body of 4 characters'],
  ])('%s: %#', (requirement, sent, observed) => {
    expect(findingOf(requirement, [sent])).toMatchObject({ status: 'observed', observed });
  });
});
