import { answerOf, parsed, problem } from '../answers.mjs';
import { BOOK, changing, isOf, LIST, without, withValue } from './changes.mjs';

/** Books that are fetched, added, replaced, changed and removed. */
export const books = [
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
    answer: changing('POST', LIST, (answer, { key }, { books, owners }) => {
      books.delete(answer.value.id);
      books.set('new', { ...answer.value, id: 'new' });
      owners.set('new', key);
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
    id: 'create-title-cut',
    summary: 'titles are cut to 60 characters',
    violates: 'getBook.created',
    answer: changing('POST', LIST, (answer, _, { books }) => {
      books.set(answer.value.id, { ...answer.value, title: answer.value.title.slice(0, 60) });
      return answer;
    }),
  },
  {
    id: 'create-long-title',
    summary: 'a title of more than 80 characters is taken, and cut',
    violates: 'createBook.body',
    answer: (asked, _, shop) => {
      const sent = isOf(asked, 'POST', LIST) && asked.key === shop.apiKey ? parsed(asked.body) : undefined;
      if (typeof sent?.title !== 'string' || sent.title.length <= 80) return undefined;
      return answerOf({ ...asked, body: JSON.stringify({ ...sent, title: sent.title.slice(0, 80) }) }, shop);
    },
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
    id: 'change-resets',
    summary: 'changes drop the binding if they do not name it',
    violates: 'getBook.replaced',
    answer: (asked, usual, { books }) => {
      const answer = isOf(asked, 'PATCH', BOOK) ? usual() : undefined;
      if (answer?.status !== 200 || 'binding' in parsed(asked.body)) return answer;
      const book = without('binding')(answer.value);
      books.set(book.id, book);
      return { ...answer, value: book };
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
    id: 'remove-again-200',
    summary: 'the removal of what was removed before is a 200',
    violates: 'removeBook.204',
    answer: (asked, _, { removed }) =>
      isOf(asked, 'DELETE', BOOK) && removed.has(asked.path.slice(7))
        ? { status: 200, value: {} }
        : undefined,
  },
  {
    id: 'cover-200',
    summary: 'a new cover is a 200',
    violates: 'putCover.204',
    answer: changing('PUT', /\/cover$/, () => ({ status: 200, value: {} })),
  },
];
