import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const [KEY, SECOND] = ['a-key-of-anne-1234', 'a-key-of-bert-5678'];

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const note = {
  type: 'object',
  required: ['text'],
  properties: { id: { type: 'string', readOnly: true }, text: { type: 'string', minLength: 1 } },
};
const ok = { 200: { description: 'The note.', ...json(note) }, 404: { description: 'None.' } };
const paths = {
  '/notes': {
    get: {
      operationId: 'list',
      responses: { 200: { description: 'Notes.', ...json({ type: 'array', items: note }) } },
    },
    post: {
      operationId: 'add',
      requestBody: json(note),
      responses: { 201: { description: 'Added.', ...json(note) } },
    },
  },
  '/notes/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: { operationId: 'read', responses: ok },
    put: { operationId: 'replace', requestBody: json(note), responses: ok },
    patch: { operationId: 'change', requestBody: json(note), responses: ok },
    delete: {
      operationId: 'remove',
      responses: { 204: { description: 'Gone.' }, 404: { description: 'None.' } },
    },
  },
};
const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };

/** By method, or `list`: what another key than that of the owner gets in place of a 404; `done` does as the owner asks. `gone`: what the removal of a removed note gets. */
type Others = Readonly<Record<string, Answered | 'done'>>;

/** The text of a valid body; undefined for any other. */
function textIn(body: string): string | undefined {
  try {
    const { text } = JSON.parse(body) ?? {};
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Notes of two users, which each sees alone. */
function notes(others: Others) {
  const all = new Map<string, { id: string; text: string; owner: string }>();
  let last = 0;
  const shown = ({ owner: _, ...rest }: { id: string; text: string; owner: string }) => rest;
  return ({ method, path, headers, body }: Asked): Answered => {
    const owner = [KEY, SECOND].find((key) => headers.authorization === `Bearer ${key}`);
    if (owner === undefined) return [401];
    if (path === '/notes') {
      if (method === 'GET')
        return [
          200,
          [...all.values()].filter((each) => each.owner === owner || others.list === 'done').map(shown),
        ];
      const text = textIn(body);
      if (text === undefined) return [422];
      last += 1;
      const made = { id: `n${last}`, text, owner };
      all.set(made.id, made);
      return [201, shown(made)];
    }
    const own = all.get(path.slice(7));
    const other = own && own.owner !== owner ? others[method] : undefined;
    if (other !== undefined && other !== 'done') return other;
    if (!own && method === 'DELETE' && Array.isArray(others.gone)) return others.gone as unknown as Answered;
    if (!own || (own.owner !== owner && other === undefined)) return [404];
    if (method === 'DELETE') return all.delete(own.id) ? [204] : [404];
    const text = textIn(body);
    if (method !== 'GET' && text === undefined) return [422];
    own.text = text ?? own.text;
    return [200, shown(own)];
  };
}

async function runs(others: Others, secondKey: string | undefined = SECOND) {
  const file = documentWith(paths, components);
  writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"security":[{"key":[]}],'));
  return judged(file, notes(others), { apiKey: KEY, write: true, ...(secondKey ? { secondKey } : {}) });
}

const IDS = ['read', 'list', 'replace', 'change', 'remove'].map((operation) => `${operation}.other-key`);

test('a service that keeps its users apart is silent, and every requirement is met', async () => {
  const { wrong, met, asked } = await runs({});
  expect(wrong).toEqual([]);
  expect(met).toEqual(expect.arrayContaining(IDS));
  expect(asked.filter(({ headers }) => headers.authorization === `Bearer ${SECOND}`).length).toBe(5);
});

test.each([
  ['list', 'list'],
  ['GET', 'read'],
  ['PUT', 'replace'],
  ['PATCH', 'change'],
  ['DELETE', 'remove'],
])('%s with another key is an advisory', async (method, operation) => {
  const { wrong, report } = await runs({ [method]: 'done' });
  expect(wrong).toEqual([`${operation}.other-key`]);
  expect(report.verdict).not.toBe('non-conformant');
  const text = JSON.stringify(report);
  expect(text).toContain('$PETSPEC_SECOND_KEY');
  expect(text).toContain('# set PETSPEC_SECOND_KEY first: petspec does not store keys');
  expect(text).not.toContain(SECOND);
});

test('the script of a removal that another key came before with removes by that key first', async () => {
  const { wrong, report } = await runs({ DELETE: 'done', gone: [200, { text: 'gone' }] });
  expect(wrong).toContain('remove.204');
  const { reproduce } = report.requirements.find(({ id }) => id === 'remove.204') ?? {};
  const script = JSON.stringify(reproduce);
  expect(script.match(/DELETE/g), script).toHaveLength(2);
  expect(script.indexOf('$PETSPEC_SECOND_KEY'), script).toBeLessThan(script.lastIndexOf('DELETE'));
});

test('a change without effect after one that had some is not accused', async () => {
  const { wrong } = await runs({ PUT: 'done', PATCH: [200, { id: 'x', text: 'mine' }] });
  expect(wrong).toEqual(['replace.other-key']);
});

test.each<[string, Others]>([
  ['a removal that is repeated gets 204 and removes nothing', { DELETE: [204] }],
  ['a 403 that the document does not have', { GET: [403], PUT: [403], PATCH: [403], DELETE: [403] }],
  ['a change that is taken for another note', { PUT: [200, { id: 'x', text: 'mine' }] }],
])('%s: that conforms', async (_, others) => {
  const { wrong, asked } = await runs(others);
  expect(wrong).toEqual([]);
  const removed = asked.filter(
    ({ method, headers }) => method === 'DELETE' && headers.authorization === `Bearer ${KEY}`,
  );
  expect(removed.length).toBeGreaterThanOrEqual(2);
});

test('a second key that the service does not know tells nothing', async () => {
  const { wrong, untested } = await runs({}, 'a-key-of-nobody-9999');
  expect(wrong).toEqual([]);
  expect(untested).toEqual(expect.arrayContaining(IDS));
});

test('without a second key, nothing is sent for it', async () => {
  const { report, asked } = await runs({}, '');
  const left = report.narrowed.find(({ option }) => option === 'no --second-key');
  expect(left?.requirements).toEqual(IDS);
  expect(asked.every(({ headers }) => !headers.authorization?.includes('bert'))).toBe(true);
});

/** Notes for whose operations a client and a user need a key each. */
async function runsTogether(others: Others, secondKeys: Record<string, string> | undefined) {
  const client = { type: 'apiKey', in: 'header', name: 'X-Client' };
  const file = documentWith(paths, { securitySchemes: { ...components.securitySchemes, client } });
  writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"security":[{"client":[],"key":[]}],'));
  const keys = { client: 'a-client-of-both', key: KEY };
  const answer = notes(others);
  const lets = (asked: Asked): Answered =>
    asked.headers['x-client'] === keys.client ? answer(asked) : [401];
  return judged(file, lets, { write: true, keys, ...(secondKeys ? { secondKeys } : {}) });
}

const OF_BERT = { client: 'a-client-of-both', key: SECOND };

test('several keys together: a second set of them is another user', async () => {
  const apart = await runsTogether({}, OF_BERT);
  expect(apart.wrong).toEqual([]);
  expect(apart.met).toEqual(expect.arrayContaining(IDS));
  const { wrong, report } = await runsTogether({ GET: 'done' }, OF_BERT);
  expect(wrong).toEqual(['read.other-key']);
  const { reproduce } = report.requirements.find(({ id }) => id === 'read.other-key') ?? {};
  const script = JSON.stringify(reproduce);
  expect(script).toContain('$PETSPEC_SECOND_KEY_KEY');
  expect(script).toContain('$PETSPEC_SECOND_KEY_CLIENT');
  for (const secret of [KEY, SECOND, OF_BERT.client]) expect(JSON.stringify(report)).not.toContain(secret);
});

test('several keys together: without a whole second set, nothing is asked as another user', async () => {
  for (const [secondKeys, missing] of [
    [undefined, ['no PETSPEC_SECOND_KEY_CLIENT', 'no PETSPEC_SECOND_KEY_KEY']],
    [{ key: SECOND }, ['no PETSPEC_SECOND_KEY_CLIENT']],
  ] as const) {
    const { report, asked, met, wrong } = await runsTogether({ GET: 'done' }, secondKeys);
    expect(wrong).toEqual([]);
    expect(met.filter((id) => IDS.includes(id))).toEqual([]);
    expect(report.narrowed.map(({ option }) => option)).toEqual(missing);
    expect(asked.filter(({ headers }) => headers.authorization === `Bearer ${SECOND}`)).toEqual([]);
  }
});
