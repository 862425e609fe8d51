import { describe, expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from './small-service.ts';

const entry = {
  type: 'object',
  required: ['id', 'status', 'price', 'title', 'isNew'],
  properties: {
    id: { type: 'integer' },
    status: { type: 'string', enum: ['open', 'closed'] },
    isNew: { type: 'boolean' },
    price: { type: 'number' },
    title: { type: 'string' },
  },
};
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const PATHS = {
  '/things': {
    get: {
      operationId: 'list',
      parameters: [
        query('limit', { type: 'integer', minimum: 1, maximum: 4, default: 3 }),
        query('status', { type: 'string', enum: ['open', 'closed'] }),
        query('isNew', { type: 'boolean' }),
        query('title', { type: 'string' }),
        query('offset', { type: 'integer', minimum: 0 }),
        query('sort', { type: 'string', enum: ['price', '-price', 'title'] }),
      ],
      responses: {
        200: {
          description: 'Things.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['items'],
                properties: { items: { type: 'array', items: entry } },
              },
            },
          },
        },
        400: { description: 'No.' },
      },
    },
  },
};

interface Thing {
  id: number;
  status: string;
  isNew: boolean;
  price: number;
  title: string;
}

const THINGS: Thing[] = [
  { id: 1, status: 'open', isNew: true, price: 9, title: 'Emma' },
  { id: 2, status: 'closed', isNew: false, price: 11, title: 'faust' },
  { id: 3, status: 'open', isNew: false, price: 10, title: 'Ulysses' },
  { id: 4, status: 'closed', isNew: true, price: 1, title: 'dracula' },
  { id: 5, status: 'open', isNew: true, price: 100, title: 'Middlemarch' },
];

/** Steps of a list, any of which may be another. */
interface Steps {
  select: (things: Thing[], query: URLSearchParams) => Thing[];
  sort: (things: Thing[], by: string) => Thing[];
  bound: (things: Thing[], limit: string | null) => Thing[];
  skip: (things: Thing[], offset: number) => Thing[];
}

const SOUND: Steps = {
  select: (things, wanted) =>
    things.filter(
      ({ status, isNew }) =>
        status === (wanted.get('status') ?? status) &&
        String(isNew) === (wanted.get('isNew') ?? String(isNew)),
    ),
  sort(things, by) {
    if (by === 'title') return things.toSorted((one, other) => (one.title < other.title ? -1 : 1));
    if (by === '') return things;
    return things.toSorted((one, other) => (one.price - other.price) * (by === '-price' ? -1 : 1));
  },
  bound: (things, limit) => things.slice(0, Number(limit ?? 3)),
  skip: (things, offset) => things.slice(offset),
};

const service =
  (different: Partial<Steps>) =>
  ({ path, query: asked }: Asked): Answered => {
    const { select, sort, bound, skip } = { ...SOUND, ...different };
    const limit = asked.get('limit');
    const isLimit = limit === null || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 4);
    const fits = (name: string, ...values: string[]) =>
      !asked.has(name) || values.includes(asked.get(name) ?? '');
    if (path !== '/things') return [404];
    if (!isLimit || !fits('status', 'open', 'closed') || !fits('isNew', 'true', 'false')) return [400];
    if (!fits('sort', 'price', '-price', 'title')) return [400];
    return [
      200,
      {
        items: bound(
          skip(sort(select(THINGS, asked), asked.get('sort') ?? ''), Number(asked.get('offset') ?? 0)),
          limit,
        ),
      },
    ];
  };

const swapped = (value: string) => ({ true: 'false', false: 'true' })[value] ?? value;

const run = (different: Partial<Steps>) => judged(documentWith(PATHS), service(different));

const IDS = [
  'list.limit.page-size',
  'list.status.filter',
  'list.isNew.filter',
  'list.sort.order',
  'list.offset.pages',
];

test('a list that keeps what its parameters say meets them; a free text is no filter', async () => {
  const { wrong, met, report } = await run({});
  expect(wrong).toEqual([]);
  expect(met).toEqual(expect.arrayContaining(IDS));
  expect(report.requirements.map(({ id }) => id)).not.toContain('list.title.filter');
});

describe('an advisory', () => {
  test.each<[what: string, id: string, different: Partial<Steps>]>([
    ['limit is ignored', 'list.limit.page-size', { bound: (things) => things }],
    [
      'one entry too many',
      'list.limit.page-size',
      { bound: (things, limit) => things.slice(0, Number(limit ?? 3) + 1) },
    ],
    [
      'the default is another one',
      'list.limit.page-size',
      { bound: (things, limit) => things.slice(0, Number(limit ?? 5)) },
    ],
    [
      'a filter is ignored',
      'list.status.filter',
      {
        select: (things, asked) =>
          SOUND.select(things, new URLSearchParams([...asked].filter(([name]) => name !== 'status'))),
      },
    ],
    [
      'a filter selects the others',
      'list.isNew.filter',
      {
        select: (things, asked) =>
          SOUND.select(
            things,
            new URLSearchParams([...asked].map(([name, value]): [string, string] => [name, swapped(value)])),
          ),
      },
    ],
    ['an offset is ignored', 'list.offset.pages', { skip: (things) => things }],
    ['nothing is sorted', 'list.sort.order', { sort: (things) => things }],
    [
      'numbers are sorted as texts',
      'list.sort.order',
      {
        sort: (things, by) =>
          by.endsWith('price')
            ? things.toSorted((one, other) => (`${one.price}` < `${other.price}` ? -1 : 1))
            : SOUND.sort(things, by),
      },
    ],
    [
      'the other direction',
      'list.sort.order',
      { sort: (things, by) => SOUND.sort(things, by === '-price' ? 'price' : by) },
    ],
  ])('%s', async (_, id, different) => {
    const { wrong, report } = await run(different);
    expect(wrong).toEqual([id]);
    expect(report.verdict).not.toBe('non-conformant');
  });
});

test.each<[what: string, different: Partial<Steps>]>([
  ['pages are shorter than they may be', { bound: (things) => things.slice(0, 1) }],
  [
    'letters are sorted without their case',
    {
      sort: (things, by) =>
        by === 'title'
          ? things.toSorted((one, other) => one.title.localeCompare(other.title))
          : SOUND.sort(things, by),
    },
  ],
  [
    'prices begin with the highest where no direction is stated',
    { sort: (things, by) => (by === 'price' ? SOUND.sort(things, '-price') : SOUND.sort(things, by)) },
  ],
  ['nothing is beyond the first page', { skip: (things, offset) => (offset > 0 ? [] : things) }],
  ['nothing is found', { select: () => [] }],
])('%s: that conforms', async (_, different) => {
  const { wrong } = await run(different);
  expect(wrong).toEqual([]);
});

test('`first` is an offset beside `max`', async () => {
  const paths = structuredClone(PATHS);
  paths['/things'].get.parameters = [
    query('first', { type: 'integer', minimum: 1, maximum: 4 }),
    query('max', { type: 'integer' }),
  ];
  const { report } = await judged(documentWith(paths), service({ bound: (things) => things }));
  expect(report.requirements.filter(({ id }) => id.endsWith('page-size'))).toEqual([]);
});
