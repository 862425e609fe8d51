import { answerOf, problem } from '../answers.mjs';
import { changing, isOf, LIST, withItems, without, withValue } from './changes.mjs';

/** As if another query had been sent, where the one that was sent is valid. */
const asking = (change) => (asked, usual, shop) =>
  isOf(asked, 'GET', LIST) && usual().status === 200
    ? answerOf({ ...asked, query: change(asked.query) }, shop)
    : undefined;
const ignoring = (name) =>
  asking((query) => new URLSearchParams([...query].filter(([each]) => each !== name)));

/** Lists of books: their pages, and the books in them. */
export const lists = [
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
    violates: 'listBooks.limit.page-size',
    answer: ignoring('limit'),
  },
  {
    id: 'list-one-more',
    summary: 'lists have one book too many',
    violates: 'listBooks.limit.page-size',
    answer: asking((query) => {
      const more = Number(query.get('limit') ?? 20) + 1;
      return new URLSearchParams([...query, ['limit', Math.min(50, more)]].toReversed());
    }),
  },
  {
    id: 'list-ignores-binding',
    summary: 'binding selects nothing',
    violates: 'listBooks.binding.filter',
    answer: ignoring('binding'),
  },
  {
    id: 'list-unsorted',
    summary: 'sort is ignored',
    violates: 'listBooks.sort.order',
    answer: ignoring('sort'),
  },
  {
    id: 'list-prices-as-texts',
    summary: 'prices are sorted as texts',
    violates: 'listBooks.sort.order',
    answer: (asked, _, shop) =>
      isOf(asked, 'GET', LIST) && asked.query.get('sort') === 'price'
        ? answerOf(asked, { ...shop, compare: (one, other) => (`${one.price}` < `${other.price}` ? -1 : 1) })
        : undefined,
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
        items: query.has('limit') || query.has('sort') ? page.items : [...page.items, page.items[0]],
      })),
    ),
  },
  {
    id: 'list-always-next',
    summary: 'a list that is whole has a next',
    violates: 'books.next',
    answer: changing(
      'GET',
      LIST,
      withValue((page, { query }) => ({ ...page, next: page.next ?? (query.has('limit') ? null : 'b9') })),
    ),
  },
  {
    id: 'pages-overlap',
    summary: 'each page begins with the last book of the one before',
    violates: 'listBooks.cursor.pages',
    answer: changing(
      'GET',
      LIST,
      withValue((page) => ({ ...page, next: page.next && (page.items.at(-1)?.id ?? null) })),
    ),
  },
  {
    id: 'pages-lose-one',
    summary: 'the first book of each page but the first is lost',
    violates: 'listBooks.cursor.pages',
    answer: changing(
      'GET',
      LIST,
      withValue((page, { query }) => ({ ...page, items: page.items.slice(query.has('cursor') ? 1 : 0) })),
    ),
  },
  {
    id: 'pages-without-end',
    summary: 'the last page leads to the first',
    violates: 'listBooks.cursor.pages',
    answer: changing(
      'GET',
      LIST,
      withValue((page, { query }) => ({ ...page, next: page.next ?? (query.has('cursor') ? 'b1' : null) })),
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
];
