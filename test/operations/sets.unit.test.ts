import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { pinProblems, type Rewording } from '../../scripts/pinning.ts';
import { loadContract, readSources } from '../../src/contract/load.ts';
import { digestOfSet, isDigestOfInterface, isDigestOfSet } from '../../src/contract/sets.ts';
import { judgeShape } from '../../src/judge/exchange/shape.ts';
import type { Contract, Requirement } from '../../src/model/contract.ts';
import { packageVersion } from '../../src/model/package-root.ts';
import { deriveProbes } from '../../src/probes/derive.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Change } from '../../src/reference/index.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderHtml } from '../../src/report/html/index.ts';
import { renderReport } from '../../src/report/text/terminal.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { recordOf } from '../../src/run/job.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan, type RunPlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const today = loadContract();
const dataOf = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const pins: Requirement[] = dataOf('../pinned/pinned-requirements.json');
const rewordings: Rewording[] = dataOf('../pinned/reworded-requirements.json');

test('requirements keep their ids, levels and meaning; `npm run pin` pins new ones', () => {
  expect(pinProblems(pins, rewordings, today.requirements, packageVersion)).toEqual([]);
  const pinned = new Set(pins.map(({ id }) => id));
  expect(today.requirements.map(({ id }) => id).filter((id) => !pinned.has(id))).toEqual([]);
});

test('every rewording leads from the pinned statement to the present one', () => {
  const statements = (all: readonly Requirement[]) => new Map(all.map((each) => [each.id, each.statement]));
  const [pinned, present] = [statements(pins), statements(today.requirements)];
  expect(rewordings).toEqual(rewordings.map(({ id }) => ({ id, from: pinned.get(id), to: present.get(id) })));
});

test.each([
  ['0.1.0', 102],
  ['0.2.0', 104],
  ['0.3.0', 105],
])('set %s keeps its requirements', (version, count) => {
  const pinned = pins.filter(({ since }) => since <= version);
  expect(pinned).toHaveLength(count);
  expect(idsOf(loadContract(undefined, version).requirements)).toEqual(idsOf(pinned));
});

test.each(['0.1.0', '0.2.0'])('set %s keeps the digest that it had in the pinned wording', (version) => {
  const pinned = pins.filter(({ since }) => since <= version);
  const contract = loadContract(undefined, version);
  expect(isDigestOfSet(digestOfSet(pinned), contract)).toBe(true);
  expect(isDigestOfSet(digestOfSet(pinned.slice(1)), contract)).toBe(false);
});

test.each([
  ['0.1.0', 'e1e540ac3a283de24e48c0125f83b2704bddf0a1a7d47f16555c14936710ad8e'],
  ['0.2.0', '5c6421eb0d397398d2db9f2512f2d0b8f84e50a620d180ddabc1ca8f21b1328a'],
])('set %s keeps the digest that petspec 0.2.0 writes to its certificates', (version, digest) => {
  expect(digestOfSet(loadContract(undefined, version).requirements)).toBe(digest);
});

test.each([
  ['before the rewording', '3c5bddf53181bc29f8ed67e860ea3fe94886cbbca7434ea5e3f9816f31f39c08'],
  ['after the rewording', '44ae7926559e5c2ebcdcfd7f5b592957463a2e4bb623fba16d2426a1a4f8d362'],
])('every later petspec knows the interface of 0.2.0 from %s', (_, digest) => {
  for (const set of today.sets) expect(isDigestOfInterface(digest, loadContract(undefined, set))).toBe(true);
  const later = { ...grown(), digests: sources.digests ?? '' };
  expect(isDigestOfInterface(digest, loadContract(later))).toBe(true);
  expect(isDigestOfInterface(digest, laterSet(undefined))).toBe(false);
});

test('digests.json has the interface of every older set from 0.2.0 on', () => {
  const recorded = Object.entries(
    dataOf('../../spec/digests.json') as Record<string, { interface?: string[] }>,
  );
  const known = recorded.filter(([, digests]) => digests.interface?.length).map(([version]) => version);
  expect(known).toEqual(expect.arrayContaining(today.sets.slice(1, -1)));
});

describe('a pinned requirement neither changes nor disappears', () => {
  const [first, second] = today.requirements;
  if (!first || !second) throw new Error('there are no requirements');
  const pin = (more = {}) => [{ ...first, ...more }];

  test.each([
    ['a statement', pin({ statement: 'something else' }), `${first.id} changed its statement`],
    ['a level', pin({ level: 'open' }), `${first.id} changed its level`],
    ['a date', pin({ since: '0.0.9' }), `${first.id} changed its since`],
    ['an id', pin({ id: 'listPets.299' }), 'listPets.299 is missing'],
  ])('%s', (_, pinned, problem) => {
    expect(pinProblems(pinned, [], [first], first.since)[0]).toContain(problem);
  });

  test.each<[what: string, rewording: Partial<Rewording>, problems: number]>([
    ['a listed rewording is accepted', {}, 0],
    ['a rewording of another requirement is not', { id: second.id }, 1],
    ['a rewording of another statement is not', { from: 'a third one' }, 1],
    ['a rewording in other words is not', { to: 'a third one' }, 1],
  ])('%s', (_, rewording, problems) => {
    const listed = { id: first.id, from: 'the pinned words', to: first.statement, ...rewording };
    const pinned = pin({ statement: 'the pinned words' });
    expect(pinProblems(pinned, [listed], [first], first.since)).toHaveLength(problems);
  });

  test('a new requirement names the version that introduces it', () => {
    expect(pinProblems(pin(), [], [first, second], '0.1.0')).toEqual([]);
    expect(pinProblems(pin(), [], [first, second], '0.2.0')).toEqual([
      expect.stringContaining(`${second.id} is new and says since 0.1.0, but package.json says 0.2.0`),
    ]);
  });
});

const sources = readSources();

/** Two later versions of petspec, and one between them. */
const [NEXT, BETWEEN, LATER] = [
  [1, 0],
  [1, 7],
  [2, 0],
].map(([minor = 0, patch]) => {
  const [major, present] = packageVersion.split('.').map(Number);
  return `${major}.${(present ?? 0) + minor}.${patch}`;
}) as [string, string, string];

/** The interface of a later petspec: with a new operation, a new field, a new rule of a field, a new requirement. */
function grown(): typeof sources {
  const replacements: [string, string][] = [
    [
      'paths:\n',
      `paths:
  /owners:
    get:
      operationId: listOwners
      x-since: ${LATER}
      responses:
        '200':
          description: The owners.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
        '401': { $ref: '#/components/responses/Unauthorized' }
`,
    ],
    [
      'required: [id]\n          properties:',
      `required: [id, weight]\n          properties:\n            weight: { type: number, x-since: ${NEXT} }`,
    ],
    [
      'x-unspecified: [type]',
      `x-unspecified: [type]\n          maxLength: 200\n          x-since: { maxLength: ${NEXT} }`,
    ],
  ];
  let { openapi } = sources;
  for (const [from, to] of replacements) {
    expect(openapi).toContain(from);
    openapi = openapi.replace(from, to);
  }
  const requirements = `${sources.requirements}
  - { id: listPets.sorted, level: must, since: ${NEXT}, section: GET /pets (listPets), statement: In order. }
`;
  return { openapi, requirements };
}

const laterSets = new Map<string | undefined, Contract>();

/** A set of the interface of a later petspec; by default the newest. Each is loaded once. */
function laterSet(version: string | undefined): Contract {
  const contract = laterSets.get(version) ?? loadContract(grown(), version);
  laterSets.set(version, contract);
  return contract;
}

const addedNext = ['NewMessage.message.maxLength', 'Pet.weight', 'listPets.sorted'];
const addedLater = ['listOwners.200', 'listOwners.200.body', 'listOwners.responses'];
const idsOf = (requirements: readonly { id: string }[]) => requirements.map(({ id }) => id).sort();

test('an older set stays the same: requirements, probes, checks and digest', () => {
  const older = laterSet(today.set);
  expect(older.requirements).toEqual(today.requirements);
  expect(older.operations).toEqual(today.operations);
  expect(deriveProbes(older)).toEqual(deriveProbes(today));
  expect(idsOf(allChecks(older).map(({ requirement: id }) => ({ id })))).toEqual(idsOf(older.requirements));
  expect(digestOfSet(older.requirements)).toBe(digestOfSet(today.requirements));
  expect(older).toMatchObject({ set: today.set, sets: [...today.sets, NEXT, LATER] });
  expect(idsOf(older.newer)).toEqual([...addedNext, ...addedLater].sort());
});

test('a newer set adds requirements and changes none', () => {
  const middle = laterSet(BETWEEN);
  const newest = laterSet(undefined);
  expect(middle.set).toBe(NEXT);
  expect(idsOf(middle.newer)).toEqual(addedLater);
  expect(newest.newer).toEqual([]);
  for (const requirement of today.requirements) expect(newest.requirements).toContainEqual(requirement);
  const sinceOf = (id: string) => newest.requirements.find((each) => each.id === id)?.since;
  for (const id of addedNext) expect(sinceOf(id)).toBe(NEXT);
  for (const id of addedLater) expect(sinceOf(id)).toBe(LATER);
  expect(digestOfSet(newest.requirements)).not.toBe(digestOfSet(middle.requirements));
});

test.each(['9.9.9', '0.0.9', '0.1', 'latest', ''])(
  'an unknown set is rejected, with the list: %j',
  (asked) => {
    const message = expect.stringContaining([...today.sets, NEXT, LATER].join(', '));
    expect(() => laterSet(asked)).toThrow(expect.objectContaining({ name: 'UnknownSet', message }));
  },
);

test('an invalid since is one clear line', () => {
  const openapi = sources.openapi.replace(
    '      operationId: listPets',
    '      operationId: listPets\n      x-since: soon',
  );
  expect(() => loadContract({ ...sources, openapi })).toThrow('/paths/~1pets/get/x-since');
});

const options = { ...DEFAULT_OPTIONS, exhaust: 'none' as const };
const plans = new Map<Contract, RunPlan>();

/** Judges the bundled reference, which does not implement later requirements, by a contract. */
async function judgedBy(contract: Contract, changes: readonly Change[] = []) {
  const stated = new Set(contract.requirements.map(({ id }) => id));
  const checks = allChecks(contract).filter(({ requirement }) => stated.has(requirement));
  const plan = plans.get(contract) ?? makePlan(contract, checks, options);
  plans.set(contract, plan);
  const conducted = await conductBundled(contract, plan, options, { changes });
  return assemble(
    { contract, checks },
    recordOf(contract, checks, plan, { options }, conducted),
    conducted.exchanges,
    plan,
  );
}

test('a service of today conforms to the set of today, and the report lists what a newer one adds', async () => {
  const report = await judgedBy(laterSet(today.set));
  expect(report).toMatchObject({
    verdict: 'conformant',
    suite: { set: { version: today.set, requirements: today.requirements.length } },
  });
  expect(idsOf(report.newer ?? [])).toEqual([...addedNext, ...addedLater].sort());
  const page = { style: (_: unknown, text: string) => text, width: Number.POSITIVE_INFINITY } as const;
  expect(renderReport(report, { ...page, detail: 'usual' })).toMatch(
    new RegExp(`newer sets add 6: .*Pet\\.weight \\(${NEXT.replaceAll('.', '\\.')}\\)`),
  );
  expect(renderHtml(report)).toContain('newer sets add 6 requirements');
  expect(renderMarkdown(report)).toContain('newer sets add');
});

test('a newer set judges by the added requirements, and judges the others as before', async () => {
  const report = await judgedBy(laterSet(NEXT));
  const violated = report.requirements.filter(({ status }) => status === 'violated');
  expect(idsOf(violated)).toEqual(['NewMessage.message.maxLength', 'Pet.weight']);
});

const released = new Map(['0.1.0', '0.2.0', '0.3.0'].map((set) => [set, loadContract(undefined, set)]));

test.each([
  ['accepted-orders-401', '0.1.0', '0.2.0', 'authentication.accepted'],
  ['first-parsed', '0.1.0', '0.2.0', 'authentication.first'],
  ['first-looked-up', '0.1.0', '0.2.0', 'authentication.first'],
  ['counted-twice', '0.2.0', '0.3.0', 'rate-limit.count'],
  ['counted-three-times', '0.2.0', '0.3.0', 'rate-limit.count'],
])('%s violates nothing of set %s; set %s introduced %s', async (id, before, since, requirement) => {
  const changes = faults.filter((fault) => fault.id === id);
  const violated = async (set: string) => {
    const { requirements } = await judgedBy(released.get(set) as Contract, changes);
    return idsOf(requirements.filter(({ status }) => status === 'violated'));
  };
  expect(await violated(before)).toEqual([]);
  expect(await violated(since)).toEqual([requirement]);
});

test.each([
  [41, ['Pet.age.maximum']],
  [-1, ['Pet.age']],
  ['old', ['Pet.age']],
  [40, []],
])('age %j: a later rule has its own requirement', (age, violated) => {
  const field = { type: 'integer', minimum: 0, maximum: 40, 'x-since': { maximum: '0.2.0' } };
  const { deviations, met } = judgeShape({ age }, { type: 'object', properties: { age: field } }, 'Pet', 200);
  expect(deviations.map(({ requirement }) => requirement)).toEqual(violated);
  if (violated.length === 0) expect(met).toEqual(['Pet', 'Pet.age', 'Pet.age.maximum']);
});
