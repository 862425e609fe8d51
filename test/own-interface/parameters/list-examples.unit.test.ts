import { expect, test } from 'vitest';
import { type Asked, documentWith, judged } from '../small-service.ts';

const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
};
const NOTES = { description: 'x', content: { 'application/json': { schema: NOTE } } };
const STEP = {
  type: 'object',
  required: ['op', 'path'],
  properties: { op: { enum: ['add', 'replace'] }, path: { type: 'string' }, value: {} },
};
/** What petspec sends as malformed JSON. */
const MALFORMED = '{"';
const STEPS = [{ op: 'replace', path: '/text', value: 'Ann' }];

/** Notes that are changed by a list of steps (RFC 6902). */
function notes(media: object): string {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const patched = { required: true, content: { 'application/json-patch+json': media } };
  const posted = { required: true, content: { 'application/json': { schema: NOTE } } };
  return documentWith({
    '/notes': { post: { requestBody: posted, responses: { 201: NOTES } } },
    '/notes/{id}': {
      parameters: [id],
      get: { responses: { 200: NOTES, 404: { description: 'x' } } },
      patch: { requestBody: patched, responses: { 200: NOTES, 400: { description: 'x' } } },
      delete: { responses: { 204: { description: 'x' } } },
    },
  });
}

function service() {
  const kept = new Map<string, { id: number; text: string }>();
  return ({ method, path, body }: Asked) => {
    if (body === MALFORMED) return [400] as const;
    const note = kept.get(path);
    if (method === 'POST') {
      const id = kept.size + 1;
      kept.set(`/notes/${id}`, { ...JSON.parse(body), id });
      return [201, kept.get(`/notes/${id}`)] as const;
    }
    if (!note) return [404] as const;
    if (method === 'DELETE') return [kept.delete(path) ? 204 : 404] as const;
    if (method === 'PATCH' && body !== JSON.stringify(STEPS)) return [400] as const;
    if (method === 'PATCH') note.text = 'Ann';
    return [200, note] as const;
  };
}

test.each([
  ['the media type', { schema: { type: 'array', minItems: 1, items: STEP }, example: STEPS }],
  ['the schema', { schema: { type: 'array', minItems: 1, items: STEP, example: STEPS } }],
])('a body that is a list is the example of %s, with its optional fields', async (_, media) => {
  const { met, asked } = await judged(notes(media), service(), { write: true });
  const sent = asked.filter(({ method, body }) => method === 'PATCH' && body !== MALFORMED);
  expect([...new Set(sent.map(({ body }) => JSON.parse(body)[0]?.value))]).toEqual(['Ann']);
  expect(met).toContain('PATCH /notes/{id}.200');
});
