import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const KEY = 'reader-7f3a-pass-91c2e';
const THINGS = [
  { id: 4, name: 'four' },
  { id: 7, name: 'seven' },
];

const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const LIST = { type: 'array', items: THING };
const ENVELOPE = { type: 'object', required: ['data'], properties: { data: LIST } };

/** A document whose reads need a key of this scheme: `/things`, `/parts` and `/units`, or the first of them alone. */
function documentOf(scheme: object, { names = ['things', 'parts', 'units'], schema = LIST as object } = {}) {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'Things.', content }, 401: { description: 'No.' } };
  const get = (operationId: string) => ({ get: { operationId, security: [{ key: [] }], responses } });
  const paths = Object.fromEntries(names.map((name) => [`/${name}`, get(name)]));
  return documentWith(paths, { securitySchemes: { key: scheme } });
}

const BEARER = { type: 'http', scheme: 'bearer' };
const BASIC = { type: 'http', scheme: 'basic' };
const COOKIE = { type: 'apiKey', in: 'cookie', name: 'sid' };

/** Where the key is, and what a request has there; undefined if it has nothing. */
const PLACES: [what: string, scheme: object, keyIn: (asked: Asked) => string | undefined][] = [
  [
    'a bearer token',
    BEARER,
    ({ headers: { authorization: line } }) => (line === undefined ? undefined : line.slice('Bearer '.length)),
  ],
  ['a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, ({ headers }) => headers['x-key']],
  [
    'the query',
    { type: 'apiKey', in: 'query', name: 'a key' },
    ({ query }) => query.get('a key') ?? undefined,
  ],
];

const FAULTS: [what: string, accepts: (sent: string) => boolean][] = [
  ['compares only the beginning of the key', (sent) => sent.length > 10 && KEY.startsWith(sent)],
  ['ignores what comes after the key', (sent) => sent.startsWith(KEY)],
  ['takes an empty key', (sent) => sent === KEY || sent === ''],
];

const titleOf = (sent: string) =>
  sent === '' ? 'an empty key' : sent.startsWith(KEY) ? 'one more' : 'one character less';

test.each(
  PLACES.flatMap(([what, scheme, keyIn]) =>
    FAULTS.map(([fault, accepts]) => [what, fault, scheme, keyIn, accepts] as const),
  ),
)(
  'key in %s: a service that %s is found, and the command shows no key',
  async (_, __, scheme, keyIn, accepts) => {
    const accepted: string[] = [];
    const answer = (asked: Asked): Answered => {
      const sent = keyIn(asked);
      if (sent === undefined || !accepts(sent)) return [401];
      if (sent !== KEY) accepted.push(sent);
      return [200, THINGS];
    };
    const { report, wrong } = await judged(documentOf(scheme), answer, { apiKey: KEY });
    expect(wrong).toEqual(['authentication.key']);
    const found = report.requirements.find(({ id }) => id === 'authentication.key');
    expect(found?.reason).toContain(titleOf(accepted[0] ?? 'none'));
    // Seen once, and again to confirm the finding.
    expect(accepted).toEqual([accepted[0], accepted[0]]);
    expect(JSON.stringify(report)).not.toContain(KEY.slice(0, -1));
  },
);

test('a conforming service meets the requirement of keys, whatever the seed', async () => {
  for (const seed of [0, 1, 2])
    for (const [, scheme, keyIn] of PLACES) {
      const answer = (asked: Asked): Answered => (keyIn(asked) === KEY ? [200, THINGS] : [401]);
      const { report, met, asked } = await judged(documentOf(scheme), answer, { apiKey: KEY, seed });
      // None, an unknown one and one more for each read, and three at other spellings.
      const wrongKeys = asked.filter((each) => keyIn(each) !== KEY).length;
      expect([report.verdict, wrongKeys]).toEqual(['conformant', 12]);
      expect(met).toContain('authentication.key');
    }
});

/** What nobody needs to tell from the right key. */
const LENIENT: [what: string, scheme: object, key: string, accepts: (asked: Asked) => boolean][] = [
  [
    'takes the key without a scheme, in another scheme, in any case and with a word behind it',
    BEARER,
    KEY,
    ({ headers: { authorization: line = '' } }) => new RegExp(`^(?:\\w+ )?${KEY}(?: \\w+)?$`, 'i').test(line),
  ],
  [
    'reads base64 until it ends',
    BEARER,
    Buffer.from('a-key-of-a-reader').toString('base64'),
    ({ headers: { authorization: line = '' } }) =>
      Buffer.from(line.slice(7).replace(/=.*$/, ''), 'base64').toString() === 'a-key-of-a-reader',
  ],
  [
    'reads the signature of a token without the bits that are left over',
    BEARER,
    `eyJhbGciOiJIUzM4NCJ9.eyJzdWIiOiJhIn0.${'c2ln'.repeat(16)}`,
    ({ headers: { authorization: line = '' } }) => {
      const [, , signature = ''] = line.split('.');
      return Buffer.from(signature, 'base64url').toString() === 'sig'.repeat(16);
    },
  ],
  [
    'reads a quoted token',
    { type: 'apiKey', in: 'header', name: 'Authorization' },
    `Token token="${KEY}"`,
    ({ headers: { authorization: line = '' } }) => /token="?([^"]*)/.exec(line)?.[1] === KEY,
  ],
  [
    'has another key of fewer digits',
    BEARER,
    'test-key-12',
    ({ headers: { authorization: line = '' } }) => /^Bearer test-key-1[012]?$/.test(line),
  ],
  [
    'has a word as the key, and another word as another key',
    BEARER,
    'reads',
    ({ headers: { authorization: line = '' } }) => /^Bearer reads?$/.test(line),
  ],
  ['has the key of a single letter', BEARER, 'k', ({ headers }) => headers.authorization === 'Bearer k'],
  [
    'looks only at the user, which is the key',
    BASIC,
    `${KEY}:x`,
    ({ headers: { authorization: line = '' } }) =>
      Buffer.from(line.slice(6), 'base64').toString().split(':')[0] === KEY,
  ],
  [
    'ignores the name of the server after the id of a session',
    COOKIE,
    `${KEY}.node0`,
    ({ headers: { cookie = '' } }) => cookie.replace(/\..*$/, '') === `sid=${KEY}`,
  ],
];

test.each(LENIENT)('a service that %s conforms', async (_, scheme, key, accepts) => {
  for (const seed of [0, 1, 2]) {
    const answer = (asked: Asked): Answered => (accepts(asked) ? [200, THINGS] : [401]);
    const { report, wrong } = await judged(documentOf(scheme), answer, { apiKey: key, seed });
    expect([report.verdict, wrong]).toEqual(['conformant', []]);
    const isNear = report.exchanges.some(({ probe }) => /:key-(?:longer|shorter)$/.test(probe));
    expect(isNear).toBe(key === KEY);
  }
});

test('keys that go together are wrong one at a time, in one further way for each of three reads', async () => {
  const securitySchemes = {
    one: { type: 'apiKey', in: 'header', name: 'X-One' },
    two: { type: 'apiKey', in: 'query', name: 'two' },
  };
  const keys = { one: 'first-of-both-keys', two: 'second-of-both-keys' };
  const content = { 'application/json': { schema: LIST } };
  const responses = { 200: { description: 'Things.', content }, 401: { description: 'No.' } };
  const get = (operationId: string) => ({
    get: { operationId, security: [{ one: [], two: [] }], responses },
  });
  const paths = { '/a': get('a'), '/b': get('b'), '/c': get('c') };
  const sent = ({ headers, query }: Asked) => [headers['x-one'], query.get('two') ?? undefined];
  const accepts = ([one, two]: ReturnType<typeof sent>) => one === keys.one && two?.startsWith(keys.two);
  const ofSeed = (seed: number) =>
    judged(
      documentWith(paths, { securitySchemes }),
      (asked) => (accepts(sent(asked)) ? [200, THINGS] : [401]),
      {
        keys,
        seed,
      },
    );
  const { asked, wrong } = await ofSeed(0);
  expect(wrong).toEqual([]);
  expect(asked.map(sent)).toEqual(
    expect.arrayContaining([
      [`${keys.one}x`, keys.two],
      ['', keys.two],
      [keys.one.slice(0, -1), keys.two],
    ]),
  );
  const found = await ofSeed(3);
  expect(found.wrong).toEqual(['authentication.key']);
  const { curl, reproduce } = found.report.requirements.find(({ id }) => id === 'authentication.key') ?? {};
  expect(curl).toContain('two=\'"$' + '{PETSPEC_KEY_TWO}x"');
  expect(JSON.stringify(reproduce)).toContain('# set PETSPEC_KEY_ONE');
  expect(JSON.stringify(reproduce)).toContain('PETSPEC_KEY_TWO');
});

const isRight = ({ headers }: Asked) => headers.authorization === `Bearer ${KEY}`;
const USUAL = ['/things', '/parts', '/units'];

test('a service that protects only the usual spelling of its addresses is found, once', async () => {
  const answer = (asked: Asked): Answered =>
    isRight(asked) || !USUAL.includes(asked.path) ? [200, THINGS] : [401];
  const { report, wrong, asked } = await judged(documentOf(BEARER), answer, { apiKey: KEY });
  expect(wrong).toEqual(['things.401', 'parts.401', 'units.401']);
  expect(report.requirements.find(({ id }) => id === 'things.401')).toMatchObject({
    reason: 'no key, and a slash at the end of the path: accepted with 200',
    received: 'status 200 with a body as at the usual address',
  });
  const others = new Set(asked.map(({ path }) => path).filter((path) => !USUAL.includes(path)));
  expect([...others].sort()).toEqual(['//parts', '/things/', '/u%6Eits'].sort());
});

test.each<[what: string, path: string]>([
  ['a slash at the end', '/things/'],
  ['a doubled slash', '//things'],
  ['a percent-encoded letter', '/t%68ings'],
])('each spelling is found by itself: %s', async (_, open) => {
  const answer = (asked: Asked): Answered =>
    isRight(asked) || asked.path === open ? [200, { data: THINGS, at: Date.now() }] : [401];
  const file = documentOf(BEARER, { names: ['things'], schema: ENVELOPE });
  expect((await judged(file, answer, { apiKey: KEY })).wrong).toEqual(['things.401']);
});

const PUBLIC: [what: string, schema: object, usual: unknown, elsewhere: Answered][] = [
  ['nothing', LIST, THINGS, [404, {}]],
  ['a redirect', LIST, THINGS, [301, undefined, { location: '/things' }]],
  [
    'the page of a framework',
    LIST,
    THINGS,
    [200, Buffer.from('<!doctype html>'), { 'content-type': 'text/html' }],
  ],
  ['other things, which are public', LIST, THINGS, [200, [{ id: 1, name: 'one' }]]],
  ['a list without entries', LIST, THINGS, [200, []]],
  ['an envelope without entries', ENVELOPE, { data: [], total: 0 }, [200, { data: [], total: 0 }]],
  [
    'an index that fits the schema',
    { type: 'object' },
    { name: 'things', total: 2 },
    [200, { name: 'API', links: 3 }],
  ],
  ['a word that fits the schema', { type: 'object' }, { status: 'ok' }, [200, { status: 'ok' }]],
];

test.each(PUBLIC)(
  'a service that has %s at other spellings conforms',
  async (_, schema, usual, elsewhere) => {
    const answer = (asked: Asked): Answered =>
      isRight(asked) ? [200, usual] : USUAL.includes(asked.path) ? [401] : elsewhere;
    const { report, wrong } = await judged(documentOf(BEARER, { schema }), answer, { apiKey: KEY });
    expect([report.verdict, wrong]).toEqual(['conformant', []]);
  },
);

test('where the document has another operation, there is no other spelling', async () => {
  const content = { 'application/json': { schema: LIST } };
  const responses = { 200: { description: 'Things.', content }, 401: { description: 'No.' } };
  const secured = { operationId: 'secured', security: [{ key: [] }], responses };
  const file = documentWith(
    { '/things': { get: secured }, '/things/': { get: { operationId: 'open', responses } } },
    { securitySchemes: { key: BEARER } },
  );
  const answer = (asked: Asked): Answered =>
    isRight(asked) || asked.path === '/things/' ? [200, THINGS] : [401];
  expect((await judged(file, answer, { apiKey: KEY })).wrong).toEqual([]);
});

test('a document without a 401 has a requirement of its own for keys, which another spelling violates', async () => {
  const content = { 'application/json': { schema: LIST } };
  const responses = { 200: { description: 'Things.', content } };
  const get = { operationId: 'things', security: [{ key: [] }], responses };
  const file = documentWith({ '/things': { get } }, { securitySchemes: { key: BEARER } });
  const answer = (asked: Asked): Answered =>
    isRight(asked) || asked.path === '/things/' ? [200, THINGS] : [403];
  expect((await judged(file, answer, { apiKey: KEY })).wrong).toEqual(['things.key']);
});

test('no more wrong keys are sent than announced, to a service that accepts all of them either', async () => {
  const { asked, report } = await judged(documentOf(BEARER), () => [200, THINGS], { apiKey: KEY });
  const sent = asked.filter((each) => !isRight(each)).length;
  expect(sent).toBeLessThanOrEqual(report.announced?.wrongKeys ?? 0);
  expect(sent).toBeGreaterThanOrEqual(12);
});
