import { type Answered, type Asked, documentWith } from '../small-service.ts';

const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 60 } },
};
const json = { content: { 'application/json': { schema: THING } } };
const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const no = { description: 'No.' };

/** A document of things that are changed and removed only with a precondition. */
export function thingsWith(name: string): string {
  const body = {
    required: true,
    content: {
      'application/json': {
        schema: { ...THING, required: ['name'], properties: { name: THING.properties.name } },
      },
    },
  };
  return documentWith(
    {
      '/things': {
        post: {
          operationId: 'create',
          requestBody: body,
          responses: { 201: { description: 'x', ...json }, 400: no },
        },
        get: {
          operationId: 'list',
          responses: {
            200: {
              description: 'x',
              content: { 'application/json': { schema: { type: 'array', items: THING } } },
            },
          },
        },
      },
      '/things/{id}': {
        parameters: [id],
        get: { operationId: 'get', responses: { 200: { description: 'x', ...json }, 404: no } },
        put: {
          operationId: 'change',
          parameters: [header(name)],
          security: [{ key: [] }],
          requestBody: body,
          responses: { 200: { description: 'x', ...json }, 400: no, 401: no, 404: no },
        },
        delete: {
          operationId: 'remove',
          parameters: [header(name)],
          security: [{ key: [] }],
          responses: { 204: { description: 'x' }, 401: no, 404: no },
        },
      },
    },
    { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  );
}

/** A service with versions: it changes a thing only for a request that knows its version. */
export function versioned({ looksFirst = true } = {}) {
  const things = new Map<string, { id: number; name: string; version: number }>();
  return ({ method, path, headers, body }: Asked): Answered => {
    const shown = ({ version, ...thing }: { id: number; name: string; version: number }) => thing;
    if (path === '/things' && method === 'GET') return [200, [...things.values()].map(shown)];
    if (path === '/things') {
      const name = nameIn(body);
      if (name === undefined) return [400];
      const made = { name, id: things.size + 1, version: 1 };
      things.set(String(made.id), made);
      return [201, shown(made), { etag: '"1"' }];
    }
    const thing = things.get(path.slice('/things/'.length));
    const isMatching = () => {
      const wanted = headers['if-match'];
      return wanted === `"${thing?.version}"` ? undefined : ([wanted === undefined ? 428 : 412] as const);
    };
    if (method !== 'GET') {
      const wrong = looksFirst ? isMatching() : undefined;
      if (wrong) return wrong;
      if (headers.authorization !== 'Bearer k-91') return [401];
    }
    if (!thing) return [404];
    if (method === 'GET') return [200, shown(thing), { etag: `"${thing.version}"` }];
    const wrong = isMatching();
    if (wrong) return wrong;
    if (method === 'DELETE') {
      things.delete(String(thing.id));
      return [204];
    }
    const name = nameIn(body);
    if (name === undefined) return [400];
    thing.name = name;
    thing.version += 1;
    return [200, shown(thing), { etag: `"${thing.version}"` }];
  };
}

function nameIn(body: string): string | undefined {
  try {
    const { name } = JSON.parse(body);
    return typeof name === 'string' && name.length <= 60 ? name : undefined;
  } catch {
    return undefined;
  }
}

/** How a run judges it. */
export const WRITING = { write: true, apiKey: 'k-91' };
