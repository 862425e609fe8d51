import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { type Difference, DOCUMENT, KEY, startBookshop } from '../bookshop.ts';

const BOOK = {
  id: '0b9c1c4e-6f2d-4b3a-9d2f-1c2b3a4d5e6f',
  title: 'Faust',
  price: 12.5,
  published: '1808-01-01',
  author: { name: 'Goethe' },
};

async function reportOf(difference?: Difference) {
  const { baseUrl, asked } = await startBookshop(difference);
  const report = await run({ baseUrl, apiKey: KEY, interface: DOCUMENT });
  const withStatus = (status: string) =>
    report.requirements.filter((each) => each.status === status).map(({ id }) => id);
  return { report, asked, violated: withStatus('violated'), advised: withStatus('advisory') };
}

test('a sound service conforms to its document, as far as reading shows it', async () => {
  const { report, violated, advised } = await reportOf();
  expect([violated, advised]).toEqual([[], []]);
  expect([report.verdict, report.because]).toEqual([
    'conformant',
    expect.stringContaining('left out: no --write'),
  ]);
  const untested = report.requirements.filter(
    ({ level, status }) => level === 'must' && status === 'not-tested',
  );
  const writing = /^(?:POST|DELETE|PUT|PATCH) |^Book\.secret$/;
  expect(untested.map(({ id }) => id).filter((id) => !writing.test(id))).toEqual([]);
  expect(report.gaps).toEqual([
    { operation: 'GET /feed', isWhole: true, reason: 'it answers with a stream (text/event-stream)' },
  ]);
});

test('nothing is sent that may change something, and no id is guessed but one that does not exist', async () => {
  const { asked } = await reportOf();
  const { id } = BOOK;
  expect(asked.filter((each) => !each.startsWith('GET '))).toEqual([]);
  expect(asked.filter((each) => /[{}]|%7B/.test(each))).toEqual([]);
  expect(asked).toContain(`GET /books/${id}/reviews?since=2024-01-31`);
  expect(asked).toContain(`GET /books/${id}/reviews/7`);
  const unlisted = asked.filter((each) => /^GET \/books\/[^?]/.test(each) && !each.includes(id));
  expect(unlisted).toHaveLength(1);
});

const FAULTS: [what: string, difference: Difference, ids: string[]][] = [
  ['a required field is missing', { book: { ...BOOK, title: undefined } }, ['Book.title']],
  ['a price at its exclusive minimum', { book: { ...BOOK, price: 0 } }, ['Book.price']],
  ['an author that fits no member', { book: { ...BOOK, author: 7 } }, ['Book.author']],
  ['an author without what every person has', { book: { ...BOOK, author: {} } }, ['Book.author']],
  [
    'a wrong field of a book inside a book',
    {
      answer: ({ path }, own) =>
        path.endsWith(BOOK.id) && own.status === 200
          ? { ...own, value: { ...BOOK, sequel: { id: BOOK.id, title: '' } } }
          : undefined,
    },
    ['Book.title'],
  ],
  ['a header that is missing', { answer: (_, own) => ({ ...own, headers: {} }) }, ['ETag']],
  [
    'another media type',
    {
      answer: ({ path }, own) =>
        path === '/books' && own.status === 200 ? { ...own, type: 'text/html' } : undefined,
    },
    ['service.content-type'],
  ],
  [
    'a body that is not JSON',
    {
      answer: ({ path }, own) =>
        path === '/books' && own.status === 200 ? { ...own, value: '{' } : undefined,
    },
    ['service.json'],
  ],
  [
    'a success that is not documented',
    { answer: ({ path }, own) => (path.endsWith('/reviews') ? { ...own, status: 202 } : undefined) },
    ['getReviews.200'],
  ],
  [
    'a server error for a wrong value',
    {
      answer: ({ query }) =>
        query.get('limit') === '0'
          ? { status: 500, value: { title: 'x' }, type: 'application/problem+json' }
          : undefined,
    },
    ['GET /books.responses'],
  ],
  [
    'no key is asked for',
    {
      answer: ({ path, key }, own) =>
        key === undefined && own.status === 401 && path.endsWith(BOOK.id)
          ? { status: 200, value: BOOK, headers: { ETag: '1' } }
          : undefined,
    },
    ['getBook.401'],
  ],
  [
    'any key is accepted',
    {
      answer: ({ path, key }, own) =>
        key !== undefined && own.status === 401 && path.endsWith(BOOK.id)
          ? { status: 200, value: BOOK, headers: { ETag: '1' } }
          : undefined,
    },
    ['authentication.key'],
  ],
  [
    'a problem without a title',
    { answer: (_, own) => (own.status === 404 ? { ...own, value: {} } : undefined) },
    ['Problem.title'],
  ],
];

test.each(FAULTS)('%s: it is found, and nothing else', async (_, difference, ids) => {
  const { violated } = await reportOf(difference);
  expect(violated).toEqual(ids);
});

const ADVISED: [what: string, difference: Difference, ids: string[]][] = [
  ['a date that is none', { book: { ...BOOK, published: '1808' } }, ['Book.published.format']],
  [
    'a success for an id that does not exist',
    {
      answer: ({ path, key }, own) =>
        own.status === 404 && key && path !== '/'
          ? { status: 200, value: BOOK, headers: { ETag: '1' } }
          : undefined,
    },
    ['getBook.404'],
  ],
  [
    'a documented bound that is refused',
    {
      answer: ({ query }) =>
        query.get('limit') === '50'
          ? { status: 422, value: { title: 'x' }, type: 'application/problem+json' }
          : undefined,
    },
    ['GET /books.limit.maximum'],
  ],
];

test.each(ADVISED)('%s is advised', async (_, difference, ids) => {
  const { violated, advised } = await reportOf(difference);
  expect([violated, advised]).toEqual([[], ids]);
});

const VARIANTS: [what: string, difference: Difference][] = [
  ['null where it is allowed', { book: { ...BOOK, price: null } }],
  ['the other member of a choice', { book: { ...BOOK, author: 'Goethe' } }],
  ['fields that the document does not list', { book: { ...BOOK, pages: 400 } }],
  ['optional fields that are missing', { book: { id: BOOK.id, title: 'Faust' } }],
  [
    'a documented refusal of a key',
    { answer: (_, own) => (own.status === 401 ? { ...own, status: 403 } : undefined) },
  ],
  [
    'an unknown id that is not well-formed',
    {
      answer: (_, own) =>
        own.status === 404 ? { ...own, status: 400, value: { any: 1 }, type: 'application/json' } : undefined,
    },
  ],
  [
    'a wrong value that is accepted',
    { answer: (_, own) => (own.status === 422 ? { status: 200, value: { items: [] } } : undefined) },
  ],
  [
    'a media type with a parameter',
    { answer: (_, own) => ({ ...own, type: `${own.type ?? 'application/json'}; charset=utf-8` }) },
  ],
];

test.each(VARIANTS)('%s conforms', async (_, difference) => {
  const { violated, advised } = await reportOf(difference);
  expect([violated, advised]).toEqual([[], []]);
});

test('a valid request that is refused is observed, and what it would have shown is not tested', async () => {
  const { report, violated } = await reportOf({
    answer: ({ path }) => (path.endsWith('/reviews') ? { status: 402, value: { pay: 1 } } : undefined),
  });
  expect(violated).toEqual([]);
  expect(report.verdict).toBe('incomplete');
  const resultOf = (id: string) => report.requirements.find((each) => each.id === id);
  expect(resultOf('open.refusals')?.observed).toBe('GET /books/{bookId}/reviews: 402');
  expect(resultOf('getReviews.200')).toMatchObject({
    status: 'not-tested',
    reason: expect.stringContaining('402'),
  });
});

test('a wrong response says nothing of the parts of a body that another response shows', async () => {
  const { report, violated } = await reportOf({
    book: { ...BOOK, price: undefined },
    answer: ({ query }) =>
      query.get('limit') === 'abc' || query.get('limit') === '0' ? { status: 500 } : undefined,
  });
  expect(violated).toEqual(['GET /books.responses']);
  expect(report.requirements.find(({ id }) => id === 'Book.price')).toMatchObject({
    status: 'met',
    exercised: false,
  });
});

test('a refusal that is not documented need not have the documented headers', async () => {
  const { violated, report } = await reportOf({
    answer: ({ path, key }) =>
      path.endsWith(BOOK.id) && key ? { status: 418, value: { short: true }, type: 'text/plain' } : undefined,
  });
  expect(violated).toEqual([]);
  expect(report.requirements.find(({ id }) => id === 'open.refusals')?.observed).toContain('418');
});

test('a documented failure is no violation; an undocumented one is', async () => {
  const down = (status: number): Difference => ({
    answer: ({ path }) => (path === '/health' ? { status } : undefined),
  });
  expect((await reportOf(down(503))).violated).toEqual([]);
  expect((await reportOf(down(500))).violated).toEqual(['getHealth.200']);
});
