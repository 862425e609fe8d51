import { answerOf, parsed, problem } from './answers.mjs';

const isOf = (asked, method, path) => asked.method === method && path.test(asked.path);
const LIST = /^\/books$/;
const BOOK = /^\/books\/[^/]+$/;

/** Another answer to some requests, made from the usual one, if that is a success. */
const changing = (method, path, change) => (asked, usual, shop) => {
  if (!isOf(asked, method, path)) return undefined;
  const answer = usual();
  return answer.status < 300 ? change(answer, asked, shop) : answer;
};
const withValue = (change) => (answer, asked, shop) => ({
  ...answer,
  value: change(answer.value, asked, shop),
});
const withItems = (change) => withValue((page) => ({ ...page, items: page.items.map(change) }));
/** With the right key, whatever was sent. */
const letIn = (method, path) => (asked, _, shop) =>
  isOf(asked, method, path) && asked.key === undefined
    ? answerOf({ ...asked, key: shop.apiKey }, shop)
    : undefined;
const without =
  (name) =>
  ({ [name]: _removed, ...rest }) =>
    rest;

/** What an implementer gets wrong: each is reported by the requirement that it names, and by no other. */
export const faults = [
  {
    id: 'list-206',
    summary: 'lists are a 206',
    violates: 'listBooks.200',
    answer: changing('GET', LIST, (answer) => ({ ...answer, status: 206 })),
  },
  {
    id: 'list-as-text',
    summary: 'lists are declared as text',
    violates: 'service.content-type',
    answer: changing('GET', LIST, (answer) => ({ ...answer, type: 'text/plain' })),
  },
  {
    id: 'list-broken',
    summary: 'lists break off',
    violates: 'service.json',
    answer: changing('GET', LIST, (answer) => ({
      ...answer,
      text: JSON.stringify(answer.value).slice(0, -1),
    })),
  },
  {
    id: 'list-is-bare',
    summary: 'a list is an array',
    violates: 'Page',
    answer: changing(
      'GET',
      LIST,
      withValue(({ items }) => items),
    ),
  },
  {
    id: 'list-without-next',
    summary: 'lists lack next',
    violates: 'Page.next',
    answer: changing('GET', LIST, withValue(without('next'))),
  },
  {
    id: 'list-ignores-limit',
    summary: 'limit is ignored',
    violates: 'books.limit',
    answer: changing(
      'GET',
      LIST,
      withValue((_, __, { books }) => ({ items: [...books.values()], next: null })),
    ),
  },
  {
    id: 'list-one-more',
    summary: 'lists have one book too many',
    violates: 'books.limit',
    answer: changing(
      'GET',
      LIST,
      withValue((page, { query }, { books }) => ({
        ...page,
        items: [...books.values()].slice(0, Number(query.get('limit') ?? 20) + 1),
      })),
    ),
  },
  {
    id: 'list-twice',
    summary: 'the first book is listed twice',
    violates: 'books.distinct',
    answer: changing(
      'GET',
      LIST,
      withValue((page, { query }) => ({
        ...page,
        items: query.has('limit') ? page.items : [...page.items, page.items[0]],
      })),
    ),
  },
  {
    id: 'list-always-next',
    summary: 'the last page has a next',
    violates: 'books.next',
    answer: changing(
      'GET',
      LIST,
      withValue((page) => ({ ...page, next: page.next ?? 'b9' })),
    ),
  },
  {
    id: 'list-price-as-text',
    summary: 'listed prices are texts',
    violates: 'Book.price',
    answer: changing(
      'GET',
      LIST,
      withItems((book) => ({ ...book, price: String(book.price) })),
    ),
  },
  {
    id: 'list-price-below-zero',
    summary: 'a listed price is below zero',
    violates: 'Book.price',
    answer: changing(
      'GET',
      LIST,
      withItems((book) => ({ ...book, price: -1 })),
    ),
  },
  {
    id: 'list-author-number',
    summary: 'listed authors are numbers',
    violates: 'Book.author',
    answer: changing(
      'GET',
      LIST,
      withItems((book) => ({ ...book, author: 7 })),
    ),
  },
  {
    id: 'list-author-nameless',
    summary: 'listed authors have no name',
    violates: 'Book.author',
    answer: changing(
      'GET',
      LIST,
      withItems((book) => ({ ...book, author: {} })),
    ),
  },
  {
    id: 'list-title-missing',
    summary: 'listed books lack a title',
    violates: 'Book.title',
    answer: changing('GET', LIST, withItems(without('title'))),
  },
  {
    id: 'list-binding-unknown',
    summary: 'a listed binding is neither paper nor cloth',
    violates: 'Book.binding',
    answer: changing(
      'GET',
      LIST,
      withItems((book) => ({ ...book, binding: 'leather' })),
    ),
  },
  {
    id: 'list-mills',
    summary: 'listed prices have three decimals',
    violates: 'books.cents',
    answer: changing(
      'GET',
      LIST,
      withItems((book) => ({ ...book, price: 1.234 })),
    ),
  },
  {
    id: 'list-limit-zero-crashes',
    summary: 'limit=0 breaks the service',
    violates: 'listBooks.responses',
    answer: (asked) =>
      isOf(asked, 'GET', LIST) && asked.query.get('limit') === '0' ? problem(500, 'Oops') : undefined,
  },
  {
    id: 'list-largest-limit-refused',
    summary: 'the largest limit is refused',
    violates: 'listBooks.limit.maximum',
    answer: (asked) =>
      isOf(asked, 'GET', LIST) && asked.query.get('limit') === '50'
        ? problem(422, 'limit is not valid')
        : undefined,
  },
  {
    id: 'list-needs-no-key',
    summary: 'lists need no key',
    violates: 'listBooks.401',
    answer: letIn('GET', LIST),
  },
  {
    id: 'get-needs-no-key',
    summary: 'books need no key',
    violates: 'getBook.401',
    answer: letIn('GET', BOOK),
  },
  {
    id: 'remove-needs-no-key',
    summary: 'removals need no key',
    violates: 'removeBook.401',
    answer: letIn('DELETE', BOOK),
  },
  {
    id: 'any-key',
    summary: 'any key is taken',
    violates: 'authentication.key',
    answer: (asked, _, shop) =>
      asked.key === undefined ? undefined : answerOf({ ...asked, key: shop.apiKey }, shop),
  },
  {
    id: 'get-another',
    summary: 'an unknown book gets another',
    violates: 'getBook.404',
    answer: (asked, usual, { books }) =>
      isOf(asked, 'GET', BOOK) && asked.path.includes('none') && usual().status === 404
        ? { status: 200, value: [...books.values()][0] }
        : undefined,
  },
  {
    id: 'get-without-id',
    summary: 'books lack their id',
    violates: 'Book.id',
    answer: changing('GET', BOOK, withValue(without('id'))),
  },
  {
    id: 'create-202',
    summary: 'additions are a 202',
    violates: 'createBook.201',
    answer: changing('POST', LIST, (answer) => ({ ...answer, status: 202 })),
  },
  {
    id: 'create-one-id',
    summary: 'all new books have one id',
    violates: 'createBook.id',
    answer: changing('POST', LIST, (answer, _, { books }) => {
      books.delete(answer.value.id);
      books.set('new', { ...answer.value, id: 'new' });
      return { ...answer, value: { ...answer.value, id: 'new' }, headers: {} };
    }),
  },
  {
    id: 'create-nothing',
    summary: 'new books are not kept',
    violates: 'getBook.created',
    answer: changing('POST', LIST, (answer, _, { books }) => {
      books.delete(answer.value.id);
      return answer;
    }),
  },
  {
    id: 'create-title-reversed',
    summary: 'titles are kept backwards',
    violates: 'getBook.created',
    answer: changing('POST', LIST, (answer, _, { books }) => {
      books.set(answer.value.id, { ...answer.value, title: [...answer.value.title].reverse().join('') });
      return answer;
    }),
  },
  {
    id: 'create-price-lost',
    summary: 'a new price becomes null',
    violates: 'getBook.created',
    answer: changing('POST', LIST, (answer, _, { books }) => {
      books.set(answer.value.id, { ...answer.value, price: null });
      return answer;
    }),
  },
  {
    id: 'create-missing-title',
    summary: 'a body without a title is taken',
    violates: 'createBook.body',
    answer: (asked, _, shop) => {
      const sent = isOf(asked, 'POST', LIST) && asked.key === shop.apiKey ? parsed(asked.body) : undefined;
      if (!sent?.author || sent.title !== undefined) return undefined;
      return answerOf({ ...asked, body: JSON.stringify({ ...sent, title: 'Untitled' }) }, shop);
    },
  },
  {
    id: 'create-crashes',
    summary: 'a body without an author breaks the service',
    violates: 'createBook.responses',
    answer: (asked, _, { apiKey }) => {
      const sent = isOf(asked, 'POST', LIST) && asked.key === apiKey ? parsed(asked.body) : undefined;
      return sent?.title && sent.author === undefined ? problem(500, 'Oops') : undefined;
    },
  },
  {
    id: 'replace-nothing',
    summary: 'replacements are lost',
    violates: 'getBook.replaced',
    answer: (asked, usual, { books }) => {
      const before = books.get(asked.path.slice(7));
      const answer = isOf(asked, 'PUT', BOOK) ? usual() : undefined;
      if (answer?.status === 200) books.set(before.id, before);
      return answer;
    },
  },
  {
    id: 'replace-price-kept',
    summary: 'replacements keep the old price',
    violates: 'getBook.replaced',
    answer: (asked, usual, { books }) => {
      const before = books.get(asked.path.slice(7));
      const answer = isOf(asked, 'PUT', BOOK) ? usual() : undefined;
      if (answer?.status !== 200) return answer;
      const price = before.price ?? null;
      books.set(before.id, { ...answer.value, price });
      return answer;
    },
  },
  {
    id: 'replace-204',
    summary: 'replacements are a 204',
    violates: 'replaceBook.200',
    answer: changing('PUT', BOOK, () => ({ status: 204 })),
  },
  {
    id: 'change-nothing',
    summary: 'changes are lost',
    violates: 'getBook.replaced',
    answer: (asked, usual, { books }) => {
      const before = books.get(asked.path.slice(7));
      const answer = isOf(asked, 'PATCH', BOOK) ? usual() : undefined;
      if (answer?.status !== 200) return answer;
      books.set(before.id, before);
      return { ...answer, value: before };
    },
  },
  {
    id: 'remove-nothing',
    summary: 'removals remove nothing',
    violates: 'getBook.removed',
    answer: (asked, usual, { books }) => {
      const book = books.get(asked.path.slice(7));
      const answer = isOf(asked, 'DELETE', BOOK) ? usual() : undefined;
      if (answer?.status === 204) books.set(book.id, book);
      return answer;
    },
  },
  {
    id: 'remove-200',
    summary: 'removals are a 200',
    violates: 'removeBook.204',
    answer: changing('DELETE', BOOK, () => ({ status: 200, value: {} })),
  },
  {
    id: 'cover-200',
    summary: 'a new cover is a 200',
    violates: 'putCover.204',
    answer: changing('PUT', /\/cover$/, () => ({ status: 200, value: {} })),
  },
  {
    id: 'cover-needs-no-key',
    summary: 'covers need no key',
    violates: 'putCover.401',
    answer: letIn('PUT', /\/cover$/),
  },
  {
    id: 'problem-without-title',
    summary: 'problems lack a title',
    violates: 'Problem.title',
    finish: (answer) => (answer.status >= 400 ? { ...answer, value: { status: answer.status } } : answer),
  },
  {
    id: 'problem-other-status',
    summary: 'problems name another status',
    violates: 'problems.status',
    finish: (answer) =>
      answer.status >= 400 ? { ...answer, value: { ...answer.value, status: 400 } } : answer,
  },
  {
    id: 'problem-as-html',
    summary: 'problems are pages',
    violates: 'service.content-type',
    finish: (answer) =>
      answer.status === 401 ? { ...answer, type: 'text/html', text: '<p>no</p>' } : answer,
  },
  { id: 'limit-unsaid', summary: 'RateLimit is missing', violates: 'RateLimit', limitHeaders: () => ({}) },
  {
    id: 'limit-unenforced',
    summary: 'the limit is not enforced',
    violates: 'rate-limit.enforced',
    isUnlimited: true,
  },
  {
    id: 'limit-recovers-late',
    summary: 'Retry-After is too short',
    violates: 'rate-limit.recovery',
    retryAfter: (seconds) => Math.max(1, Math.floor(seconds / 3)),
  },
];
