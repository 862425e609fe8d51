import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../documents/folder.ts';
import { type Answered, type Asked, startRecorded } from '../recorded/recorded.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const shelfId = { name: 'shelfId', in: 'path', required: true, schema: { type: 'integer' } };
const bookId = { name: 'bookId', in: 'path', required: true, schema: { type: 'integer' } };
const said = (status: number, schema?: object) => ({
  [status]: { description: 'x', ...(schema ? json(schema) : {}) },
});

/** Shelves with books: what can be created, replaced, changed and removed, and what must not be touched. */
const SHELVES = {
  openapi: '3.1.0',
  info: { title: 'Shelves', version: '1.0.0' },
  paths: {
    '/shelves': {
      get: { operationId: 'listShelves', responses: said(200, { type: 'array', items: ref('Shelf') }) },
      post: {
        operationId: 'createShelf',
        requestBody: { required: true, ...json(ref('NewShelf')) },
        responses: { ...said(201, ref('Shelf')), ...said(422) },
      },
      delete: { operationId: 'removeAllShelves', responses: said(204) },
    },
    '/shelves/{shelfId}': {
      parameters: [shelfId],
      get: { operationId: 'getShelf', responses: { ...said(200, ref('Shelf')), ...said(404) } },
      put: {
        operationId: 'replaceShelf',
        requestBody: { required: true, ...json(ref('NewShelf')) },
        responses: { ...said(200, ref('Shelf')), ...said(404) },
      },
      delete: { operationId: 'removeShelf', responses: { ...said(204), ...said(404) } },
    },
    '/shelves/{shelfId}/burn': {
      post: { operationId: 'burnShelf', parameters: [shelfId], responses: said(204) },
    },
    '/shelves/{shelfId}/books': {
      parameters: [shelfId],
      post: {
        operationId: 'createBook',
        requestBody: { required: true, ...json(ref('NewBook')) },
        responses: { ...said(201), ...said(400) },
      },
    },
    '/shelves/{shelfId}/books/{bookId}': {
      parameters: [shelfId, bookId],
      get: { operationId: 'getBook', responses: { ...said(200, ref('Book')), ...said(404) } },
      patch: {
        operationId: 'changeBook',
        requestBody: { required: true, ...json({ type: 'object', properties: { title: text } }) },
        responses: said(200, ref('Book')),
      },
      delete: { operationId: 'removeBook', responses: said(204) },
    },
    '/mails': { post: { operationId: 'sendMail', responses: said(201) } },
    '/owners/{ownerId}': {
      delete: {
        operationId: 'removeOwner',
        parameters: [{ name: 'ownerId', in: 'path', required: true, schema: { type: 'string' } }],
        responses: said(204),
      },
    },
  },
  components: {
    schemas: {
      NewShelf: {
        type: 'object',
        required: ['name'],
        properties: {
          name: text,
          kind: { type: 'string', enum: ['wood', 'steel'] },
          mail: { type: 'string', format: 'email' },
        },
      },
      Shelf: {
        allOf: [
          ref('NewShelf'),
          { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        ],
      },
      NewBook: {
        type: 'object',
        required: ['title'],
        properties: { title: text, pages: { type: 'integer', minimum: 1 } },
      },
      Book: {
        allOf: [
          ref('NewBook'),
          { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        ],
      },
    },
  },
};

/** How a service with shelves differs from a sound one: another answer to some requests. */
export type Difference = (asked: Asked, usual: () => Answered, store: Store) => Answered | undefined;

type Thing = Record<string, unknown>;
/** The things by their paths. */
export type Store = Map<string, Thing>;

/** A service with one shelf of somebody else's. It fails the test with what it must never get. */
export async function startShelves(difference: Difference = () => undefined) {
  const store: Store = new Map([['/shelves/1', { id: 1, name: 'of somebody else' }]]);
  const own = new Set<string>();
  const unsafe: string[] = [];
  let last = 1;
  const usual = ({ method, path, body }: Asked): Answered => {
    const isCollection = /^\/shelves(?:\/\d+\/books)?$/.test(path);
    if (isCollection && method === 'GET')
      return {
        status: 200,
        value: [...store].filter(([key]) => /^\/shelves\/\d+$/.test(key)).map(([, each]) => each),
      };
    if (isCollection && method === 'POST') {
      const sent = parsed(body);
      const isBook = path.endsWith('/books');
      if (!isValid(sent, isBook)) return { status: isBook ? 400 : 422 };
      last += 1;
      const thing = { ...sent, id: last };
      store.set(`${path}/${last}`, thing);
      own.add(`${path}/${last}`);
      const location = { Location: `${path}/${last}` };
      return isBook ? { status: 201, headers: location } : { status: 201, value: thing, headers: location };
    }
    const burnt = path.endsWith('/burn') && store.has(path.slice(0, -'/burn'.length));
    if (burnt) return { status: 204 };
    const thing = store.get(path);
    if (!thing) return { status: 404 };
    if (method === 'GET') return { status: 200, value: thing };
    if (method === 'DELETE') {
      for (const key of store.keys()) if (key === path || key.startsWith(`${path}/`)) store.delete(key);
      return { status: 204 };
    }
    const changed = { ...(method === 'PATCH' ? thing : {}), ...parsed(body), id: thing.id };
    store.set(path, changed);
    return { status: 200, value: changed };
  };
  const service = await startRecorded((asked) => {
    const { method, path } = asked;
    const isCreation =
      method === 'POST' && (path === '/shelves' || own.has(path.replace(/\/(?:books|burn)$/, '')));
    if (method !== 'GET' && !isCreation && !own.has(path)) unsafe.push(`${method} ${path}`);
    return difference(asked, () => usual(asked), store) ?? usual(asked);
  });
  return { ...service, store, unsafe };
}

function parsed(text: string): Thing | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isValid(sent: Thing | undefined, isBook: boolean): sent is Thing {
  if (typeof sent !== 'object' || sent === null) return false;
  const name = isBook ? sent.title : sent.name;
  const isText = typeof name === 'string' && name.length > 0 && name.length <= 60;
  const isKind = sent.kind === undefined || ['wood', 'steel'].includes(String(sent.kind));
  const isMail = sent.mail === undefined || typeof sent.mail === 'string';
  const arePages = sent.pages === undefined || (Number.isInteger(sent.pages) && Number(sent.pages) >= 1);
  return isText && isKind && isMail && arePages;
}

/** A folder with the document of the shelves, and other files. */
export function shelvesFolder(
  files: Readonly<Record<string, string>> = {},
  document: object = SHELVES,
): string {
  const folder = folderWith(files);
  writeFileSync(join(folder, 'openapi.yaml'), JSON.stringify(document));
  return folder;
}
