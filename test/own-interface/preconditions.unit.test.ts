import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from './small-service.ts';

const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 60 } },
};
const json = { content: { 'application/json': { schema: THING } } };
const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const no = { description: 'No.' };

/** Things that are changed and removed only with a precondition. */
function documentOf(name: string): string {
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
function versioned({ looksFirst = true } = {}) {
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

const WRITING = { write: true, apiKey: 'k-91' };

test.each([true, false])(
  'If-Match is the ETag of what was read; the service looks at it first: %s',
  async (looksFirst) => {
    const { report, wrong, untested, asked } = await judged(
      documentOf('If-Match'),
      versioned({ looksFirst }),
      WRITING,
    );
    expect([report.verdict, wrong]).toEqual(['conformant', []]);
    // No id that does not exist goes to what changes something.
    expect(untested).toEqual(['change.404', 'remove.404']);
    const removed = asked.filter(
      ({ method, headers }) => method === 'DELETE' && headers.authorization === 'Bearer k-91',
    );
    expect(removed.map(({ path, headers }) => `${path} ${headers['if-match']}`)).toEqual([
      '/things/1 "2"',
      '/things/2 "1"',
    ]);
  },
);

test('a service that accepts a wrong body is found although the change has a precondition', async () => {
  const answer = versioned();
  const careless: typeof answer = (asked) =>
    answer(asked.method === 'PUT' ? { ...asked, body: '{"name":"any"}' } : asked);
  const { report, wrong } = await judged(documentOf('If-Match'), careless, WRITING);
  expect(wrong).toEqual(['change.body']);
  // What the script creates has a version of its own.
  const { script = 'false' } =
    report.requirements.find(({ id: each }) => each === 'change.body')?.reproduce ?? {};
  const env = { ...process.env, PETSPEC_API_KEY: 'k-91' };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { env });
  expect(stdout).toContain('HTTP/1.1 200 OK');
});

test('what needs a version that no response told is not sent, with the reason', async () => {
  const answer = versioned();
  const silent: typeof answer = (asked) => answer(asked).slice(0, 2) as unknown as Answered;
  const { report, wrong, asked } = await judged(documentOf('If-Match'), silent, WRITING);
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
  expect(asked.filter(({ method }) => method === 'PUT' || method === 'DELETE')).toEqual([]);
  const { reason } = report.requirements.find(({ id: each }) => each === 'change.200') ?? {};
  expect(reason).toBe('no response told the version that If-Match names; state it with --example');
});

/** A read with a header. */
const reading = (parameter: object) =>
  documentWith({
    '/a': {
      get: {
        operationId: 'get',
        parameters: [{ in: 'header', schema: { type: 'string' }, ...parameter }],
        responses: { 200: { description: 'x' } },
      },
    },
  });

test.each<[name: string, status: (value: string | undefined) => number]>([
  ['If-None-Match', (value) => (value === '"7"' || value === '*' ? 304 : 200)],
  ['If-Modified-Since', (value) => (Date.parse(value ?? '') >= Date.parse('2024-01-01') ? 304 : 200)],
  ['If-Range', (value) => (/^(?:W\/)?"[^"]*"$/.test(value ?? '') ? 200 : 400)],
])('a required %s does not keep the service from its usual response', async (name, status) => {
  const path = reading({
    name,
    required: true,
    example: name === 'If-Modified-Since' ? 'Sat, 01 Aug 2026 00:00:00 GMT' : '"7"',
  });
  const { report, met } = await judged(path, ({ headers }) => [status(headers[name.toLowerCase()])]);
  expect([report.verdict, met.includes('get.200')]).toEqual(['conformant', true]);
});

test.each(['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'])(
  'an optional %s is not sent',
  async (name) => {
    const { report, asked } = await judged(reading({ name }), () => [200]);
    expect(report.verdict).toBe('conformant');
    expect(asked.filter(({ headers }) => headers[name.toLowerCase()] !== undefined)).toEqual([]);
  },
);

test('a read whose version petspec cannot know is not sent', async () => {
  const { asked, report } = await judged(reading({ name: 'If-Match', required: true }), () => [412]);
  expect([asked, report.verdict]).toEqual([[], 'incomplete']);
});

test.each([304, 412, 428])(
  'a %d to a precondition that the document states is no violation',
  async (status) => {
    const path = reading({ name: 'If-None-Match', required: true, schema: { type: 'string', enum: ['*'] } });
    const { report, wrong } = await judged(path, () => [status]);
    expect([report.verdict, wrong]).toEqual(['incomplete', []]);
  },
);

test('a 304 to a request without a precondition is a violation', async () => {
  expect((await judged(reading({ name: 'X-A' }), () => [304])).wrong).toEqual(['get.200']);
});
