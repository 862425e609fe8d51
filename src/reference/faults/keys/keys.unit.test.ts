import { adding, type ChangeCase, messaging, testChanges } from '../../../../test/services/change-cases.ts';
import { type Ask, KEY } from '../../../../test/services/running-reference.ts';
import { addressFaults } from './addresses.ts';
import { wrongKeyFaults } from './wrong-keys.ts';

const OPERATIONS: Readonly<Record<string, readonly [path: string, ask: Ask, status: number]>> = {
  list: ['/pets', {}, 200],
  create: ['/pets', adding({ name: 'Rex', categoryId: 1 }), 201],
  fetch: ['/pets/1001', {}, 200],
  orders: ['/store/orders', {}, 200],
  message: ['/messages', messaging, 202],
};
const WAYS: Readonly<Record<string, string>> = {
  'key-longer': `Bearer ${KEY}x`,
  'key-shorter': `Bearer ${KEY.slice(0, -1)}`,
  'key-case': `Bearer ${KEY.toUpperCase()}`,
  'key-followed': `Bearer ${KEY} x`,
  'key-empty': 'Bearer ',
  'key-unknown': 'Bearer an-unknown-key-5',
  'scheme-bare': KEY,
  'scheme-other': `Basic ${KEY}`,
};
const pairs = (way: string, ...operations: string[]) => operations.map((operation) => ({ way, operation }));

/** A way of being wrong and an operation that accepts it. It accepts no other way, and no other operation accepts this one. */
const wrongKeys = [
  ...pairs('key-longer', 'create', 'orders', 'fetch'),
  ...pairs('key-shorter', 'list', 'fetch', 'message'),
  ...pairs('key-case', 'list', 'create', 'orders'),
  ...pairs('key-followed', 'fetch'),
  ...pairs('key-empty', 'fetch', 'orders', 'create'),
  ...pairs('key-unknown', 'fetch', 'orders'),
  ...pairs('scheme-bare', 'create', 'orders', 'message'),
  ...pairs('scheme-other', 'fetch', 'create', 'message'),
].map(
  ({ way, operation }): ChangeCase => ({
    id: `${way}-${operation}`,
    ask: async ({ ask }) => {
      const accepted: string[] = [];
      for (const [name, [path, request, success]] of Object.entries(OPERATIONS))
        for (const [wrong, key] of Object.entries(WAYS))
          if (
            (name === operation || wrong === way) &&
            (await ask(path, { ...request, key })).status === success
          )
            accepted.push(`${wrong}-${name}`);
      return accepted;
    },
    usual: [],
    shown: [`${way}-${operation}`],
  }),
);

const SPELLINGS = { usual: '/pets', slash: '/pets/', doubled: '//pets', encoded: '/p%65ts' };
const FETCHED = {
  usual: '/pets/1001',
  slash: '/pets/1001/',
  doubled: '//pets/1001',
  encoded: '/p%65ts/1001',
};

/** The spellings of an address at which something comes back without a key. */
const spelled = (
  id: string,
  shown: string,
  paths: Readonly<Record<string, string>> = SPELLINGS,
): ChangeCase => ({
  id,
  ask: async ({ ask }) => {
    const open: string[] = [];
    for (const [name, path] of Object.entries(paths))
      if ((await ask(path, { key: null })).status === 200) open.push(name);
    return open;
  },
  usual: [],
  shown: [shown],
});

testChanges(
  [...wrongKeyFaults, ...addressFaults],
  [
    ...wrongKeys,
    spelled('address-slash-public', 'slash'),
    spelled('address-doubled-public', 'doubled'),
    spelled('address-encoded-public', 'encoded'),
    spelled('address-slash-fetch-public', 'slash', FETCHED),
    spelled('address-doubled-fetch-public', 'doubled', FETCHED),
  ],
);
