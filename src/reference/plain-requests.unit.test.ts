import { expect, test } from 'vitest';
import { sampled } from '../../test/nightly/sampled.ts';
import { adding, messaging } from '../../test/services/change-cases.ts';
import type { Ask, Running } from '../../test/services/running-reference.ts';
import { running } from '../../test/services/running-reference.ts';
import { variedFaults } from './faults/index.ts';
import { variedVariants } from './variants/index.ts';

const PLAIN = { 'user-agent': 'petspec/0.3.0', accept: 'application/json' };
const REX = { name: 'Rex the 2nd & "Łatka" <b>', categoryId: 1, status: 'sold' };

/** Each request once, each over a connection of its own, one after the other; refused ones last. */
async function plainReplies({ connect }: Running) {
  const ask = (path: string, { headers = {}, ...request }: Ask = {}) =>
    connect()(path, { ...request, headers: { ...PLAIN, ...headers } });
  const add = (body: string | object) =>
    ask('/pets', { ...adding(body), headers: { 'content-type': 'application/json' } });
  const first = await ask('/pets');
  const added = await add(REX);
  const fetched = await ask(`/pets/${added.object.id}`);
  const page = await ask('/pets?limit=3&status=sold');
  const sold = await ask('/pets?status=sold&limit=100');
  const orders = await ask('/store/orders');
  const message = await ask('/messages', { ...messaging, headers: { 'content-type': 'application/json' } });
  const absent = await ask('/pets/5');
  const refused = await add('{"');
  const keyless = await ask('/pets', { key: null });
  const wrong = await ask('/pets', { key: 'Bearer another' });
  const replies = { first, added, fetched, page, sold, orders, message, absent, refused, keyless, wrong };
  return {
    statuses: Object.fromEntries(Object.entries(replies).map(([name, { status }]) => [name, status])),
    // A list may be shorter than limit, and a store may show an animal later than it adds it.
    overfull: [first.list.length > 20, page.list.length > 3],
    strangers: [page, sold].flatMap(({ list }) => list.filter(({ status }) => status !== 'sold')),
    added: added.object,
    fetched: fetched.object,
    codes: [absent, refused, keyless, wrong].map(({ object }) => object.status),
    types: Object.values(replies).filter(({ headers }) => headers['content-type'] !== 'application/json')
      .length,
    unlimited: Object.values(replies).filter(({ headers }) => !headers['x-ratelimit-remaining']).length,
  };
}

test.each(sampled([...variedFaults, ...variedVariants], 80, ({ id }) => id, 'plain requests'))(
  '$id: plain requests get what they get without it',
  (change) =>
    running({ changes: [change] }, async (client) =>
      expect(await plainReplies(client)).toMatchObject({
        statuses: {
          ...{ first: 200, added: 201, fetched: 200, page: 200, sold: 200, orders: 200, message: 202 },
          ...{ absent: 404, refused: 400, keyless: 401, wrong: 401 },
        },
        overfull: [false, false],
        strangers: [],
        added: REX,
        fetched: REX,
        codes: [404, 400, 401, 401],
        types: 0,
        unlimited: 0,
      }),
    ),
);
