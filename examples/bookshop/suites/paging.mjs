import { eachExchange } from 'petspec/suite';

const isPage = ({ operation, validity, key }) =>
  operation === 'listBooks' && validity === 'valid' && key === 'valid';
const sizeOf = ({ probe }) => Number(probe.query.find(([name]) => name === 'limit')?.[1] ?? 20);

/** Paging: a page has each book once, and says whether it is the last. */
export const checks = [
  eachExchange({ requirement: 'books.distinct', probes: isPage }, ({ value }) => {
    const ids = value.items.map(({ id }) => id);
    const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (twice < 0) return ids.length > 1 ? 'held' : undefined;
    return {
      reason: 'a book is in the page twice',
      expected: 'each book once',
      received: `${ids[twice]} twice`,
      pointer: `/items/${twice}/id`,
    };
  }),

  eachExchange({ requirement: 'books.next', probes: isPage }, (page) => {
    const { items, next } = page.value;
    if (items.length >= sizeOf(page)) return undefined;
    if (next === null) return 'held';
    return {
      reason: 'a page that is not full has a next',
      expected: 'next: null',
      received: `next: ${next}`,
    };
  }),
];
