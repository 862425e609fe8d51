import { expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { expecting, statusesOf } from '../../model/http/expectation.ts';
import { DEFAULT_OPTIONS } from '../../run/options.ts';
import { makePlan } from '../../run/plan.ts';
import { drawnProbe } from './surplus.ts';

const contract = loadContract();
const planOf = (options = {}) => makePlan(contract, allChecks(contract), { ...DEFAULT_OPTIONS, ...options });
const { surplus, probes } = planOf();
const ids = surplus.map(({ id }) => id);

const isAgain = ({ id }: { id: string }) => id.includes(':further-again-');

test('each request is new: no id and no content occurs twice, apart from reads of what was created', () => {
  const contents = surplus
    .filter((each) => !isAgain(each))
    .map(({ operation, query, path, body, variations }) =>
      JSON.stringify([operation, query, Object.values(path), body, variations], (name, value) =>
        typeof value === 'bigint' ? `${value}n` : name === 'of' ? undefined : value,
      ),
    );
  expect(new Set([...probes.map(({ id }) => id), ...ids]).size).toBe(probes.length + ids.length);
  // Ids that do not exist are drawn when they are sent.
  const drawn = contents.filter((each) => each.includes('random'));
  expect(new Set(contents).size).toBe(contents.length - drawn.length + Math.min(1, drawn.length));
});

test('what the run created and fetched is fetched twice more, first of all what has most fields', () => {
  const fetched = probes.filter(({ id, stage }) => id.startsWith('getPet:createPet:') && stage === 'read');
  const again = surplus.filter(isAgain);
  expect(again).toHaveLength(2 * fetched.length);
  for (const { path } of fetched)
    expect(again.filter((each) => JSON.stringify(each.path) === JSON.stringify(path))).toHaveLength(2);
  expect(ids[0]).toBe('getPet:further-again-1 createPet:full-1');
});

test('what the run created and did not fetch is fetched once, first of all the longest', () => {
  const back = surplus.filter(({ id }) => id.includes(':further-back '));
  const fetched = probes.flatMap(({ id, stage }) =>
    id.startsWith('getPet:createPet:') && stage === 'read' ? id.slice('getPet:'.length) : [],
  );
  const created = probes.filter(({ creates, stage }) => creates && stage === 'create').map(({ id }) => id);
  expect(back.map(({ id }) => id.slice('getPet:further-back '.length)).sort()).toEqual(
    created.filter((id) => !fetched.includes(id)).sort(),
  );
  expect(back[0]?.id).toBe('getPet:further-back createPet:long');
});

test('a body is sent only where a 400 is certain, and nothing goes to the other address', () => {
  const posts = surplus.filter(({ creates }) => creates);
  expect(posts.length).toBeGreaterThan(70);
  expect(posts.every(({ validity }) => validity === 'invalid')).toBe(true);
  const open = posts.filter(({ expectation }) => expectation.kind === 'open');
  expect(
    posts
      .filter((each) => !open.includes(each))
      .every(({ expectation }) => statusesOf(expectation).join() === '400'),
  ).toBe(true);
  // A firewall may refuse them first, and nothing adds an animal without a category.
  expect(open.length).toBeGreaterThan(0);
  for (const { body } of open)
    expect(body && 'json' in body && Object.keys(body.json as object)).not.toContain('categoryId');
  expect(surplus.filter(({ operation }) => operation === 'sendMessage')).toEqual([]);
  expect(surplus.filter(({ key }) => key !== 'valid')).toEqual([]);
});

test('a name may be empty and a category a whole number: such values are not sent as wrong', () => {
  const sent = surplus.flatMap(({ body }) =>
    body && 'json' in body
      ? [JSON.stringify(body.json, (_, value) => (typeof value === 'bigint' ? Number(value) : value))]
      : [],
  );
  expect(sent.filter((each) => each.includes('"name":""'))).toEqual([]);
  expect(
    sent.filter((each) => /"categoryId":-?\d+(?:\.0+)?[,}]/.test(each) && !/e|\d{19}/.test(each)),
  ).toEqual([]);
});

test('each large page comes without a filter before it comes with one', () => {
  const lists = surplus.filter(({ operation, validity }) => operation === 'listPets' && validity === 'valid');
  const withSize = (size: number) =>
    lists.filter(({ query }) => query.some(([name, value]) => name === 'limit' && value === String(size)));
  for (const size of [30, 50, 64, 75, 99]) {
    const [first, ...others] = withSize(size).map(({ query }) => query.length);
    expect(first).toBeGreaterThan(0);
    // A page that the exhaustion sends anyway is not among them.
    expect(others).not.toContain(1);
  }
});

test('entries of the first list and of the longest one are read in turn', () => {
  const places = ids.flatMap(
    (id) => /^getPet:further-(listed|far)-(\d+)$/.exec(id)?.slice(1).join(' ') ?? [],
  );
  expect(places.slice(0, 4).map((each) => each.split(' ')[0])).toEqual(['listed', 'far', 'listed', 'far']);
  const far = places.filter((each) => each.startsWith('far')).map((each) => Number(each.split(' ')[1]));
  expect(new Set(far).size).toBe(19);
  expect(Math.min(...far)).toBeGreaterThan(20);
  expect(Math.max(...far)).toBeLessThanOrEqual(100);
});

test('every kind of request is among the first sixty', () => {
  const kinds = (of: typeof surplus) =>
    new Set(of.map(({ operation, validity }) => `${operation} ${validity}`));
  expect(kinds(surplus.slice(0, 60))).toEqual(kinds(surplus));
});

test('another seed sends other combinations, the same seed the same', () => {
  expect(planOf({ seed: 3 }).surplus.map(({ id }) => id)).toEqual(
    planOf({ seed: 3 }).surplus.map(({ id }) => id),
  );
  expect(planOf({ seed: 3 }).surplus.map(({ id }) => id)).not.toEqual(
    planOf({ seed: 4 }).surplus.map(({ id }) => id),
  );
});

test('without an exhaustion, and without a seed, nothing further is sent; without POSTs no body is', () => {
  expect(planOf({ exhaust: 'none' }).surplus).toEqual([]);
  expect(planOf({ seed: 'none' }).surplus).toEqual([]);
  expect(planOf({ readOnly: true }).surplus.filter(({ body }) => body)).toEqual([]);
});

const PLAINEST: Readonly<Record<string, string>> = {
  listPets: 'listPets:plain',
  createPet: 'createPet:minimal',
  getPet: 'getPet:createPet:minimal',
};

// What getStoreOrders is due depends on the day.
test('the plainest request of its operation comes before each of them, also before one that is drawn', () => {
  const drawn = Array.from(
    { length: 60 },
    (_, index) => drawnProbe(contract, probes, 5, [index]) ?? [],
  ).flat();
  expect(drawn).toHaveLength(60);
  for (const { id, operation, controls, stage } of [...surplus, ...drawn]) {
    expect(stage).toBe('surplus');
    expect(controls[0], id).toBe(PLAINEST[operation]);
  }
  const again = surplus.find(isAgain);
  expect(again?.controls.length).toBeGreaterThan(1);
  const wrong = { ...contract, operations: [] };
  expect(drawnProbe(wrong, probes, 5, [0])).toBeUndefined();
});

test('only a request that is due one answer, and gets it in any case, says that its operation works', () => {
  const places = Array.from({ length: 50 }, (_, index) => index);
  const place =
    places.find((each) => drawnProbe(contract, probes, 5, [each])?.operation === 'listPets') ?? -1;
  const plainest = probes.find(({ id }) => id === 'listPets:plain');
  if (!plainest) throw new Error('no plain list');
  const without = (change: Partial<typeof plainest>) =>
    drawnProbe(contract, [{ ...plainest, ...change }], 5, [place])?.controls.includes(plainest.id) ?? false;
  expect(without({})).toBe(true);
  expect(without({ expectation: expecting(['200'], ['404']) })).toBe(false);
  expect(without({ validity: 'open' })).toBe(false);
  expect(without({ key: 'unknown' })).toBe(false);
  expect(without({ onlyIf: { succeeded: 'x' } })).toBe(false);
});

test('what the run sends in any case is not sent again', () => {
  const sent = surplus.filter(({ operation, validity }) => operation === 'listPets' && validity === 'valid');
  const queries = sent.map(({ query }) => query.map((each) => each.join('=')).join('&'));
  for (const each of ['', 'limit=1', 'limit=100', 'status=sold', 'status=sold&limit=100'])
    expect(queries).not.toContain(each);
  expect(queries).toContain('limit=99');
});
