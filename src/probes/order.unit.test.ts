import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { statusesOf } from '../model/http/expectation.ts';
import { whole } from '../model/large/steps.ts';
import { type Probe, phaseOf, sourcesOf } from '../model/probe.ts';
import { chainsOf } from './chains.ts';
import { deriveProbes } from './derive.ts';
import { ordering } from './order.ts';

const inOrder = whole(ordering);

const contract = loadContract();
const planned = inOrder(deriveProbes(contract, [], 2));

/** What a request gets from a conformant service. */
function answerTo({ key, validity, expectation, creates }: Probe): string {
  if (key !== 'valid') return '401';
  return validity === 'invalid' ? (statusesOf(expectation)[0] ?? '') : creates ? '201' : '200';
}

/** Each kind of response with the read that follows it over the same connection. */
const followed = chainsOf(planned).flatMap((chain) =>
  chain.slice(1).flatMap((each, index) => {
    const before = chain[index];
    return before && each.validity === 'valid' && each.key === 'valid' && !each.creates
      ? [`${answerTo(before)} ${each.operation}`]
      : [];
  }),
);

test.each(
  ['listPets', 'getPet'].flatMap((operation) => ['400', '401', '404'].map((status) => [status, operation])),
)('a %s comes right before a read: %s', (status, operation) => {
  expect([...followed, ...openBefore()]).toContain(`${status} ${operation}`);
});

/** What the interface leaves open is a 404, too, if it asks for an id that hardly exists. */
function openBefore(): string[] {
  return chainsOf(planned).flatMap(([first, second]) =>
    first?.id === 'getPet:largest' && second ? [`404 ${second.operation}`] : [],
  );
}

test('a creation comes right before a list, and a read of one operation before that of another', () => {
  expect(followed).toEqual(expect.arrayContaining(['201 listPets', '200 getPet']));
});

test('a read without a key comes right after a creation', () => {
  const pairs = chainsOf(planned).flatMap((chain) =>
    chain.slice(1).map((each, index) => [chain[index], each]),
  );
  const after = pairs.filter(([before]) => before?.creates && answerTo(before) === '201');
  expect(after.map(([, each]) => each?.key)).toContain('absent');
});

test.each(['listPets', 'createPet', 'getPet', 'getStoreOrders', 'sendMessage'])(
  '%s: a wrong key comes before the right one; after it, one that is like a key',
  (operation) => {
    const isPlain = ({ rule, key }: Probe) => rule !== 'authentication.first' && key !== 'absent';
    const own = chainsOf(planned).map((chain) =>
      chain.filter((each) => each.operation === operation && isPlain(each)).map((each) => answerTo(each)),
    );
    const pairs = own.flatMap((statuses) => statuses.slice(1).map((each, index) => [statuses[index], each]));
    expect(pairs.some(([before, after]) => before === '401' && /^2/.test(after ?? ''))).toBe(true);
    if (operation !== 'sendMessage')
      expect(pairs.some(([before, after]) => /^2/.test(before ?? '') && after === '401')).toBe(true);
  },
);

test('a creation that has to be accepted comes right after a refused one', () => {
  const pairs = chainsOf(planned).flatMap((chain) =>
    chain.slice(1).map((each, index) => [chain[index], each] as const),
  );
  const isDue = ({ stage, expectation }: Probe) => stage === 'create' && expectation.kind === 'due';
  expect(pairs.filter(([before, each]) => before && answerTo(before) === '400' && isDue(each))).toHaveLength(
    1,
  );
});

const phaseOfChain = ([first]: readonly Probe[]) => (first ? phaseOf(first) : -1);

const without = (isLeftOut: (probe: Probe) => boolean) => planned.filter((each) => !isLeftOut(each));

describe.each<[plan: string, probes: readonly Probe[]]>([
  ['a whole run', planned],
  ['a run without wrong keys', without(({ key }) => key !== 'valid')],
  ['a run without refusals', without(({ stage }) => stage === 'invalid' || stage === 'keys')],
  ['a run without creations', without(({ creates }) => creates)],
  ['a run of creations and wrong keys', without(({ stage }) => !['create', 'keys', 'read'].includes(stage))],
  ['no run', []],
])('%s', (_plan, probes) => {
  const ordered = inOrder(probes.map(({ follows: _, ...probe }) => probe));

  test('sends each request once', () => {
    expect(ordered.map(({ id }) => id).sort()).toEqual(probes.map(({ id }) => id).sort());
  });

  test('goes on phase by phase', () => {
    const phases = chainsOf(ordered).map(phaseOfChain);
    expect(phases).toEqual(phases.toSorted((one, other) => one - other));
  });

  test('reads what was created in an earlier phase, or before in the same chain', () => {
    const chains = chainsOf(ordered);
    const place = (id: string) => chains.findIndex((chain) => chain.some((each) => each.id === id));
    for (const [index, chain] of chains.entries())
      for (const [turn, probe] of chain.entries())
        for (const source of sourcesOf(probe)
          .map(place)
          .filter((found) => found >= 0)
          .slice(0, 1)) {
          const isBefore = chain.slice(0, turn).some((each) => sourcesOf(probe).includes(each.id));
          expect(
            isBefore || phaseOfChain(chains[source] ?? []) < phaseOfChain(chains[index] ?? []),
            probe.id,
          ).toBe(true);
        }
  });
});

test('odd seeds have a read right after the message that is accepted, even ones do not', () => {
  const afterMessage = (seed: number) =>
    chainsOf(inOrder(deriveProbes(contract, [], seed), seed)).flatMap((chain) =>
      chain.flatMap(({ id }, index) =>
        chain[index - 1]?.operation === 'sendMessage' && id.startsWith('getPet:') ? [id] : [],
      ),
    );
  expect(afterMessage(0)).toEqual([]);
  expect(afterMessage(1)).toEqual(['getPet:createPet:full-3']);
});
