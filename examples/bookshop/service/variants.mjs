import { answerOf, parsed, problem } from './answers.mjs';

const isSuccess = ({ status }) => status < 300;
const eachBook = (change) => (answer) => {
  const { value } = answer;
  if (!isSuccess(answer) || !value) return answer;
  return { ...answer, value: value.items ? { ...value, items: value.items.map(change) } : change(value) };
};

/** What differs and conforms: none of them is reported. */
export const variants = [
  {
    id: 'extra-fields',
    summary: 'books have further fields',
    finish: eachBook((book) => ({ ...book, shelf: 3, tags: [] })),
  },
  { id: 'no-price', summary: 'prices are null', finish: eachBook(({ price: _, ...book }) => book) },
  {
    id: 'authors-as-persons',
    summary: 'authors of old books are persons',
    finish: (answer) =>
      isSuccess(answer) && answer.value?.items
        ? {
            ...answer,
            value: {
              ...answer.value,
              items: answer.value.items.map((book) => ({ ...book, author: { name: 'A' } })),
            },
          }
        : answer,
  },
  {
    id: 'cheap-books',
    summary: 'books of more than 900 are not taken',
    answer: ({ method, body }) =>
      method === 'POST' && parsed(body)?.price > 900 ? problem(422, 'Too dear for us') : undefined,
  },
  { id: 'empty', summary: 'the shop has no books', isEmpty: true },
  {
    id: 'newest-first',
    summary: 'lists that are not sorted have the newest first',
    finish: (answer, asked) =>
      answer.value?.items && !asked.query.has('sort')
        ? { ...answer, value: { ...answer.value, items: answer.value.items.toReversed() } }
        : answer,
  },
  {
    id: 'others-add-books',
    summary: 'another book is there for each page that is asked for',
    answer: (asked, _, { books }) => {
      if (asked.method !== 'GET' || !asked.query.has('cursor')) return undefined;
      const id = `n${books.size}`;
      books.set(id, { id, title: `News ${id}`, author: 'A. Nonymous' });
      return undefined;
    },
  },
  {
    id: 'titles-sorted-by-letters',
    summary: 'titles are sorted without regard to case',
    answer: (asked, _, shop) =>
      asked.query.get('sort') === 'title'
        ? answerOf(asked, { ...shop, compare: (one, other) => one.title.localeCompare(other.title) })
        : undefined,
  },
  {
    id: 'charset',
    summary: 'media types name a charset',
    finish: (answer) => ({
      ...answer,
      type:
        answer.status >= 400 ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8',
    }),
  },
  {
    id: 'indented',
    summary: 'bodies are indented',
    finish: (answer) =>
      answer.value === undefined ? answer : { ...answer, text: JSON.stringify(answer.value, null, 2) },
  },
  {
    id: 'titles-taken',
    summary: 'every title is taken',
    answer: (asked, usual) =>
      asked.method === 'POST' && usual().status === 201 ? problem(409, 'The title is taken') : undefined,
  },
  {
    id: 'location-of-a-proxy',
    summary: 'Location is a whole address',
    finish: (answer) =>
      answer.headers?.Location
        ? { ...answer, headers: { Location: `https://bookshop.example/v1${answer.headers.Location}` } }
        : answer,
  },
  {
    id: 'removed-is-410',
    summary: 'a removed book is a 410',
    answer: (asked, usual, { removed }) =>
      asked.method === 'GET' && removed.has(asked.path.slice(7)) && usual().status === 404
        ? problem(410, 'Gone')
        : undefined,
  },
  {
    id: 'titles-trimmed',
    summary: 'titles are trimmed and composed',
    answer: (asked, usual, { books }) => {
      const answer = asked.method === 'POST' ? usual() : undefined;
      if (answer?.status !== 201) return answer;
      const book = { ...answer.value, title: answer.value.title.trim().normalize('NFC') };
      books.set(book.id, book);
      return { ...answer, value: book };
    },
  },
  {
    id: 'changes-counted',
    summary: 'each change of a book takes away its review and counts',
    answer: (asked, usual, { books }) => {
      const before = books.get(asked.path.slice(7));
      const answer = asked.method === 'POST' || asked.method === 'PATCH' ? usual() : undefined;
      if (answer === undefined || !isSuccess(answer)) return answer;
      const computed = before
        ? { revision: (before.revision ?? 1) + 1, review: null }
        : { revision: 1, review: 'new' };
      const book = { ...answer.value, ...computed };
      books.set(book.id, book);
      return { ...answer, value: book };
    },
  },
  {
    id: 'wrong-cursor',
    summary: 'a cursor that nobody gave is refused',
    answer: (asked, usual, { books }) =>
      asked.query.has('cursor') && !books.has(asked.query.get('cursor')) && usual().status === 200
        ? problem(422, 'cursor is not valid')
        : undefined,
  },
  {
    id: 'limit-draft-07',
    summary: 'RateLimit is that of an older draft',
    limitHeaders: ({ perMinute, remaining, seconds }) => ({
      RateLimit: `limit=${perMinute}, remaining=${remaining}, reset=${seconds}`,
    }),
  },
  {
    id: 'limit-also-old',
    summary: 'the limit is also in X-RateLimit headers',
    limitHeaders: ({ perMinute, remaining, seconds }) => ({
      RateLimit: `"minute";r=${remaining};t=${seconds}`,
      'RateLimit-Policy': `"minute";q=${perMinute};w=60`,
      'X-RateLimit-Limit': String(perMinute),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(seconds),
    }),
  },
  {
    id: 'malformed-by-the-framework',
    summary: 'malformed JSON gets a 400 of the framework, without the headers of the shop',
    answer: ({ method, type, body }) =>
      method === 'POST' && type === 'application/json' && parsed(body) === undefined
        ? { status: 400, text: 'Bad Request', type: 'text/plain', isBare: true }
        : undefined,
  },
  {
    id: 'removals-may-be-repeated',
    summary: 'the removal of a book that a key does not see is a 204',
    answer: (asked, usual, { secondKey }) =>
      asked.method === 'DELETE' && asked.key === secondKey && usual().status === 404
        ? { status: 204 }
        : undefined,
  },
  {
    id: 'removed-again-204',
    summary: 'the removal of what was removed before is a 204',
    answer: ({ method, path, key }, _, { apiKey, removed }) =>
      method === 'DELETE' && key === apiKey && removed.has(path.slice(7)) ? { status: 204 } : undefined,
  },
  {
    id: 'drafts-are-403',
    summary: 'the drafts of other keys are a 403',
    answer: (asked, usual, { secondKey }) =>
      asked.key === secondKey && usual().status === 404 ? problem(403, 'Not yours') : undefined,
  },
  {
    id: 'index-elsewhere',
    summary: 'an address that is not known shows a page with other books to everybody',
    answer: ({ path }) =>
      /^\/books(?:$|\/(?!$))/.test(path)
        ? undefined
        : {
            status: 200,
            value: { items: [{ id: 'sample', title: 'A sample', author: 'A. Nonymous' }], next: null },
          },
  },
  {
    id: 'slash-is-redirected',
    summary: 'an address with a slash at the end is redirected to the one without it',
    answer: ({ path }) =>
      /.\/$/.test(path) ? { status: 308, headers: { Location: path.slice(0, -1) } } : undefined,
  },
  {
    id: 'key-in-any-case',
    summary: 'the key is taken in capital letters as well',
    answer: (asked, _, shop) =>
      asked.key !== undefined && asked.key.toLowerCase() === shop.apiKey
        ? answerOf({ ...asked, key: shop.apiKey }, shop)
        : undefined,
  },
  {
    id: 'key-in-query-too',
    summary: 'the key may be in the query as well',
    answer: (asked, _, shop) =>
      asked.query.get('key') === shop.apiKey ? answerOf({ ...asked, key: shop.apiKey }, shop) : undefined,
  },
];
