import { expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { Breaks, clientOf, UNNAMED } from './breaks.ts';

const by = (agent: string) => exchange({ requestHeaders: [['User-Agent', agent]] });
const broken = {
  kind: 'response',
  what: 'Book.title',
  reason: 'too long',
  expected: 'less',
  received: 'more',
} as const;

test('counts exchanges and clients; the client with the most comes first', () => {
  const breaks = new Breaks();
  for (const [index, agent] of ['curl/8', 'shop/1', 'shop/1'].entries())
    breaks.add(broken, index + 1, by(agent));
  breaks.add({ ...broken, what: 'Book.pages' }, 3, by('shop/1'));
  expect(breaks.result()).toMatchObject([
    {
      what: 'Book.title',
      count: 3,
      exchanges: [{ entry: 1 }, { entry: 2 }, { entry: 3 }],
      clients: [
        { client: 'shop/1', exchanges: 2 },
        { client: 'curl/8', exchanges: 1 },
      ],
    },
    { what: 'Book.pages', count: 1 },
  ]);
});

test('what breaks an exchange twice counts once', () => {
  const breaks = new Breaks();
  breaks.add(broken, 1, by('a'));
  breaks.add(broken, 1, by('a'));
  expect(breaks.result()).toMatchObject([{ count: 1, clients: [{ exchanges: 1 }] }]);
});

test('however many exchanges, clients and characters come, a bounded part is kept, and all are counted', () => {
  const breaks = new Breaks();
  const long = 'x'.repeat(100_000);
  for (let entry = 1; entry <= 1000; entry += 1)
    breaks.add({ ...broken, received: long, reason: long }, entry, by(`client-${entry} ${long}`));
  const [first] = breaks.result();
  expect(first?.count).toBe(1000);
  expect(first?.exchanges.length).toBeLessThan(100);
  expect(first?.clients.length).toBeLessThan(1000);
  expect(JSON.stringify(first).length).toBeLessThan(100_000);
});

test('a client is its User-Agent', () => {
  expect(clientOf(by('shop/1.2 (linux)'))).toBe('shop/1.2 (linux)');
  expect(clientOf(exchange({ requestHeaders: [] }))).toBe(UNNAMED);
  expect(clientOf(by(' '))).toBe(UNNAMED);
});
