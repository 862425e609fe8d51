import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const no = { description: 'No.' };

/** Things that are changed only by whoever knows their version. @param of the name of the version, and what it is */
function documentOf([name, version]: readonly [string, object]): string {
  const fields = { name: { type: 'string' }, [name]: version };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const body = (properties: object) => ({
    required: true,
    ...json({ type: 'object', required: Object.keys(properties), properties }),
  });
  const thing = {
    description: 'x',
    ...json({ type: 'object', properties: { id: { type: 'integer' }, ...fields } }),
  };
  const responses = { 200: thing, 400: no, 404: no };
  return documentWith({
    '/things': {
      post: {
        operationId: 'make',
        requestBody: body({ name: fields.name }),
        responses: { 201: thing, 400: no },
      },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses: { 200: thing, 404: no } },
      put: { operationId: 'put', requestBody: body(fields), responses },
      patch: { operationId: 'patch', requestBody: body(fields), responses },
    },
  });
}

/** A service that refuses a change with another version than the thing has. @param stored what it makes of a change */
function service(
  field: string,
  versionOf: (count: number) => unknown,
  stored = (sent: object, _old: object) => sent,
) {
  const things: Record<string, unknown>[] = [];
  let count = 0;
  const next = () => {
    count += 1;
    return versionOf(count);
  };
  return ({ method, path, body }: Asked): Answered => {
    const sent = fieldsOf(body);
    if (method !== 'GET' && typeof sent?.name !== 'string') return [400];
    if (method === 'POST') {
      things.push({ id: things.length + 1, ...sent, [field]: next() });
      return [201, things.at(-1)];
    }
    const index = Number(path.split('/')[2]) - 1;
    const old = things[index];
    if (!old) return [404];
    if (method === 'GET') return [200, old];
    if (sent?.[field] !== old[field]) return [409];
    const changed = { ...old, ...stored({ ...sent }, old), [field]: next() };
    things[index] = changed;
    return [200, { ...changed, ...sent, [field]: changed[field] }];
  };
}

function fieldsOf(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const VERSIONS: [name: string, schema: object, versionOf: (count: number) => unknown][] = [
  ['version', { type: 'integer' }, (count) => 40 + count],
  ['lock_version', { type: 'integer' }, (count) => count],
  ['_rev', { type: 'string' }, (count) => `${count}-a7`],
  ['etag', { type: 'string', format: 'uuid' }, (count) => `6f0c5a0e-3a53-4f6e-9a77-0b8d1c2e3f${40 + count}`],
];

test.each(VERSIONS)('a change states the %s that was read last', async (name, schema, versionOf) => {
  const path = documentOf([name, schema]);
  const { report, wrong, met } = await judged(path, service(name, versionOf), { write: true });
  expect([report.verdict, wrong]).toEqual(['conformant', []]);
  expect(met).toEqual(expect.arrayContaining(['put.200', 'patch.200', 'read.replaced']));
});

test('a change that is lost is found all the same', async () => {
  const [[name, schema, versionOf] = ['', {}, Number]] = VERSIONS;
  const lost = service(name, versionOf, (_, old) => old);
  const { wrong } = await judged(documentOf([name, schema]), lost, { write: true });
  expect(wrong).toEqual(['read.replaced']);
});

test('nobody is to blame for a version that is always out of date', async () => {
  const path = documentOf(['version', { type: 'integer' }]);
  const answer = service('version', Number);
  const { report, wrong, untested } = await judged(
    path,
    (asked) => (/PUT|PATCH/.test(asked.method) && fieldsOf(asked.body)?.name ? [409] : answer(asked)),
    { write: true },
  );
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
  expect(untested).toContain('put.200');
});

test('a version of something else is a value like any other', async () => {
  const path = documentOf(['apiVersion', { type: 'integer' }]);
  const { asked } = await judged(path, service('apiVersion', Number), { write: true });
  const sent = asked.filter(({ method }) => method === 'PUT').map(({ body }) => fieldsOf(body)?.apiVersion);
  expect(sent[0]).toBe(2);
});
