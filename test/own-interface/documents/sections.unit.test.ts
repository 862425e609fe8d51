import { expect, test } from 'vitest';
import { type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const FILE = () =>
  documentWith(
    {
      '/projects': {
        get: {
          operationId: 'list',
          responses: { 200: { description: 'x', ...json({ type: 'array', items: ref('Project') }) } },
        },
        post: {
          operationId: 'make',
          requestBody: { required: true, ...json(ref('NewProject')) },
          responses: {
            201: { description: 'x', ...json(ref('Project')) },
            400: { description: 'x', ...json(ref('Problem')) },
          },
        },
      },
      '/projects/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'read',
          responses: {
            200: { description: 'x', ...json(ref('Project')) },
            404: { description: 'x', ...json(ref('Problem')) },
          },
        },
      },
    },
    {
      schemas: {
        NewProject: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        Project: {
          type: 'object',
          required: ['id', 'color'],
          properties: { id: { type: 'integer' }, color: { type: 'string' }, owner: ref('Owner') },
        },
        Owner: { type: 'object', properties: { city: { type: 'string' } } },
        Problem: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
      },
    },
  );

/** The name that a body has; undefined if it is not JSON. */
function nameIn(body: string): unknown {
  try {
    return JSON.parse(body).name;
  } catch {
    return undefined;
  }
}

/** A service whose additions alone show a color that is no text. */
function colorful() {
  const all: object[] = [{ id: 1, color: 'red' }];
  return ({ method, path, body }: Asked) => {
    const problem = { title: 'no' };
    if (method === 'POST') {
      if (typeof nameIn(body) !== 'string') return [400, problem] as const;
      all.push({ id: all.length + 1, color: 'blue' });
      return [201, { id: all.length, color: 5 }] as const;
    }
    if (path === '/projects') return [200, all] as const;
    const own = all[Number(path.split('/')[2]) - 1];
    return own ? ([200, own] as const) : ([404, problem] as const);
  };
}

test('what operations share stands under its schema, and a violation says in which operation it occurs', async () => {
  const { report, wrong } = await judged(FILE(), colorful(), { write: true });
  expect(wrong).toEqual(['Project.color']);
  const found = report.requirements.find(({ id }) => id === 'Project.color');
  expect(found).toMatchObject({
    section: 'Project',
    occurrences: [{ operation: 'make', request: 'POST /projects', status: 201 }],
  });
  const { deviating, of } = found?.occurrences?.[0] ?? {};
  expect([deviating, (deviating ?? 0) > 0]).toEqual([of, true]);
  const sections = new Map(report.requirements.map(({ id, section }) => [id, section]));
  expect(
    ['Project', 'Owner.city', 'Problem.title', 'make.201', 'list.200.body'].map((id) => sections.get(id)),
  ).toEqual(['Project', 'Owner', 'Problem', 'POST /projects', 'GET /projects']);
});

test('a section of an operation that was not sent counts no requests', async () => {
  const { report, asked } = await judged(FILE(), colorful());
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
  expect(report.sections?.find(({ name }) => name === 'POST /projects')).toEqual({
    name: 'POST /projects',
    requests: 0,
  });
});
