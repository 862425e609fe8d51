import { expect, test } from 'vitest';
import { KEY, running } from '../../../test/services/running-reference.ts';
import { errorAnswer, jsonAnswer } from '../http/answer.ts';
import type { Change } from './change.ts';
import {
  answering,
  combined,
  onAnswer,
  onCall,
  onVerdict,
  withAnotherHeader,
  withBody,
  withField,
  withHeader,
  withHeaderNames,
  withObject,
  withoutField,
  withoutHeader,
  withQuery,
  withRequestBody,
  withStatus,
  withText,
} from './changes.ts';

const create = (body: string) => ({ method: 'POST', body });
const VALID = '{"name":"Rex","categoryId":7,"status":"sold"}';

test('request: changes the query, the body text, headers or the key verdict', () =>
  running(
    {
      changes: [
        withQuery({ operation: 'listPets' }, (query) => query.set('limit', '3')),
        onCall({ operation: 'createPet' }, (call) => ({
          ...call,
          bodyText: call.bodyText?.replaceAll("'", '"'),
        })),
        onCall({ key: 'invalid' }, (call) => ({ ...call, key: 'valid' })),
      ],
    },
    async ({ ask, log }) => {
      expect((await ask('/pets?limit=500')).list.length).toBe(3);
      expect((await ask('/pets', create("{'name':'Rex','categoryId':1}"))).status).toBe(201);
      expect((await ask('/store/orders', { key: 'Bearer x' })).status).toBe(200);
      expect((await ask('/store/orders', { key: null })).status).toBe(401);
      expect(log.at(-2)?.key).toBe('invalid');
    },
  ));

test('handle: changes the body for the operation, or replaces its answer', () =>
  running(
    {
      changes: [
        withRequestBody({ operation: 'createPet' }, (body) => body ?? { name: 'nobody', categoryId: 1n }),
        answering({ operation: 'getStoreOrders' }, () => jsonAnswer(200, [])),
        answering({ when: (call) => call.number === 3 }, () => errorAnswer(503, 'busy', 'later')),
      ],
    },
    async ({ ask, log }) => {
      expect((await ask('/pets', create('{'))).object.name).toBe('nobody');
      expect((await ask('/store/orders')).text).toBe('[]');
      expect((await ask('/pets')).headers['x-ratelimit-remaining']).toBe('57');
      expect(log.map(({ status }) => status)).toEqual([201, 200, 503]);
    },
  ));

test('around: changes status, headers, fields and text of the selected answers', () =>
  running(
    {
      changes: [
        withStatus({ operation: 'createPet', status: 400 }, 422),
        withHeader({ status: [200, 201] }, 'x-ratelimit-reset', (old) => `${old}000`),
        withAnotherHeader({ operation: 'listPets' }, 'X-RateLimit-Limit', '61'),
        withoutHeader({ status: 401 }, 'www-authenticate'),
        withoutHeader({ status: 401 }, 'date'),
        withHeaderNames({ operation: 'getPet' }, (name) => name.toUpperCase()),
        withField({ operation: 'listPets', status: 200 }, 'id', (old) => String(old)),
        withField({ operation: 'getPet', status: 200 }, 'note', null),
        withoutField({ operation: 'createPet', status: 201 }, 'categoryId'),
        withObject({ status: 404 }, ({ code = '' }) => ({ error: code })),
        withBody({ operation: 'getStoreOrders' }, () => 'not JSON'),
        withText({ operation: 'sendMessage' }, (text) => text.slice(1)),
      ],
    },
    async ({ ask }) => {
      const refused = await ask('/pets', create('{}'));
      expect([refused.status, refused.object.status]).toEqual([422, 422]);
      expect(refused.headers['x-ratelimit-reset']).toHaveLength(10);
      const list = await ask('/pets?limit=2');
      expect(list.headers['x-ratelimit-reset']).toHaveLength(13);
      expect(list.raw.filter((name) => name === 'X-RateLimit-Limit')).toHaveLength(2);
      expect(list.list.map(({ id }) => id)).toEqual(['1001', '1002']);
      const { headers } = await ask('/pets', { key: null });
      expect(headers).not.toHaveProperty('www-authenticate');
      expect(headers).not.toHaveProperty('date');
      const one = await ask('/pets/1001');
      expect(one.raw).toContain('X-RATELIMIT-LIMIT');
      expect(one.object.note).toBe(null);
      expect((await ask('/pets', create(VALID))).json).not.toHaveProperty('categoryId');
      expect((await ask('/pets/1')).json).toEqual({ error: 'not_found' });
      expect((await ask('/store/orders')).text).toBe('not JSON');
      const sent = await ask('/messages', { messages: true, ...create('{"message":"x"}') });
      expect(sent.text).toMatch(/^"id"/);
    },
  ));

test('limit: a limiter that never rejects a request', () =>
  running(
    {
      changes: [onVerdict({}, (verdict) => ({ ...verdict, allowed: true }))],
      plan: { minute: 1, day: 9 },
    },
    async ({ ask }) => {
      for (const path of ['/pets', '/pets', '/store/orders']) {
        const { status, headers } = await ask(path);
        expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '0']);
      }
    },
  ));

test('store: changes what is created, stored, read and listed', () => {
  const loses: Change = { store: { keep: (animal) => (animal.name === 'Max' ? undefined : animal) } };
  const shortens: Change = { store: { keep: (animal) => ({ ...animal, name: animal.name.slice(0, 2) }) } };
  const sells: Change = { store: { create: (animal) => ({ ...animal, status: 'sold' }) } };
  const hides: Change = { store: { read: (animal, id) => (id === 1001n ? undefined : animal) } };
  const newestFirst: Change = {
    store: { list: (query, next, call) => next(query, call.store.all().reverse()) },
  };
  const oneMore: Change = { store: { list: (query, next) => next({ ...query, limit: query.limit + 1 }) } };
  return running({ changes: [loses, shortens, sells, hides, oneMore, newestFirst] }, async ({ ask }) => {
    const created = await ask('/pets', create(VALID.replace('sold', 'pending')));
    expect(created.json).toEqual({ id: 1121, name: 'Rex', categoryId: 7, status: 'sold' });
    expect((await ask('/pets/1121')).object.name).toBe('Re');
    expect((await ask('/pets', create(VALID.replace('Rex', 'Max')))).object.id).toBe(1122);
    expect((await ask('/pets/1122')).status).toBe(404);
    expect((await ask('/pets/1001')).status).toBe(404);
    const ids = (await ask('/pets?limit=1')).list.map(({ id }) => id);
    expect(ids).toEqual([1121, 1120]);
  });
});

test('settings merge in order, also inside the limiter’s', () =>
  running(
    {
      settings: { limiter: { windows: 'minute', used: 50 } },
      changes: [
        { settings: { animals: 2, limiter: { algorithm: 'token-bucket' } } },
        { settings: { limiter: { rounding: 'down' } } },
      ],
    },
    async ({ ask }) => {
      const list = await ask('/pets');
      expect(list.list.length).toBe(2);
      expect(list.headers['x-ratelimit-remaining']).toBe('9');
    },
  ));

const marked = (mark: string): Change =>
  combined(
    onAnswer({}, (answer) => ({ ...answer, headers: [...answer.headers, ['Mark', mark]] })),
    { settings: { limiter: { used: 1 } } },
    { store: { list: (query, next) => next(query).map((one) => ({ ...one, name: `${one.name}${mark}` })) } },
  );

test('the first change is the innermost, also inside a combined one', () =>
  running(
    { changes: [combined(marked('a'), marked('b')), marked('c')], settings: { animals: 1 } },
    async ({ ask }) => {
      const { raw, list } = await ask('/pets');
      expect(raw.filter((_, at) => raw[at - 1] === 'Mark')).toEqual(['a', 'b', 'c']);
      expect(list[0]?.name).toBe('Lunaabc');
    },
  ));

test('a change keeps state per reference', async () => {
  const once: Change = {
    around: (call, next) => {
      const seen = call.recall('once', () => new Set<string>());
      if (seen.has(call.path)) return errorAnswer(500, 'again', 'seen before');
      seen.add(call.path);
      return next(call);
    },
  };
  for (let run = 0; run < 2; run++)
    await running({ changes: [once] }, async ({ ask }) => {
      expect([(await ask('/pets')).status, (await ask('/pets')).status]).toEqual([200, 500]);
    });
});

test('a change that throws is reported as a failure of the reference', () =>
  running(
    {
      changes: [
        {
          handle: () => {
            throw new Error('oops');
          },
        },
      ],
    },
    async ({ ask }) => {
      expect((await ask('/pets', { key: `Bearer ${KEY}` })).object.message).toBe(
        'the reference failed: oops',
      );
    },
  ));

test('store: of two changes of what is listed, each sees what the other has chosen', () => {
  const doubled: Change = {
    store: {
      list: (query, next, call) =>
        next(
          query,
          call.store.all().map((one) => ({ ...one, name: one.name.repeat(2) })),
        ),
    },
  };
  const fromThird: Change = {
    store: { list: (query, next, call) => next(query, call.store.all().slice(2)) },
  };
  const seen = async (changes: Change[]) => {
    const names: unknown[] = [];
    await running({ changes }, async ({ ask }) => {
      names.push(...(await ask('/pets?limit=2')).list.map(({ name }) => name));
    });
    return names;
  };
  return expect(Promise.all([seen([doubled, fromThird]), seen([fromThird, doubled])])).resolves.toEqual([
    ['小白小白', 'ZoëZoë'],
    ['小白小白', 'ZoëZoë'],
  ]);
});
