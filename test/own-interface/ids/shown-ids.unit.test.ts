import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: object) => ({ type: 'object', properties });
const list = (items: object) => ({ type: 'array', items });
const answers = (schema: object, type = 'application/json') => ({
  get: { responses: { 200: { description: 'x', content: { [type]: { schema } } } } },
});
/** A read of one thing, whose parameters have this type. */
const one = (path: string, schema: object = text) => ({
  [path]: {
    get: {
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema,
      })),
      responses: { 200: { description: 'x' } },
    },
  },
});

interface Case {
  paths: object;
  /** What lists respond, by path. */
  shown: Readonly<Record<string, unknown>>;
  /** Their media type. */
  type?: string;
  /** What must be read then. */
  read: string;
}

const CASES: readonly [what: string, one: Case][] = [
  [
    'the key of another name in the path below',
    {
      paths: {
        '/calls': answers(object({ calls: list(object({ sid: text })) })),
        ...one('/calls/{CallSid}/tapes'),
      },
      shown: { '/calls': { calls: [{ sid: 'CA1' }] } },
      read: '/calls/CA1/tapes',
    },
  ],
  [
    'a list with an extension, of things with one',
    {
      paths: {
        '/Lines.json': answers(object({ lines: list(object({ sid: text })) })),
        ...one('/Lines/{Sid}.json'),
        ...one('/Lines/{LineSid}/Usage.json'),
      },
      shown: { '/Lines.json': { lines: [{ sid: 'L7' }] } },
      read: '/Lines/L7/Usage.json',
    },
  ],
  [
    'a list two levels deep',
    {
      paths: {
        '/shards': answers(object({ result: object({ shards: list(object({ name: text })) }) })),
        ...one('/shards/{shard_name}'),
      },
      shown: { '/shards': { result: { shards: [{ name: 'blue' }] } } },
      read: '/shards/blue',
    },
  ],
  [
    'a list that HAL embeds',
    {
      paths: {
        '/boats': answers(
          object({ _embedded: object({ boats: list(object({ id: number })) }) }),
          'application/hal+json',
        ),
        ...one('/boats/{id}', number),
      },
      shown: { '/boats': { _embedded: { boats: [{ id: 31 }] } } },
      type: 'application/hal+json',
      read: '/boats/31',
    },
  ],
  [
    'a list below the collection',
    {
      paths: { '/bird/findByColor': answers(list(object({ id: number }))), ...one('/bird/{birdId}', number) },
      shown: { '/bird/findByColor': [{ id: 8 }] },
      read: '/bird/8',
    },
  ],
  [
    'an owner and a name in one entry of a list elsewhere',
    {
      paths: {
        '/me/packs': answers(list(object({ name: text, owner: object({ id: number, login: text }) }))),
        ...one('/packs/{owner}/{pack}'),
      },
      shown: { '/me/packs': [{ name: 'p1', owner: { id: 5, login: 'ann' } }] },
      read: '/packs/ann/p1',
    },
  ],
  [
    'the user that asks',
    {
      paths: { '/me': answers(object({ id: number })), ...one('/users/{userId}', number) },
      shown: { '/me': { id: 12 } },
      read: '/users/12',
    },
  ],
  [
    'a list of the ids alone',
    {
      paths: { '/labels': answers(list(text)), ...one('/labels/{label}') },
      shown: { '/labels': ['red'] },
      read: '/labels/red',
    },
  ],
  [
    'a code',
    {
      paths: { '/lands': answers(list(object({ code: text }))), ...one('/lands/{code}') },
      shown: { '/lands': [{ code: 'de' }] },
      read: '/lands/de',
    },
  ],
  [
    'the same id in another response',
    {
      paths: { '/profile': answers(object({ shop: object({ shopId: text }) })), ...one('/reports/{shopId}') },
      shown: { '/profile': { shop: { shopId: 's4' } } },
      read: '/reports/s4',
    },
  ],
  [
    'the id in an envelope around each entry',
    {
      paths: {
        '/goods.json': answers(list(object({ good: object({ id: number, name: text }) }))),
        ...one('/goods/{id}.json', number),
        ...one('/goods/{id}/images.json', number),
      },
      shown: { '/goods.json': [{ good: { id: 6, name: 'x' } }] },
      read: '/goods/6/images.json',
    },
  ],
  [
    'a thing in two envelopes, as in JSON:API',
    {
      paths: {
        '/pens': answers(object({ data: list(object({ data: object({ id: text }) })) })),
        ...one('/pens/{id}'),
      },
      shown: { '/pens': { data: [{ data: { id: 'p9' } }] } },
      read: '/pens/p9',
    },
  ],
  [
    'a list in a list of envelopes',
    {
      paths: {
        '/maps': answers(list(object({ results: list(object({ id: number })) }))),
        ...one('/maps/{id}', number),
      },
      shown: { '/maps': [{ results: [{ id: 5 }] }] },
      read: '/maps/5',
    },
  ],
  [
    'a list that the document does not describe',
    {
      paths: { '/cups': answers({ type: 'object' }), ...one('/cups/{cupId}') },
      shown: { '/cups': { page: 1, cups: [{ cupId: 'c1' }] } },
      read: '/cups/c1',
    },
  ],
  [
    'an address of the thing',
    {
      paths: {
        '/berries': answers(object({ results: list(object({ name: text, url: text })) })),
        ...one('/berries/{id}'),
      },
      shown: { '/berries': { results: [{ name: 'x', url: 'https://fruit.test/v2/berries/14/' }] } },
      read: '/berries/14',
    },
  ],
  [
    'the address in the links of HAL',
    {
      paths: {
        '/seas': answers(object({ _embedded: object({ seas: list(object({ _links: object({}) })) }) })),
        ...one('/seas/{sea}'),
      },
      shown: { '/seas': { _embedded: { seas: [{ _links: { self: { href: '/seas/north%20sea' } } }] } } },
      read: '/seas/north%20sea',
    },
  ],
];

test.each(CASES)('%s: the thing is read', async (_, { paths, shown, read, type = 'application/json' }) => {
  const { wrong, asked, untested } = await judged(documentWith(paths), ({ path }) => {
    if (shown[path] !== undefined) return [200, shown[path], { 'content-type': type }];
    return [200];
  });
  expect(asked.map(({ path }) => path)).toContain(read);
  expect([wrong, untested.filter((id) => id.endsWith('}.200'))]).toEqual([[], []]);
});

test('the id of somebody else’s thing is not taken for another kind', async () => {
  const paths = { '/me': answers(object({ id: number })), ...one('/invoices/{invoiceId}', number) };
  const { asked } = await judged(documentWith(paths), () => [200, { id: 1 }]);
  expect(asked.map(({ path }) => path)).toEqual(['/me']);
});
