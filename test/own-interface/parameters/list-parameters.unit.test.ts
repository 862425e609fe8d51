import { describe, expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

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
    'texts are sorted by their characters without their case, accents after all letters',
    {
      sort: (things, by) =>
        by === 'title'
          ? things.map((thing, index) => ({ ...thing, title: ['emma', 'Faust', 'élan'][index] ?? '漢字' }))
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

describe('a switch that is off by default', () => {
  const paths = structuredClone(PATHS);
  paths['/things'].get.parameters = [query('isNew', { type: 'boolean', default: false })];
  const asked = (selects: (thing: Thing, isNew: boolean) => boolean) =>
    judged(documentWith(paths), ({ query: sent }) => [
      200,
      { items: THINGS.filter((thing) => selects(thing, sent.get('isNew') === 'true')) },
    ]);

  test('selects everything while it is off', async () => {
    const { wrong, met } = await asked((thing, isNew) => !isNew || thing.isNew);
    expect(wrong).toEqual([]);
    expect(met).toContain('list.isNew.filter');
  });

  test('that is ignored is an advisory', async () => {
    const { wrong } = await asked(() => true);
    expect(wrong).toEqual(['list.isNew.filter']);
  });
});

test('a `startIndex` of 0 may be that of the first entry, as 1 is', async () => {
  const paths = structuredClone(PATHS);
  paths['/things'].get.parameters = [
    query('startIndex', { type: 'integer' }),
    query('count', { type: 'integer', minimum: 0 }),
  ];
  const { wrong, met } = await judged(documentWith(paths), ({ query: asked }) => {
    const begin = Math.max(1, Number(asked.get('startIndex') ?? 1)) - 1;
    return [200, { items: THINGS.slice(begin, begin + Number(asked.get('count') ?? 9)) }];
  });
  expect(wrong).toEqual([]);
  expect(met).toContain('list.startIndex.pages');
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

describe('a list with pages by size, a word for all, prices as texts and ranks', () => {
  const shirt = {
    type: 'object',
    required: ['id', 'size', 'state', 'price', 'rank', 'kept'],
    properties: {
      id: { type: 'integer' },
      size: { type: 'integer' },
      state: { type: 'string', enum: ['open', 'closed'] },
      price: { type: 'string' },
      rank: { type: 'string', enum: ['low', 'medium', 'high'] },
      kept: { type: 'boolean' },
    },
  };
  const paths = {
    '/shirts': {
      get: {
        operationId: 'list',
        parameters: [
          query('page', { type: 'integer', minimum: 1, maximum: 9 }),
          query('size', { type: 'integer', minimum: 1, maximum: 5, default: 5 }),
          query('state', { type: 'string', enum: ['open', 'closed', 'all'] }),
          query('sort', { type: 'string', enum: ['price', 'rank'] }),
          query('kept', { type: 'boolean', enum: [true, false] }),
        ],
        responses: {
          200: {
            description: 'Shirts.',
            content: { 'application/json': { schema: { type: 'array', items: shirt } } },
          },
          400: { description: 'No.' },
        },
      },
    },
  };
  const RANKS = ['low', 'medium', 'high'];
  const SHIRTS = [
    { id: 1, size: 40, state: 'open', price: '10.00', rank: 'high', kept: true },
    { id: 2, size: 38, state: 'closed', price: '1.9', rank: 'medium', kept: false },
    { id: 3, size: 42, state: 'open', price: '9.00', rank: 'low', kept: true },
    { id: 4, size: 36, state: 'closed', price: '1.10', rank: 'high', kept: false },
  ];
  const shirts =
    (bound = 5) =>
    ({ path, query: asked }: Asked): Answered => {
      const number = (name: string, other: number) => Number(asked.get(name) ?? other);
      const [page, size] = [number('page', 1), number('size', bound)];
      const state = asked.get('state') ?? 'all';
      const kept = asked.get('kept');
      if (path !== '/shirts') return [404];
      const isWrong = !(page >= 1 && page <= 9) || !(size >= 1 && size <= 5);
      if (isWrong || !['open', 'closed', 'all'].includes(state)) return [400];
      if (!['true', 'false', null].includes(kept)) return [400];
      const found = SHIRTS.filter(
        (each) =>
          (state === 'all' || each.state === state) && (kept ?? String(each.kept)) === String(each.kept),
      );
      const sorted = found.toSorted((one, other) =>
        asked.get('sort') === 'price'
          ? Number(one.price) - Number(other.price)
          : RANKS.indexOf(one.rank) - RANKS.indexOf(other.rank),
      );
      return [200, asked.has('size') && bound !== 5 ? sorted : sorted.slice((page - 1) * size, page * size)];
    };

  test('is silent, and nothing is left without a request', async () => {
    const { wrong, met } = await judged(documentWith(paths), shirts());
    expect(wrong).toEqual([]);
    expect(met).toEqual(
      expect.arrayContaining([
        'list.size.page-size',
        'list.page.pages',
        'list.state.filter',
        'list.kept.enum',
      ]),
    );
    expect(met).not.toContain('list.size.filter');
  });

  test('is an advisory if the size is ignored', async () => {
    const { wrong } = await judged(documentWith(paths), shirts(4));
    expect(wrong).toContain('list.size.page-size');
  });
});
