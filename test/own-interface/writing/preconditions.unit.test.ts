import { expect, test } from 'vitest';
import { type Answered, documentWith, judged } from '../small-service.ts';
import { thingsWith, versioned, WRITING } from './versioned-things.ts';

test.each([true, false])(
  'If-Match is the ETag of what was read; the service looks at it first: %s',
  async (looksFirst) => {
    const { report, wrong, untested, asked } = await judged(
      thingsWith('If-Match'),
      versioned({ looksFirst }),
      WRITING,
    );
    expect([report.verdict, wrong]).toEqual(['conformant', []]);
    // No id that does not exist goes to what changes something, and there is no second key. What was removed has no version.
    const unseen = looksFirst ? ['change.404', 'remove.404'] : ['change.404'];
    expect(untested).toEqual([...unseen, 'change.other-key', 'remove.other-key']);
    const removed = asked.filter(
      ({ method, headers }) => method === 'DELETE' && headers.authorization === 'Bearer k-91',
    );
    // One is removed twice, to see the 404.
    expect(new Set(removed.map(({ path, headers }) => `${path} ${headers['if-match']}`))).toEqual(
      new Set(['/things/1 "2"', '/things/2 "1"', '/things/3 "1"']),
    );
  },
);

test('a service that accepts a wrong body is found although the change has a precondition', async () => {
  const answer = versioned();
  const careless: typeof answer = (asked) =>
    answer(asked.method === 'PUT' ? { ...asked, body: '{"name":"any"}' } : asked);
  const { wrong } = await judged(thingsWith('If-Match'), careless, WRITING);
  expect(wrong).toEqual(['change.body']);
});

test('what needs a version that no response told is not sent, with the reason', async () => {
  const answer = versioned();
  const silent: typeof answer = (asked) => answer(asked).slice(0, 2) as unknown as Answered;
  const { report, wrong, asked } = await judged(thingsWith('If-Match'), silent, WRITING);
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
