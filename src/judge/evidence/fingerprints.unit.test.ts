import { expect, test } from 'vitest';
import { type Deviation, met, violated } from '../../model/finding.ts';
import { fingerprintsOf, withOccurrences } from './fingerprints.ts';
import type { Judged } from './judged.ts';

/** What an operation got: a status, the kind of its failure, or nothing at all. */
function judgedOf(operation: string, came: number | string | undefined, key = 'valid'): Judged {
  const what =
    typeof came === 'number'
      ? { response: { status: came } }
      : came === undefined
        ? {}
        : { failure: { kind: came } };
  return { operation, exchange: { operation, key, ...what } } as unknown as Judged;
}

test('there is one fingerprint for each kind and pointer, with its places sorted and its numbers masked', () => {
  const wrong = (id: string, came: number | string | undefined, more: Partial<Deviation>) => ({
    judged: judgedOf(id, came),
    deviation: { kind: 'shape', reason: 'wrong 3 times', expected: '', received: '', ...more } as const,
  });
  const found = fingerprintsOf([
    wrong('list', 500, { kind: 'status' }),
    wrong('read', 200, { pointer: '/0/id' }),
    wrong('add', 201, { kind: 'status', reason: 'in other words' }),
    wrong('list', 500, { kind: 'status' }),
    wrong('list', 200, { pointer: '/17/id' }),
    wrong('add', 201, {}),
    wrong('list', 200, { pointer: '/17/name' }),
    wrong('exhaust', 429, { kind: 'header' }),
    wrong('read', 'reset', { kind: 'transport' }),
    wrong('other', undefined, { kind: 'transport' }),
  ]);
  expect(found.map(({ kind, pointer, at }) => [kind, pointer, at])).toEqual([
    ['header', undefined, ['a refusal 429']],
    ['shape', undefined, ['add 201']],
    ['shape', '/#/id', ['list 200', 'read 200']],
    ['shape', '/#/name', ['list 200']],
    ['status', undefined, ['add 201', 'list 500']],
    ['transport', undefined, ['other no answer', 'read reset']],
  ]);
  expect(found[1]?.what).toMatch(/^wrong \D+ times$/);
});

test('a violation says of each operation and status how many of how many exchanges show it', () => {
  const list = { id: 'listPets', method: 'GET', path: '/pets' };
  const add = { id: 'createPet', method: 'POST', path: '/pets' };
  const sent = (id: number, operation: typeof list, came: number | 'reset') => ({
    exchange: (came === 'reset'
      ? { id, failure: { kind: came } }
      : { id, response: { status: came } }) as unknown as Judged['exchange'],
    operation,
  });
  const all = [
    ...Array.from({ length: 12 }, (_, index) => sent(index + 1, list, 200)),
    sent(13, list, 404),
    ...[14, 15, 16].map((id) => sent(id, add, 201)),
    sent(17, add, 'reset'),
  ];
  const wrong = { kind: 'shape', reason: 'wrong', expected: '', received: '' } as const;
  const shownBy = [14, ...Array.from({ length: 11 }, (_, index) => index + 1), 17];
  expect(withOccurrences('Pet.name', violated(wrong, shownBy), all)).toMatchObject({
    evidence: shownBy.slice(0, 10),
    occurrences: [
      { operation: 'createPet', request: 'POST /pets', status: 201, deviating: 1, of: 3 },
      { operation: 'listPets', request: 'GET /pets', status: 200, deviating: 11, of: 12 },
      { operation: 'createPet', request: 'POST /pets', failure: 'reset', deviating: 1, of: 1 },
    ],
  });
  // Of a pair, the first is there for comparison.
  expect(
    withOccurrences('Pet.name', violated({ ...wrong, deviating: [2] }, [1, 2]), all).occurrences,
  ).toEqual([{ operation: 'listPets', request: 'GET /pets', status: 200, deviating: 1, of: 12 }]);
  const likewise = all.map((each) =>
    each.exchange.id < 16 ? { ...each, hidden: [{ requirement: 'Pet.name' }] } : each,
  );
  expect(withOccurrences('Pet.name', violated(wrong, [16]), likewise).occurrences?.[0]).toMatchObject({
    deviating: 3,
    of: 3,
  });
  expect(withOccurrences('Pet.name', met([1, 2]), all)).toEqual(met([1, 2]));
});

const failed = (judged: Judged, kind: Deviation['kind'] = 'json') => ({
  judged,
  deviation: { kind, reason: 'it is wrong', expected: '', received: '' },
});
const placesOf = (...given: Parameters<typeof fingerprintsOf>) =>
  fingerprintsOf(...given).flatMap(({ at }) => at);

test('wrong keys are one place, as a seed draws which operation gets which; a missing key and a failure are not', () => {
  const wrong = [
    judgedOf('list', 200, 'case'),
    judgedOf('add', 201, 'bare'),
    judgedOf('read', 403, 'unknown'),
    judgedOf('list', 401, 'absent'),
    judgedOf('list', 'timeout', 'case'),
  ];
  expect(placesOf(wrong.map((each) => failed(each, 'status')))).toEqual([
    'a wrong key 403',
    'a wrong key accepted',
    'list 401',
    'list timeout',
  ]);
});

test('a failure that strikes few of the requests of several operations is at no operation', () => {
  const wrong = [judgedOf('list', 200), judgedOf('add', 201)];
  const right = Array.from({ length: 5 }, () => judgedOf('list', 200));
  const all = [...wrong, ...right];
  expect(
    placesOf(
      wrong.map((each) => failed(each)),
      all,
    ),
  ).toEqual(['any operation']);
  const timeouts = [judgedOf('list', 'timeout'), judgedOf('add', 'timeout')];
  const transport = timeouts.map((each) => failed(each, 'transport'));
  expect(placesOf(transport, [...timeouts, ...right])).toEqual(['any operation']);
});

test.each([
  ['few of the requests alike', ['X-RateLimit-Remaining'], 4, ['any operation']],
  ['a third of them', ['X-RateLimit-Remaining'], 3, ['a refusal 429', 'list 200']],
  ['most of them', ['X-RateLimit-Remaining'], 2, ['a refusal 429', 'list 200']],
  ['few of them, in a header of the response', ['Content-Type'], 4, ['a refusal 429', 'list 200']],
  [
    'few of them, beside one of the response',
    ['Retry-After', 'Content-Type'],
    4,
    ['a refusal 429', 'list 200'],
  ],
  ['few of them, without a name', [], 4, ['a refusal 429', 'list 200']],
  ['few of them, in one that only begins like it', ['Retry-After-Ms'], 4, ['a refusal 429', 'list 200']],
  ['few of them, in one that only ends like it', ['X-Retry-After'], 4, ['a refusal 429', 'list 200']],
])('a header of the limit that is wrong in %s', (_, headers, rights, places) => {
  const wrong = [judgedOf('list', 200), judgedOf('list', 429)];
  const right = Array.from({ length: rights + 1 }, () => judgedOf('list', 200));
  const deviating = wrong.map((judged) => {
    const { deviation } = failed(judged, 'header');
    return { judged, deviation: { ...deviation, headers } };
  });
  expect(placesOf(deviating, [...wrong, ...right])).toEqual(places);
});

test('a body that is not JSON for what it contains is at no operation', () => {
  const wrong = [judgedOf('list', 200), judgedOf('list', 200), judgedOf('add', 201)];
  const all = [...wrong, judgedOf('list', 200), judgedOf('add', 201)];
  const places = (kind: Deviation['kind']) =>
    placesOf(
      wrong.map((each) => failed(each, kind)),
      all,
    );
  expect(places('json')).toEqual(['any operation']);
  expect(places('transport')).toEqual(['add 201', 'list 200']);
});

test.each([
  ['most of the requests', 'json', [judgedOf('list', 200), judgedOf('add', 201)], 3],
  ['requests of one operation', 'json', [judgedOf('list', 200), judgedOf('list', 200)], 9],
  ['another response than what is right', 'json', [judgedOf('list', 401), judgedOf('add', 401)], 9],
  ['what a value decides', 'shape', [judgedOf('list', 200), judgedOf('add', 201)], 9],
] as const)('a failure that strikes %s is at its operations', (_, kind, wrong, rights) => {
  const right = Array.from({ length: rights }, () => judgedOf('list', 200));
  const places = placesOf(
    wrong.map((each) => failed(each, kind)),
    [...wrong, ...right],
  );
  expect(places).not.toContain('any operation');
});

const inHeader = (header: string, kind: Deviation['kind'] = 'header') => ({ kind, headers: [header] });

test.each<[what: string, one: Partial<Deviation>, other: Partial<Deviation>, rights: number]>([
  ['a header of the limit, and another', inHeader('Retry-After'), inHeader('Content-Type'), 9],
  [
    'what two headers of the limit mean',
    inHeader('Retry-After', 'meaning'),
    inHeader('Retry-After', 'meaning'),
    9,
  ],
  ['a body that is not JSON, and a wrong shape', { kind: 'json' }, { kind: 'shape' }, 9],
  ['a body that is not JSON, and one that breaks off', { kind: 'json' }, { kind: 'transport' }, 1],
])('%s are at their operations', (_what, one, other, rights) => {
  const [list, add] = [judgedOf('list', 200), judgedOf('add', 201)];
  const right = [judgedOf('add', 201), ...Array.from({ length: rights }, () => judgedOf('list', 200))];
  const deviating = [list, add].map((judged, index) => {
    const { deviation } = failed(judged);
    return { judged, deviation: { ...deviation, ...(index === 0 ? one : other) } };
  });
  const places = placesOf(deviating, [list, add, ...right]);
  expect([...new Set(places)].toSorted()).toEqual(['add 201', 'list 200']);
});

test.each<[what: string, came: Partial<Judged['exchange']>, outcome: object]>([
  ['nothing that is known', {}, { deviating: 1, of: 1 }],
  [
    'a response whose body breaks off',
    {
      response: { status: 200, headers: [], body: '[' },
      failure: { kind: 'framing', phase: 'body', message: 'it ends early' },
    },
    { status: 200, deviating: 1, of: 2 },
  ],
])('an exchange that got %s is counted', (_what, came, outcome) => {
  const operation = { id: 'listPets', method: 'GET', path: '/pets' };
  const right = { response: { status: 200, headers: [], body: '[]' } };
  const sent = [came, right].map((each, index) => ({ exchange: { id: index + 1, ...each }, operation }));
  const wrong = { kind: 'shape', reason: 'wrong', expected: '', received: '' } as const;
  const { occurrences } = withOccurrences('Pet.name', violated(wrong, [1]), sent);
  expect(occurrences).toEqual([{ operation: 'listPets', request: 'GET /pets', ...outcome }]);
});

test('a violation that only the sequence shows, without an exchange of its own, has no counts', () => {
  const finding = violated({ kind: 'sequence', reason: 'wrong', expected: '', received: '' }, []);
  expect(withOccurrences('X-RateLimit-Remaining', finding, [])).toBe(finding);
});
