/** A problem as a response. */
export function problem(status, title) {
  return { status, value: { title, status } };
}

/** What a sound bookshop responds. */
export function answerOf(asked, shop) {
  const { method, path, key } = asked;
  if (key === undefined || ![shop.apiKey, shop.secondKey].includes(key))
    return problem(401, 'The key is not valid');
  if (path === '/books') return method === 'POST' ? create(asked, shop) : list(asked, shop);
  const [, id, cover] = /^\/books\/([^/]+)(\/cover)?$/.exec(path) ?? [];
  const book = id === undefined ? undefined : shop.books.get(decodeURIComponent(id));
  if (!book || !isSeen(book, key, shop)) return problem(404, 'Not found');
  if (cover) return putCover(asked, book);
  if (method === 'GET') return { status: 200, value: book };
  if (method === 'DELETE') {
    shop.books.delete(book.id);
    shop.removed.add(book.id);
    return { status: 204 };
  }
  return replace(asked, shop, book);
}

/** A book that a key added is a draft, which other keys do not see. */
function isSeen({ id }, key, { owners }) {
  return (owners.get(id) ?? key) === key;
}

/** A form with an image, which is a file. */
function putCover({ method, type = '', body }, book) {
  const isForm = /^multipart\/form-data; *boundary=/.test(type);
  const hasImage = /name="image"; filename="[^"]+"/.test(body);
  if (method !== 'PUT') return problem(404, 'Not found');
  if (!isForm || !hasImage) return problem(422, 'image is missing');
  book.hasCover = true;
  return { status: 204 };
}

const priceOf = ({ price }) => price ?? 0;

/** By the values of sort. A book without a price is a gift. */
const ORDERS = {
  title: (one, other) => (one.title < other.title ? -1 : 1),
  price: (one, other) => priceOf(one) - priceOf(other),
  '-price': (one, other) => priceOf(other) - priceOf(one),
};

function list({ query, key }, shop) {
  const limit = query.get('limit') ?? '20';
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 50)
    return problem(422, 'limit is not valid');
  const [binding, sort] = [query.get('binding'), query.get('sort')];
  if (![null, 'paper', 'cloth'].includes(binding) || ![null, 'title', 'price', '-price'].includes(sort))
    return problem(422, 'binding or sort is not valid');
  const selected = [...shop.books.values()].filter(
    (book) => isSeen(book, key, shop) && (binding === null || book.binding === binding),
  );
  const all = sort === null ? selected : selected.sort(shop.compare ?? ORDERS[sort]);
  const cursor = query.get('cursor');
  const start =
    cursor === null
      ? 0
      : Math.max(
          0,
          all.findIndex(({ id }) => id === cursor),
        );
  const items = all.slice(start, start + Number(limit));
  return { status: 200, value: { items, next: all[start + Number(limit)]?.id ?? null } };
}

function create({ body, key }, shop) {
  const sent = parsed(body);
  const wrong = wrongIn(sent, ['title', 'author']);
  if (wrong) return problem(422, wrong);
  if ([...shop.books.values()].some(({ title }) => title === sent.title))
    return problem(409, 'The title is taken');
  shop.last += 1;
  const book = { id: `b${shop.last}`, ...known(sent) };
  shop.books.set(book.id, book);
  shop.owners.set(book.id, key);
  return { status: 201, value: book, headers: { Location: `/books/${book.id}` } };
}

function replace({ method, body }, shop, book) {
  const sent = parsed(body);
  const wrong = wrongIn(sent, method === 'PUT' ? ['title', 'author'] : []);
  if (wrong) return problem(422, wrong);
  const changed = { ...(method === 'PATCH' ? book : { id: book.id }), ...known(sent) };
  shop.books.set(book.id, changed);
  return { status: 200, value: changed };
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FIELDS = ['title', 'author', 'price', 'binding'];

function known(sent) {
  return Object.fromEntries(
    FIELDS.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name]]),
  );
}

const isText = (value, most = Number.POSITIVE_INFINITY) =>
  typeof value === 'string' && value.length > 0 && [...value].length <= most;

const VALID = {
  title: (value) => isText(value, 80),
  author: (value) => isText(value) || (typeof value === 'object' && isText(value?.name)),
  price: (value) => value === null || (typeof value === 'number' && value >= 0 && value <= 1000),
  binding: (value) => value === 'paper' || value === 'cloth',
};

/** What is wrong with a body; undefined if nothing is. */
export function wrongIn(sent, required) {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return 'The body is not an object';
  const missing = required.find((name) => sent[name] === undefined);
  if (missing) return `${missing} is missing`;
  const wrong = FIELDS.find((name) => sent[name] !== undefined && !VALID[name](sent[name]));
  return wrong && `${wrong} is not valid`;
}
