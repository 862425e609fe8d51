import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const TITLES = ['Emma', 'Persuasion', 'Sanditon', 'Lesley Castle'];
const book = { type: 'object', required: ['id', 'title'] };
const inQuery = (name: string, schema: object, required = false) => ({ name, in: 'query', schema, required });

/** A shop whose list needs a date, and which may refuse what it does not understand. */
const SHOP = {
  '/books': {
    get: {
      operationId: 'listBooks',
      parameters: [
        { ...inQuery('on', { type: 'string', format: 'date' }, true), example: '2026-11-30' },
        inQuery('limit', { type: 'integer', minimum: 1, maximum: 50 }),
        inQuery('sort', { type: 'string', enum: ['title', 'id'] }),
        inQuery('q', { type: 'string' }),
      ],
      responses: {
        200: {
          description: 'Books',
          content: { 'application/json': { schema: { type: 'array', items: book } } },
        },
        422: { description: 'Not understood' },
      },
    },
  },
  '/books/{isbn}': {
    get: {
      operationId: 'getBook',
      parameters: [{ name: 'isbn', in: 'path', required: true, schema: { type: 'string' }, example: 'b1' }],
      responses: {
        200: { description: 'A book', content: { 'application/json': { schema: book } } },
        404: { description: 'None' },
      },
    },
  },
};

function shop({ path, query }: Asked): Answered {
  const books = TITLES.map((title, index) => ({ id: `b${index + 1}`, title }));
  if (path !== '/books') {
    const found = books.find(({ id }) => path === `/books/${id}`);
    return found ? [200, found] : [404];
  }
  const limit = query.get('limit') ?? '20';
  const isClear = /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 50;
  const isSorted = !query.has('sort') || ['title', 'id'].includes(query.get('sort') ?? '');
  if (!isClear || !isSorted || !/^\d{4}-\d\d-\d\d$/.test(query.get('on') ?? '')) return [422];
  return [200, books.slice(0, Number(limit))];
}

const BUDGET = 200;

test('with a budget, requests go on that no plan has: a shop that refuses what it does not understand conforms', async () => {
  const { report, asked, wrong } = await judged(documentWith(SHOP), shop, { budget: BUDGET });
  expect([report.verdict, wrong]).toEqual(['conformant', []]);
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(report.announced?.withKey ?? 0);
  expect(report.requests.withKey).toBeGreaterThanOrEqual(BUDGET);
  // Each has what the document requires, unless this is what differs.
  const odd = asked.filter(({ path, query }) => path === '/books' && query.get('on') !== '2026-11-30');
  for (const { query } of odd) expect([...query.keys()].filter((name) => name !== 'on')).toEqual([]);
});

test.each<[what: string, isBroken: (asked: Asked) => boolean, answered: Answered, operation: string]>([
  ['a number in another form', ({ query }) => query.get('limit') === '1e3', [500], 'listBooks'],
  ['a quote in a search', ({ query }) => query.get('q') === "'", [500], 'listBooks'],
  ['an id with a percent sign', ({ path }) => path === '/books/%25', [500], 'getBook'],
  [
    'a page size that no bound has, with a member',
    ({ query }) => query.get('limit') === '40' && query.has('sort'),
    [200, { books: [] }],
    'listBooks',
  ],
])(
  'with a budget, what only such a request shows is found: %s',
  async (_what, isBroken, answered, operation) => {
    const broken = (asked: Asked) => (isBroken(asked) ? answered : shop(asked));
    const file = documentWith(SHOP);
    expect((await judged(file, broken)).wrong).toEqual([]);
    const { wrong, report } = await judged(file, broken, { budget: BUDGET });
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toContain(operation);
    expect(report.verdict).toBe('non-conformant');
  },
);

test('the same budget and seed send the same', async () => {
  const sent = async () => {
    const { asked } = await judged(documentWith(SHOP), shop, { budget: BUDGET, concurrency: 1 });
    return asked.map(({ path, query }) => `${path}?${query}`);
  };
  expect(await sent()).toEqual(await sent());
});
