import { describe, expect, test } from 'vitest';
import { entryOf, errorOf, REX, type Said } from '../../test/recordings/entries.ts';
import { created, list, said } from '../../test/recordings/judged.ts';
import { violatedIn } from '../../test/recordings/recorded-run.ts';

describe('where a recording is not certain, nothing is judged', () => {
  const refused = (status: number, fields: Said = {}): Said => ({ status, body: errorOf(status), ...fields });
  /** What a gateway says, without any header of the service. */
  const page = (status: number, fields: Said = {}): Said => ({
    status,
    body: '<html></html>',
    answer: {
      'content-type': 'text/html',
      'x-ratelimit-limit': '',
      'x-ratelimit-remaining': '',
      'x-ratelimit-reset': '',
    },
    ...fields,
  });
  test.each<[string, Said[]]>([
    ['a key that was revoked', [{}, {}, refused(401), refused(401)]],
    ['a key that was not yet valid', [refused(401), refused(401), {}]],
    ['a key that nothing accepts', [refused(401, { key: 'other' }), {}]],
    ['a 401 without a recorded key', [{ key: null }, refused(401, { key: null }), { key: null }]],
    [
      'a ban after a 429',
      [
        { answer: { 'x-ratelimit-remaining': '0' } },
        refused(429, { answer: { 'retry-after': '59', 'x-ratelimit-remaining': '0' } }),
        refused(401, { answer: { 'x-ratelimit-remaining': '0' } }),
        refused(403, { answer: { 'x-ratelimit-remaining': '0' } }),
        refused(400, { answer: { 'x-ratelimit-remaining': '0' } }),
        { at: 90_000 },
      ],
    ],
    [
      'a category that may not exist',
      [created(1), { ...created(2, { categoryId: 9 }), ...refused(400) }, created(3)],
    ],
    ['a name that is taken', [created(1), { ...created(1), ...refused(400) }, created(3)]],
    [
      'a name that is longer than any that was accepted',
      [created(1), { ...created(2, { name: 'R'.repeat(60) }), ...refused(400) }, created(3)],
    ],
    ['a key that may not add', [{}, { ...created(2), ...refused(403) }, {}]],
    ['a form that the service may refuse', [{}, refused(406, { headers: { accept: 'text/csv' } }), {}]],
    ['an unknown parameter', [{}, refused(400, { path: '/pets?page=2' }), {}]],
    ['a page size that another parameter sets', [{ path: '/pets?page_size=50', body: animals(50) }]],
    [
      'what is too large for a gateway, with its page',
      [
        {},
        { ...created(2), request: 'x'.repeat(9_000), ...page(413) },
        {},
        page(414, { path: `/pets?limit=5&page=${'1'.repeat(9_000)}` }),
        page(431),
      ],
    ],
    ['another spelling of the address', [{}, refused(404, { path: '/p%65ts' }), {}]],
    ['an animal that was removed', [created(5), refused(404, { path: '/pets/5' })]],
    [
      'a status that changed',
      [
        created(5, { status: 'pending' }),
        { path: '/pets/5', body: { ...REX, id: 5, name: 'Rex 5', status: 'sold' } },
      ],
    ],
    ['a store that was filled', [list(REX), { path: '/pets?limit=60', body: animals(60) }]],
    [
      'an animal that was sold meanwhile',
      [{ path: '/pets?status=sold', body: [] }, list({ ...REX, status: 'sold' })],
    ],
    [
      'a repetition that gets the first response',
      [
        { ...created(5), headers: { 'idempotency-key': 'a' } },
        { ...created(5), headers: { 'idempotency-key': 'a' } },
      ],
    ],
    [
      'an exchange that two recorders have',
      [
        { ...created(5), at: 0, time: 50 },
        { ...created(5), at: 5, time: 20 },
      ],
    ],
    [
      'a name that a service cleans',
      [{ ...created(2, { name: ' <b>Rex</b> ' }), body: { id: 2, name: 'Rex', categoryId: 7 } }],
    ],
    [
      'a body that was not recorded',
      [{ more: { response: { ...entryOf().response, content: { size: 9 } } } }],
    ],
    [
      'a Limit that changed with the plan',
      [{}, {}, ...[1, 2, 3].map((n): Said => ({ at: n * 90_000, answer: { 'x-ratelimit-limit': '300' } }))],
    ],
    [
      'others that use the key',
      [59, 41, 12, 3].map((n): Said => ({ answer: { 'x-ratelimit-remaining': String(n) } })),
    ],
  ])('%s', async (_what, exchanges) => {
    const { findings } = await said(...exchanges);
    expect(violatedIn(findings)).toEqual([]);
  });
});

describe('a client may ask for less than the whole response', () => {
  const range = { headers: { range: 'bytes=0-9' } };
  const part: Said = {
    ...range,
    status: 206,
    body: '[{"id":1,"',
    answer: { 'content-range': 'bytes 0-9/62' },
  };
  const parts = { 'content-type': 'multipart/byteranges; boundary=x' };
  const beyond: Said = {
    ...range,
    status: 416,
    body: errorOf(416),
    answer: { 'content-range': 'bytes */62' },
  };
  const minimal: Said = {
    ...created(5),
    headers: { prefer: 'respond-async, return=minimal' },
    body: '',
    answer: { 'preference-applied': 'return=minimal', 'content-type': '' },
  };

  test.each<[string, Said]>([
    ['a part of a list', part],
    ['several parts of a list', { ...part, body: '--x', answer: parts }],
    ['a part that the list does not have', beyond],
    ['as little as possible of what was added', minimal],
    ['no body at all', { ...minimal, status: 204, answer: {} }],
    ['only the id of what was added', { ...minimal, body: { id: 5 } }],
  ])('%s', async (_what, exchange) => {
    const { findings } = await said({}, part, exchange, {});
    expect(violatedIn(findings)).toEqual([]);
  });

  test.each<[string, Said, string[]]>([
    ['a missing header', { ...part, answer: { 'x-ratelimit-limit': '' } }, ['X-RateLimit-Limit.schema']],
    ['a 500', { ...part, status: 500, body: errorOf(500) }, ['listPets.200']],
    ['a part that nobody asked for', { ...part, headers: {} }, ['listPets.200']],
    ['a part with a wrong body in full', { ...part, status: 200, body: [{}] }, ['Pet']],
    ['an empty body that nobody asked for', { ...minimal, headers: {} }, ['Pet']],
    ['an invalid body that is accepted', { ...minimal, request: { categoryId: 7 } }, ['NewPet.name']],
  ])('%s is still a violation', async (_what, exchange, expected) => {
    const { findings } = await said({}, exchange, {});
    expect(violatedIn(findings)).toEqual(expected);
  });
});

test('a name that is refused is wrong, once one as long was accepted', async () => {
  const long = 'R'.repeat(60);
  const refused: Said = { ...created(2, { name: `${long.slice(1)}é` }), status: 400, body: errorOf(400) };
  const { findings } = await said(created(1, { name: long }), refused, created(3));
  expect(violatedIn(findings)).toEqual(['createPet.201']);
});

function animals(count: number) {
  return Array.from({ length: count }, (_, id) => ({ ...REX, id }));
}
