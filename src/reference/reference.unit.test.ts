import { expect, test } from 'vitest';
import { KEY, NOON, running } from '../../test/services/running-reference.ts';

const OPERATIONS = [
  { method: 'GET', path: '/pets', status: 200 },
  { method: 'POST', path: '/pets', body: '{"name":"Rex","categoryId":1}', status: 201 },
  { method: 'GET', path: '/pets/1001', status: 200 },
  { method: 'GET', path: '/store/orders', status: 200 },
  { method: 'POST', path: '/messages', body: '{"message":"hi"}', messages: true, status: 202 },
];

test('every operation: its status with the key, 401 with a challenge without', () =>
  running({}, async ({ ask }) => {
    for (const { path, status, ...rest } of OPERATIONS) {
      expect((await ask(path, rest)).status).toBe(status);
      expect((await ask(path, { ...rest, key: `bEARER   ${KEY}` })).status).toBe(status);
      for (const key of [
        null,
        '',
        KEY,
        `Basic ${KEY}`,
        'Bearer',
        `Bearer ${KEY}x`,
        `Bearer ${KEY.slice(1)}`,
      ]) {
        const refused = await ask(path, { ...rest, key });
        expect(refused.status).toBe(401);
        expect(refused.json).toEqual({ code: 'unauthorized', message: expect.any(String), status: 401 });
        expect(refused.headers['www-authenticate']).toMatch(/^Bearer realm=/);
      }
    }
  }));

test('every response of both listeners carries the three headers, Date and JSON', () =>
  running({}, async ({ ask }) => {
    const replies = [
      ...(await Promise.all(OPERATIONS.map(({ path, ...rest }) => ask(path, rest)))),
      await ask('/pets', { key: null }),
      await ask('/pets/5'),
      await ask('/nowhere'),
      await ask('/nowhere', { messages: true, key: null }),
      await ask('/pets', { method: 'DELETE' }),
      await ask('/pets', { method: 'POST', body: '{' }),
    ];
    for (const { headers, text } of replies) {
      expect(headers['x-ratelimit-limit']).toBe('60');
      expect(Number(headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(60);
      expect(headers['x-ratelimit-reset']).toBe(String(NOON / 1000 + 60));
      expect(headers.date).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
      expect(headers['content-type']).toBe('application/json');
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    }
  }));

test('the list: 20 by default, 1 to 100, by status', () =>
  running({}, async ({ ask }) => {
    const lengths = ['', '?limit=1', '?limit=100', '?unknown=1'].map(
      async (q) => (await ask(`/pets${q}`)).list.length,
    );
    expect(await Promise.all(lengths)).toEqual([20, 1, 100, 20]);
    for (const status of ['available', 'pending', 'sold']) {
      const { list } = await ask(`/pets?limit=100&status=${status}`);
      expect(list.length).toBe(36);
      expect(list.every((pet) => pet.status === status)).toBe(true);
    }
    const wrong = ['limit=0', 'limit=101', 'limit=-1', 'limit=ten', 'limit=', 'limit=1.0', 'limit=1&limit=2'];
    for (const query of [
      ...wrong,
      'limit=99999999999999999999',
      'status=',
      'status=Sold',
      'status=sold&status=sold',
    ])
      expect((await ask(`/pets?${query}`)).json).toMatchObject({ code: 'invalid_request', status: 400 });
  }));

test('what is created can be fetched and listed, int64 beyond 2^53 without loss', () =>
  running({ settings: { firstId: 9_223_372_036_854_775_000n, animals: 3 } }, async ({ ask }) => {
    for (const categoryId of [
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
      '7.0',
      '7e0',
    ]) {
      const digits = categoryId.replace(/\.0|e0/, '');
      const body = `{"name":"Мурка \\"x\\" 🦜","categoryId":${categoryId},"status":"sold","id":5,"other":null}`;
      const created = await ask('/pets', { method: 'POST', body });
      expect(created.status).toBe(201);
      const id = /"id":(\d+)/.exec(created.text)?.[1];
      expect(created.text).toBe(
        `{"id":${id},"name":"Мурка \\"x\\" 🦜","categoryId":${digits},"status":"sold"}`,
      );
      expect((await ask(`/pets/${id}`)).text).toBe(created.text);
      expect((await ask('/pets?limit=100')).text).toContain(created.text);
    }
    expect(
      (await ask('/pets', { method: 'POST', body: '{"name":"","categoryId":1}' })).json,
    ).not.toHaveProperty('status');
    expect((await ask('/pets/9223372036854775000')).status).toBe(200);
  }));

const PET = { name: '"Rex"', categoryId: '1', status: '"sold"' };
const pet = (change: Partial<Record<keyof typeof PET, string>>) =>
  `{${Object.entries({ ...PET, ...change })
    .map(([name, value]) => `"${name}":${value}`)
    .join()}}`;

test.each([
  ['empty', ''],
  ['malformed', '{"name":"Rex","categoryId":1'],
  ['a byte order mark', `\ufeff${pet({})}`],
  ['an array', `[${pet({})}]`],
  ['a string', '"Rex"'],
  ['a number', '1'],
  ['null', 'null'],
  ['no name', '{"categoryId":1}'],
  ['no categoryId', '{"name":"Rex"}'],
  ['name null', pet({ name: 'null' })],
  ['name a number', pet({ name: '5' })],
  ['name an array', pet({ name: '["Rex"]' })],
  ['categoryId null', pet({ categoryId: 'null' })],
  ['categoryId a string', pet({ categoryId: '"1"' })],
  ['categoryId a fraction', pet({ categoryId: '1.5' })],
  ['categoryId beyond int64', pet({ categoryId: '9223372036854775808' })],
  ['categoryId below int64', pet({ categoryId: '-9223372036854775809' })],
  ['categoryId far beyond', pet({ categoryId: '1e400' })],
  ['categoryId a boolean', pet({ categoryId: 'true' })],
  ['status null', pet({ status: 'null' })],
  ['status unknown', pet({ status: '"lost"' })],
  ['status in another case', pet({ status: '"Sold"' })],
  ['status a number', pet({ status: '1' })],
  ['two names', '{"name":"Rex","name":"Max","categoryId":1}'],
  ['nested too deeply', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`],
  ['not UTF-8', Buffer.from('{"name":"\xff","categoryId":1}', 'latin1')],
])('an addition is rejected with 400: %s', (_name, body) =>
  running({}, async ({ ask }) => {
    const refused = await ask('/pets', { method: 'POST', body });
    expect(refused.json).toEqual({ code: 'invalid_request', message: expect.any(String), status: 400 });
    expect((await ask('/pets/1121')).status).toBe(404);
  }),
);

test('messages are queued or rejected', () =>
  running({}, async ({ ask }) => {
    const send = (body: string) => ask('/messages', { method: 'POST', messages: true, body });
    expect((await send('{"message":"Grüße 🦜"}')).json).toEqual({
      id: expect.any(String),
      message: 'Grüße 🦜',
      status: 'queued',
      createdAt: '2026-11-21T12:00:00.000Z',
    });
    for (const body of ['', '{', '{}', '[]', '{"message":null}', '{"message":1}'])
      expect((await send(body)).json).toMatchObject({ status: 400 });
  }));

test('unknown animals, paths and methods', () =>
  running({}, async ({ ask }) => {
    for (const id of [
      '1',
      '-1',
      'x',
      '1.0',
      '01001',
      '%31001%20',
      '9223372036854775808',
      '9'.repeat(500),
      '%',
      '%FF',
    ])
      expect((await ask(`/pets/${id}`)).json).toMatchObject({ code: 'not_found', status: 404 });
    for (const path of ['/pets/', '/Pets', '/pets/1/2', '', '\\pets', '//pets'])
      expect((await ask(path)).json).toMatchObject({ code: 'not_found', status: 404 });
    const refused = await ask('/pets', { method: 'PUT', body: '{}' });
    expect(refused.json).toMatchObject({ code: 'method_not_allowed', status: 405 });
    expect(refused.headers.allow).toBe('GET, POST, HEAD');
    const head = await ask('/pets', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  }));

test('getPet announces its removal', () =>
  running({}, async ({ ask }) => {
    for (const id of [1001, 1]) {
      const { headers } = await ask(`/pets/${id}`);
      expect(headers.deprecation).toMatch(/^@\d+$/);
      expect(headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    }
    expect((await ask('/pets')).headers).not.toHaveProperty('sunset');
  }));

test('60 a minute, then 429 until Retry-After; 429s and bad keys do not count', () =>
  running({}, async ({ ask, clock }) => {
    for (let left = 59; left >= 0; left--)
      expect((await ask('/pets?limit=1')).headers['x-ratelimit-remaining']).toBe(String(left));
    const refused = await ask('/pets?limit=1');
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
    expect((await ask('/messages', { messages: true, method: 'POST', body: '{}' })).status).toBe(400);
    expect((await ask('/pets?limit=1', { key: null })).headers['x-ratelimit-remaining']).toBe('60');
    await clock.sleep(Number(refused.headers['retry-after']) * 1000);
    expect((await ask('/pets?limit=1')).headers['x-ratelimit-remaining']).toBe('59');
  }));

test('an operation outside the limits works while the limit is used up', () =>
  running(
    { plan: { minute: 1, day: 9 }, settings: { limiter: { covers: ['listPets'] } } },
    async ({ ask }) => {
      const replies = [await ask('/pets'), await ask('/pets'), await ask('/pets/1001')];
      expect(replies.map(({ status }) => status)).toEqual([200, 429, 200]);
      expect(replies[2]?.headers['x-ratelimit-remaining']).toBe('0');
    },
  ));

test('the log records every request', () =>
  running({}, async ({ ask, log }) => {
    await ask('/pets?limit=1');
    await ask('/messages', { messages: true, method: 'POST', body: '{"message":"x"}', key: 'Bearer x' });
    await ask('/nowhere', { key: null });
    expect(log).toMatchObject([
      {
        number: 1,
        at: NOON,
        listener: 'animals',
        connection: 1,
        operation: 'listPets',
        method: 'GET',
        path: '/v1/pets?limit=1',
        key: 'valid',
        status: 200,
      },
      {
        number: 2,
        listener: 'messages',
        connection: 2,
        operation: 'sendMessage',
        method: 'POST',
        key: 'invalid',
        status: 401,
      },
      {
        number: 3,
        listener: 'animals',
        connection: 1,
        operation: undefined,
        path: '/v1/nowhere',
        key: 'missing',
        status: 404,
      },
    ]);
  }));
