import { expect, test } from 'vitest';
import type { ThingKind } from './kinds.ts';
import { Things } from './things.ts';

const BOOK: ThingKind = {
  item: '/books/{id}',
  parameter: 'id',
  schema: { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } },
  idField: 'id',
  idSchema: { type: 'integer' },
};

const MOST = 10_000;
/** None of the things at the start has such an id. */
const FIRST = 1_000_000;

test.each<[how: string, create: (things: Things, id: number) => void]>([
  ['POST', (things, id) => things.add(BOOK, [''], { title: `${id}` }, id)],
  ['PUT', (things, id) => things.put(BOOK, [String(id)], { title: `${id}` })],
])('of things that are created without end by %s, the latest stay', (_how, create) => {
  const things = new Things({ seed: 1 });
  const last = FIRST + MOST + 1_000;
  for (let id = FIRST; id <= last; id += 1) create(things, id);
  const titles = things.all(BOOK, ['']).map(({ title }) => title);
  expect([titles.length, titles[0], titles.at(-1)]).toEqual([MOST, `${last - MOST + 1}`, `${last}`]);
});

test('what is changed where there are many is not a new thing', () => {
  const things = new Things({ seed: 1 });
  for (let id = FIRST; id < FIRST + MOST; id += 1) things.add(BOOK, [''], { title: `${id}` }, id);
  const [oldest] = things.all(BOOK, ['']);
  things.put(BOOK, [String(oldest?.id)], { title: 'changed' });
  expect(things.all(BOOK, [''])[0]).toMatchObject({ id: oldest?.id, title: 'changed' });
});
