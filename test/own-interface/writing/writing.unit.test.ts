import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { realClock } from '../../../src/model/clock.ts';
import { conduct } from '../../../src/run/conduct.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { type Difference, shelvesFolder, startShelves } from './shelves.ts';

async function written(difference?: Difference, files?: Record<string, string>) {
  const shelves = await startShelves(difference);
  const report = await run({ baseUrl: shelves.baseUrl, interface: shelvesFolder(files), write: true });
  const withStatus = (status: string) =>
    report.requirements.filter((each) => each.status === status).map(({ id }) => id);
  return { ...shelves, report, violated: withStatus('violated'), advised: withStatus('advisory') };
}

test('a sound service conforms, and everything that was created is gone at the end', async () => {
  const { report, violated, advised, store, unsafe, asked } = await written();
  expect([violated, advised, unsafe]).toEqual([[], [], []]);
  expect([report.verdict, report.because]).toEqual([
    'conformant',
    expect.stringContaining('left out: no --example'),
  ]);
  expect([...store.keys()]).toEqual(['/shelves/1']);
  const shelf =
    asked.find(({ method, path }) => method === 'PUT' && path.startsWith('/shelves/'))?.path ?? '';
  const own = asked.filter(({ path }) => path === shelf).map(({ method }) => method);
  // It is removed twice, to see the 404.
  expect(own).toEqual(['GET', 'PUT', 'GET', 'DELETE', 'GET', 'DELETE']);
  const semantic = report.requirements.filter(
    ({ id }) => /\.(?:id|created|replaced|removed)$/.test(id) && !/^[A-Z]/.test(id),
  );
  expect(semantic.map(({ id, status }) => `${id} ${status}`)).toEqual(
    [
      ...['createShelf.id', 'getShelf.created', 'getShelf.replaced', 'getShelf.removed'],
      ...['createBook.id', 'getBook.created', 'getBook.replaced', 'getBook.removed'],
    ].map((id) => `${id} met`),
  );
  const untested = report.requirements.filter(
    ({ level, status }) => level === 'must' && status === 'not-tested',
  );
  expect(untested.map(({ operation }) => operation).sort()).toEqual(
    ['removeAllShelves', 'removeOwner', 'sendMail'].flatMap((each) => [each, each]),
  );
});

test('without --write nothing is created', async () => {
  const shelves = await startShelves();
  await run({ baseUrl: shelves.baseUrl, interface: shelvesFolder() });
  expect(shelves.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const SENTENCES = [
  'createShelf.id',
  'getShelf.created',
  'getShelf.replaced',
  'getShelf.removed',
  'getBook.replaced',
]
  .map((id) => `  - { id: ${id}, level: must, section: Shelves, statement: A sentence. }\n`)
  .join('');

const FAULTS: [what: string, id: string, difference: Difference][] = [
  [
    'what was created is not there',
    'getShelf.created',
    ({ method, path }) => (method === 'GET' && /^\/shelves\/[2-9]$/.test(path) ? { status: 404 } : undefined),
  ],
  [
    'a field is stored with another value',
    'getShelf.created',
    ({ method, path }, usual) => {
      const answer = method === 'GET' && /^\/shelves\/\d+$/.test(path) ? usual() : undefined;
      return answer?.status === 200
        ? { ...answer, value: { ...(answer.value as object), name: 'another' } }
        : undefined;
    },
  ],
  [
    'a replacement is lost',
    'getShelf.replaced',
    ({ method, path, body }) =>
      method === 'PUT'
        ? { status: 200, value: { ...JSON.parse(body), id: Number(path.split('/').at(-1)) } }
        : undefined,
  ],
  [
    'a change is lost, and the answer shows it',
    'getBook.replaced',
    ({ method, path }, _, store) =>
      method === 'PATCH' ? { status: 200, value: store.get(path) } : undefined,
  ],
  [
    'a removal removes nothing',
    'getShelf.removed',
    ({ method, path }) =>
      method === 'DELETE' && /^\/shelves\/\d+$/.test(path) ? { status: 204 } : undefined,
  ],
  [
    'all have one id',
    'createShelf.id',
    ({ method, path }, usual) => {
      const answer = method === 'POST' && path === '/shelves' ? usual() : undefined;
      return answer?.status === 201
        ? { status: 201, value: { ...(answer.value as object), id: 7 }, headers: { Location: '/shelves/7' } }
        : undefined;
    },
  ],
];

/** The service that has one id for all says that it created this shelf. */
const others = (unsafe: readonly string[]) => unsafe.filter((each) => !each.includes('/shelves/7'));

test.each(FAULTS)('%s: an advisory, and a violation where a sentence says so', async (_, id, difference) => {
  const usual = await written(difference);
  expect([usual.violated, usual.advised, others(usual.unsafe)]).toEqual([[], [id], []]);
  const strict = await written(difference, { 'requirements.yaml': `requirements:\n${SENTENCES}` });
  expect([strict.violated, others(strict.unsafe)]).toEqual([[id], []]);
});

const CONFORMANT: [what: string, difference: Difference][] = [
  ['a refusal of every creation', ({ method }) => (method === 'POST' ? { status: 409 } : undefined)],
  ['a lock on what was created', ({ method }) => (method === 'PUT' ? { status: 423 } : undefined)],
  [
    'texts that are trimmed, and a field that never changes',
    ({ method, path }, usual, store) => {
      if (method !== 'PUT') return undefined;
      const before = store.get(path)?.kind;
      usual();
      const stored = { ...store.get(path), kind: before ?? 'wood' };
      store.set(path, stored);
      return { status: 200, value: stored };
    },
  ],
  [
    'a removal that only marks',
    ({ method, path }, _, store) => {
      const thing = store.get(path);
      if (method !== 'DELETE' || !thing) return undefined;
      store.set(path, { ...thing, removed: true });
      return { status: 204 };
    },
  ],
  ['a removal that takes its time', ({ method }) => (method === 'DELETE' ? { status: 202 } : undefined)],
];

test.each(CONFORMANT)('%s: nothing is held against the service', async (_, difference) => {
  const { violated, advised, unsafe } = await written(difference);
  // The 202 is not documented; what it removes is judged all the same.
  expect([violated.filter((id) => !/^remove\w+\.204$/.test(id)), advised, unsafe]).toEqual([[], [], []]);
});

/** Answers to a creation that do not show that the run created something. */
const DOUBTFUL: [what: string, answer: object][] = [
  ['an id that a list showed', { status: 201, value: { id: 1, name: 'x' } }],
  ['no id', { status: 201, value: { name: 'x' } }],
  ['an empty id', { status: 201, value: { id: '', name: 'x' } }],
  ['an id that is the collection', { status: 201, value: { id: '.', name: 'x' } }],
  ['an id that is above it', { status: 201, value: { id: '..', name: 'x' } }],
  ['a Location above it', { status: 201, value: {}, headers: { Location: '/shelves/%2e%2e' } }],
  ['a Location of another kind', { status: 201, value: {}, headers: { Location: '/owners/1' } }],
  ['an id that is an object', { status: 201, value: { id: { $ne: null }, name: 'x' } }],
  ['a 200', { status: 200, value: { id: 99, name: 'x' } }],
  ['a 202', { status: 202, value: { id: 99, name: 'x' } }],
];

test.each(DOUBTFUL)('%s: nothing is changed or removed', async (_, answer) => {
  const { asked } = await written(({ method, path }) =>
    method === 'POST' && path === '/shelves' ? (answer as { status: number }) : undefined,
  );
  expect(
    asked.filter(({ method, path }) => method !== 'GET' && !(method === 'POST' && path === '/shelves')),
  ).toEqual([]);
});

test('a wrong body shows nothing where the same body is refused without the mistake', async () => {
  const { report, violated, advised } = await written(({ method, path, body }) =>
    method === 'POST' && path === '/shelves' && body.includes('"kind"') ? { status: 422 } : undefined,
  );
  expect([violated, advised]).toEqual([[], []]);
  expect(report.requirements.find(({ id }) => id === 'createShelf.body')?.status).toBe('not-tested');
  expect(report.requirements.find(({ id }) => id === 'createShelf.201')?.status).toBe('met');
});

test('an id with a slash stays one segment', async () => {
  const { asked } = await written(({ method, path }) =>
    method === 'POST' && path === '/shelves' ? { status: 201, value: { id: '../1', name: 'x' } } : undefined,
  );
  const removed = asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  expect([...new Set(removed)]).toEqual(['/shelves/..%2F1']);
});

test('what the service does not remove is named', async () => {
  const { report } = await written(({ method }) => (method === 'DELETE' ? { status: 403 } : undefined));
  expect(report.requirements.find(({ id }) => id === 'open.left-over')?.observed).toMatch(
    /^created and still there: \/shelves\/2, \/shelves\/3/,
  );
});

test.each(['/shelves', '/books'])(
  'a run that is interrupted while it adds to %s removes what it created',
  async (where) => {
    const interruption = new AbortController();
    let additions = 0;
    const shelves = await startShelves(({ method, path }) => {
      if (method === 'POST' && path.endsWith(where)) additions += 1;
      // The response to it is still to come.
      if (additions === 2) interruption.abort();
      return undefined;
    });
    const { contract, checks } = await interfaceOf({ interface: shelvesFolder() });
    const options = { ...DEFAULT_OPTIONS, write: true };
    const plan = makePlan(contract, checks, options);
    const { stopped } = await conduct(
      contract,
      plan,
      options,
      { baseUrl: shelves.baseUrl, apiKey: '' },
      { clock: realClock, signal: interruption.signal },
    );
    expect(stopped?.kind).toBe('interrupted');
    expect([...shelves.store.keys()]).toEqual(['/shelves/1']);
    expect(shelves.unsafe).toEqual([]);
  },
);

test('examples allow what petspec would not send: once, with these values', async () => {
  const shelves = await startShelves(({ path }) =>
    /^\/(?:owners|mails)/.test(path) ? { status: 204 } : undefined,
  );
  const folder = shelvesFolder({ 'examples.yaml': 'removeOwner: { path: { ownerId: o-1 } }\n' });
  const example = join(folder, 'examples.yaml');
  await run({ baseUrl: shelves.baseUrl, interface: folder, write: true, example });
  const sent = shelves.asked.filter(({ path }) => /^\/(?:owners|mails)/.test(path));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /owners/o-1']);
  await run({ baseUrl: shelves.baseUrl, interface: folder, example });
  expect(shelves.asked.filter(({ path }) => path.startsWith('/owners'))).toHaveLength(1);
});

test.each([
  [{ write: true }, "'write' is for an interface of your own; name it with 'interface'"],
  [{ write: true, readOnly: true, interface: 'x' }, "cannot combine 'write' and 'readOnly'"],
])('%o is refused', async (settings, words) => {
  const whole = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k', ...settings };
  const own = 'interface' in settings ? { interface: shelvesFolder() } : {};
  await expect(run({ ...whole, ...own })).rejects.toThrow(words);
});
