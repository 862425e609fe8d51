import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const body = (schema: object) => ({ requestBody: { required: true, ...json(schema) } });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
const none = { 404: { description: 'x' } };
const bad = { 400: { description: 'x' } };

/** Labels, created and replaced with bodies that may state an id. @param around the schema of a body, given that of a label */
function labels(fields: object, required: readonly string[], around = (label: object) => label) {
  const label = around({ type: 'object', required: ['text', ...required], properties: fields });
  const shown = around({ type: 'object', required: ['text', 'id'], properties: fields });
  return documentWith({
    '/labels': { post: { ...body(label), responses: { 201: { description: 'x', ...json(shown) }, ...bad } } },
    '/labels/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: { description: 'x', ...json(shown) }, ...none } },
      put: { ...body(label), responses: { 200: { description: 'x', ...json(shown) }, ...bad, ...none } },
      delete: { responses: { 204: { description: 'x' }, ...none } },
    },
  });
}

const FIELDS = { id: { type: 'integer' }, text: { type: 'string' } };

interface Label {
  id?: number;
  text: string;
}

/** A service that assigns ids. @param refuses whether it refuses a replacement, by the id of the address and what was sent */
function service(
  refuses: (id: number, sent: Label) => boolean,
  isIdRequired: boolean,
  open = (value: Record<string, unknown>): unknown => value,
  wrap = (label: Label): unknown => label,
) {
  const store = new Map<number, Label>();
  let last = 0;
  const read = (text: string): Label | undefined => {
    try {
      const sent = open(JSON.parse(text)) as Label;
      const isId = Number.isInteger(sent?.id) || (!isIdRequired && sent?.id === undefined);
      return isId && typeof sent.text === 'string' ? sent : undefined;
    } catch {
      return undefined;
    }
  };
  return ({ method, path, body: text }: Asked): Answered => {
    const id = Number(path.split('/')[2]);
    const sent = read(text);
    if (method === 'POST') {
      if (!sent) return [400];
      last += 1;
      store.set(last, { ...sent, id: last });
      return [201, wrap({ ...sent, id: last })];
    }
    const label = store.get(id);
    if (!label) return [404];
    if (method === 'GET') return [200, wrap(label)];
    if (method === 'DELETE') return store.delete(id) ? [204] : [404];
    if (!sent || refuses(id, sent)) return [400];
    store.set(id, { ...sent, id });
    return [200, wrap({ ...sent, id })];
  };
}

test.each([
  ['an id may be in a body', [], undefined],
  ['an id has to be in a body', ['id'], undefined],
  ['an id has to be in an object of a body', ['id'], 'data'],
])('%s: it is the one of the address', async (_, required, wrapper) => {
  const path = labels(FIELDS, required, (label) =>
    wrapper ? { type: 'object', required: [wrapper], properties: { [wrapper]: label } } : label,
  );
  const { report, wrong, met, asked } = await judged(
    path,
    service(
      (id, sent) => sent.id !== id,
      required.length > 0,
      (value) => (wrapper ? value[wrapper] : value),
      (label) => (wrapper ? { [wrapper]: label } : label),
    ),
    { write: true, strict: true },
  );
  expect(wrong).toEqual([]);
  expect([report.verdict, report.because]).toEqual(['conformant', expect.anything()]);
  expect(met).toContain('GET /labels/{id}.replaced');
  const creations = asked.filter(({ method }) => method === 'POST').map((each) => each.body);
  expect(creations.some((each) => /"id":\d/.test(each))).toBe(required.length > 0);
});

test('an id that the service assigns is no value that it lost', async () => {
  const path = labels(FIELDS, ['id']);
  const ids = ['created', 'replaced'].map((each) => `GET /labels/{id}.${each}`);
  const sentences = ids.map(
    (id) => `  - { id: '${id}', level: must, section: Labels, statement: A sentence. }\n`,
  );
  writeFileSync(join(dirname(path), 'requirements.yaml'), `requirements:\n${sentences.join('')}`);
  const { wrong, met } = await judged(
    dirname(path),
    service(() => false, true),
    { write: true },
  );
  expect(wrong).toEqual([]);
  expect(met).toEqual(expect.arrayContaining(ids));
});

test('a body below another thing states the id of the one in its address', async () => {
  const board = { type: 'object', required: ['boardId'], properties: { boardId: { type: 'integer' } } };
  const card = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string' }, boardId: { type: 'integer' } },
  };
  const shown = { type: 'object', required: ['cardId'], properties: { cardId: { type: 'integer' } } };
  const path = documentWith({
    '/boards': {
      post: { ...body({ type: 'object' }), responses: { 201: { description: 'x', ...json(board) } } },
    },
    '/boards/{boardId}': {
      parameters: [inPath('boardId')],
      delete: { responses: { 204: { description: 'x' } } },
    },
    '/boards/{boardId}/cards': {
      parameters: [inPath('boardId')],
      post: { ...body(card), responses: { 201: { description: 'x', ...json(shown) }, ...bad } },
    },
    '/boards/{boardId}/cards/{cardId}': {
      parameters: [inPath('boardId'), inPath('cardId')],
      delete: { responses: { 204: { description: 'x' } } },
    },
  });
  let last = 10;
  const { asked } = await judged(
    path,
    ({ method, path: to }) => {
      if (method !== 'POST') return [204];
      last += 1;
      return [201, { [to.endsWith('cards') ? 'cardId' : 'boardId']: last }];
    },
    { write: true },
  );
  const stated = asked.flatMap(({ method, path: to, body: text }) => {
    const own = /"boardId":(\d+)/.exec(text)?.[1];
    return method === 'POST' && own ? [[to, own]] : [];
  });
  expect(stated.length).toBeGreaterThan(0);
  expect(stated.filter(([to, own]) => to !== `/boards/${own}/cards`)).toEqual([]);
});
