import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const named = { name: { type: 'string', minLength: 1 }, size: { type: 'integer', minimum: 1 } };
const THING = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'string' }, ...named } };
const NEW = { type: 'object', required: ['name', 'size'], properties: named };
const inJson = (schema: object) => ({ content: { 'application/json': { schema } } });

/** Things whose creation asks for a header with this schema. */
function document(schema: object, example?: string): string {
  const header = { name: 'Idempotency-Key', in: 'header', required: true, schema, example };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  return documentWith({
    '/things': {
      get: { responses: { 200: { description: 'x', ...inJson({ type: 'array', items: THING }) } } },
      post: {
        parameters: [header],
        requestBody: { required: true, ...inJson(NEW) },
        responses: { 201: { description: 'x', ...inJson(THING) }, 422: { description: 'x' } },
      },
    },
    '/things/{id}': {
      parameters: [id],
      get: { responses: { 200: { description: 'x', ...inJson(THING) }, 404: { description: 'x' } } },
      delete: { responses: { 204: { description: 'x' } } },
    },
  });
}

/** A service that answers a key that it knows with its first response to it. */
function startReplaying() {
  const things = new Map<string, object>();
  const known = new Map<string, Answered>();
  return ({ method, path, headers, body }: Asked): Answered => {
    const id = path.split('/')[2] ?? '';
    if (path === '/things' && method === 'GET') return [200, [...things.values()]];
    if (path !== '/things' && method === 'DELETE') return [things.delete(id) ? 204 : 404];
    if (path !== '/things') return things.has(id) ? [200, things.get(id)] : [404];
    const key = headers['idempotency-key'] ?? '';
    const replayed = known.get(key);
    if (replayed) return replayed;
    const { name, size } = body.startsWith('{"') && body.endsWith('}') ? JSON.parse(body) : {};
    if (typeof name !== 'string' || name === '' || !Number.isInteger(size) || size < 1) return [422];
    const thing = { id: `t${things.size + known.size}`, name, size };
    things.set(thing.id, thing);
    known.set(key, [201, thing]);
    return [201, thing];
  };
}

const keysIn = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);

test.each([{ type: 'string', format: 'uuid' }, { type: 'string' }])(
  'each creation has a value of its own of a header with the schema %j, in every run',
  async (schema) => {
    const path = document(schema);
    const answer = startReplaying();
    const sent: (string | undefined)[] = [];
    for (const _ of [1, 2]) {
      const { wrong, asked, report } = await judged(path, answer, { write: true });
      expect([wrong, report.verdict]).toEqual([[], 'conformant']);
      sent.push(...keysIn(asked));
    }
    expect(sent.length).toBeGreaterThan(8);
    expect(new Set(sent).size).toBe(sent.length);
  },
);

test('a value that the document states is sent as it is', async () => {
  const { asked } = await judged(document({ type: 'string' }, 'k1'), startReplaying(), { write: true });
  expect(new Set(keysIn(asked))).toEqual(new Set(['k1']));
});
