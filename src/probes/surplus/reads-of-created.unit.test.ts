import { expect, test } from 'vitest';
import { creation, operation, pathParameter, response } from '../../../test/operations/operations.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { readsAgain, readsBack } from './reads-of-created.ts';

const list = operation({});
const get = operation({
  id: 'getThing',
  path: '/things/{id}',
  parameters: [pathParameter('id', { type: 'integer' })],
  responses: [response('200'), response('404')],
});
const first = probe(list, 'plain', 'first', { title: 'plain', expectation: expecting(['200']) });

test('what the run created is read again, what has most fields first', () => {
  const create = creation({});
  const made = (name: string, json: unknown) =>
    probe(create, name, 'create', { title: name, body: { json } });
  const read = (source: Probe, change: Partial<Probe> = {}) =>
    probe(get, source.id, 'read', {
      title: `what ${source.title} created`,
      path: { id: { late: 'response', sources: [{ probe: source.id, pointer: '/id' }] } },
      ...change,
    });
  const [small, large, raw] = [
    made('small', { a: 1 }),
    made('large', { a: 1, b: 2 }),
    { ...made('raw', {}), body: { text: 'raw' } },
  ];
  const planned = [
    first,
    small,
    raw,
    large,
    read(raw),
    read(small),
    read(large, { variations: [], follows: true }),
    read(first),
  ];
  const again = readsAgain([...planned, read(small, { key: 'absent' })], 1);
  expect(again.map(({ id }) => id)).toEqual(
    ['large', 'small', 'raw'].map((each) => `getThing:further-again-2 createThing:${each}`),
  );
  expect(again[0]).toMatchObject({ title: 'what large created, again', path: read(large).path });
  expect(again[0]).not.toHaveProperty('variations');
  expect(again[0]).not.toHaveProperty('follows');
});

test('what the run created and does not read is read as its like, the longest first', () => {
  const create = creation({});
  const made = (name: string, json: unknown, change: Partial<Probe> = {}) =>
    probe(create, name, 'create', { title: name, body: { json }, ...change });
  const other = probe({ ...create, id: 'createOther' }, 'other', 'create', {
    title: 'other',
    body: { json: 1 },
  });
  const [read, short, long] = [made('read', 1), made('short', 'ab'), made('long', 'abc')];
  const refused = made('refused', 'abcd', { stage: 'invalid' });
  const reading = probe(get, read.id, 'read', {
    title: 'what read created',
    expectation: expecting(['200']),
    path: {
      shop: '7',
      id: {
        late: 'response',
        sources: [
          { probe: read.id, pointer: '/id' },
          { probe: 'createThing:gone', pointer: '/id' },
        ],
      },
    },
    variations: [],
    follows: true,
  });
  const back = readsBack([first, short, read, long, refused, other, reading]);
  expect(back.map(({ id, title }) => [id, title])).toEqual([
    ['getThing:further-back createThing:long', 'what was created with long'],
    ['getThing:further-back createThing:short', 'what was created with short'],
  ]);
  expect(back[0]).toMatchObject({
    expectation: expecting(['200']),
    path: { shop: '7', id: { late: 'response', sources: [{ probe: long.id, pointer: '/id' }] } },
  });
  expect(back[0]).not.toHaveProperty('variations');
  expect(back[0]).not.toHaveProperty('follows');
  expect(readsBack([short, long])).toEqual([]);
  const nested: Probe = { ...reading, path: { shop: reading.path.id ?? '', id: reading.path.id ?? '' } };
  expect(readsBack([read, long, nested])).toEqual([]);
});
