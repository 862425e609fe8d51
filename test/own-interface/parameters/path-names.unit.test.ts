import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const inPath = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } }));
const shown = json({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } });
const created = { responses: { 201: { description: 'x', ...shown } } };
const removed = { responses: { 204: { description: 'x' } } };
const read = { responses: { 200: { description: 'x', ...shown }, 404: { description: 'x' } } };
const list = (properties: object) => {
  const items = { type: 'object', properties };
  return { get: { responses: { 200: { description: 'x', ...json({ type: 'array', items }) } } } };
};
const body = (...names: string[]) => ({
  requestBody: json({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
  }),
});

/** Rooms, and their bookings and doors. Each path has another name for the same id, as frameworks export it. */
const ROOMS = {
  '/rooms': { post: created },
  '/rooms/{id}': { parameters: inPath('id'), get: read, delete: removed },
  '/rooms/{room}/door': {
    parameters: inPath('room'),
    put: { ...body('height'), responses: { 200: { description: 'x' } } },
  },
  '/rooms/{roomId}/bookings': { parameters: inPath('roomId'), post: { ...body('roomId'), ...created } },
  '/rooms/{of}/bookings/{id}': { parameters: inPath('of', 'id'), get: read, delete: removed },
};

/** A service that knows each thing by its path. */
function rooms(store = new Map<string, { id: number }>()) {
  let last = 10;
  const answer = ({ method, path }: Asked): Answered => {
    const above = path.replace(/\/(?:bookings|door)$/, '');
    if (/\/\d+\/[a-z]+$/.test(path) && !store.has(above)) return [404];
    if (method === 'PUT') return [200];
    if (method === 'POST') {
      last += 1;
      store.set(`${path}/${last}`, { id: last });
      return [201, { id: last }];
    }
    const thing = store.get(path);
    if (!thing) return [404];
    return method === 'DELETE' && store.delete(path) ? [204] : [200, thing];
  };
  return { store, answer };
}

test('the paths below a thing may name its id in another way', async () => {
  const { store, answer } = rooms();
  const { report, asked, met } = await judged(documentWith(ROOMS), answer, { write: true });
  expect(report.verdict).toBe('conformant');
  expect(met).toEqual(
    expect.arrayContaining([
      'GET /rooms/{of}/bookings/{id}.removed',
      'PUT /rooms/{room}/door.200',
      'POST /rooms/{roomId}/bookings.201',
    ]),
  );
  expect([...store.keys()]).toEqual([]);
  const bookings = asked.filter(({ body: sent }) => /^\{"roomId":\d+\}$/.test(sent));
  expect(bookings.length).toBeGreaterThan(0);
  for (const { path, body: sent } of bookings)
    expect(path).toBe(`/rooms/${JSON.parse(sent).roomId}/bookings`);
});

test('what is below a thing of somebody else is not created there', async () => {
  const { '/rooms': _, ...others } = ROOMS;
  const { asked } = await judged(
    documentWith({
      ...others,
      '/rooms': { get: { responses: { 200: { description: 'x', ...json({ type: 'array' }) } } } },
    }),
    ({ path }) => (path === '/rooms' ? [200, [{ id: 1 }]] : [404]),
    { write: true },
  );
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const SHALLOW = {
  '/files/{id}': { parameters: inPath('id'), get: read },
  '/folders': list({ id: { type: 'integer' } }),
  '/folders/{folderId}/files': { parameters: inPath('folderId'), ...list({ id: { type: 'integer' } }) },
};

test.each([
  ['the only list of files', {}, ['/files/7']],
  [
    'one of two lists of files',
    { '/users/{id}/files': { parameters: inPath('id'), ...list({ id: { type: 'integer' } }) } },
    ['/files/7'],
  ],
])('what is listed below something else may be at the top: %s', async (_, more, expected) => {
  const { asked } = await judged(documentWith({ ...SHALLOW, ...more }), ({ path }) => {
    if (path === '/folders') return [200, [{ id: 3 }]];
    if (path === '/folders/3/files') return [200, [{ id: 7 }]];
    return path === '/files/7' ? [200, { id: 7 }] : [404];
  });
  const files = asked.map(({ path }) => path).filter((path) => path === '/files/7');
  expect([...new Set(files)]).toEqual(expected);
});

test('the entries of a list may have several forms, and one of them the id', async () => {
  const entry = {
    oneOf: [
      { type: 'object', required: ['company'], properties: { company: { type: 'string' } } },
      { type: 'object', properties: { bookingId: { type: 'integer' }, guest: { type: 'string' } } },
    ],
  };
  const { asked, report } = await judged(
    documentWith({
      '/bookings': {
        get: { responses: { 200: { description: 'x', ...json({ type: 'array', items: entry }) } } },
      },
      '/bookings/{bookingId}': { parameters: inPath('bookingId'), get: read },
    }),
    ({ path }) => {
      if (path === '/bookings') return [200, [{ bookingId: 7, guest: 'Ann' }]];
      return path === '/bookings/7' ? [200, { id: 7 }] : [404];
    },
  );
  expect(asked.map(({ path }) => path)).toContain('/bookings/7');
  expect(report.verdict).toBe('conformant');
});

test('what is created with an id of a wrong form, and not found by it, is one finding', async () => {
  const text = { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^R' } } };
  const post = { responses: { 201: { description: 'x', ...json(text) } } };
  let last = 0;
  const { wrong } = await judged(
    documentWith({ '/rooms': { post }, '/rooms/{id}': ROOMS['/rooms/{id}'] }),
    ({ method }) => {
      last += 1;
      return method === 'POST' ? [201, { id: `${last}` }] : [404];
    },
    { write: true },
  );
  expect(wrong).toEqual(['POST /rooms.201.body.id']);
});
