import { group } from 'd3-array';
import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import {
  type Answer,
  contract,
  exchangeOf,
  falling,
  type Run,
  shown,
} from '../../test/limiters/limited-runs.ts';
import type { Evidence } from '../judge/evidence/check.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  byAddress,
  byOperation,
  countsIn,
  furtherPartitions,
  PARTITIONS,
  type Partition,
  upgradeOf,
} from './counts.ts';

const list = exchange({ operation: 'listPets' });
const check = exchange({ operation: 'checkPets', method: 'HEAD' });
const create = exchange({ operation: 'createPet', method: 'POST' });
const message = exchange({ operation: 'sendMessage', method: 'POST', address: 'apiUrl' });

const operations = [
  { id: 'listPets', path: '/pets' },
  { id: 'createPet', path: '/pets' },
  { id: 'checkPets', path: '/pets/check' },
];

const judgedOf = (exchanges: readonly Exchange[]) =>
  ({
    judged: exchanges.map((each) => ({ exchange: each })),
    contract: { operations },
  }) as unknown as Pick<Evidence, 'judged' | 'contract'>;

/** Each way to count by the requests that it counts together. */
function togetherBy(partitions: readonly Partition[], exchanges: readonly Exchange[]): string[] {
  return partitions.map((partition) => {
    const groups = group(exchanges, partition).values();
    return [...groups].map((each) => each.map(({ operation }) => operation).join('+')).join(', ');
  });
}

test('requests count together by address, all, or by operation', () => {
  expect(togetherBy(PARTITIONS, [list, create, message])).toEqual([
    'listPets+createPet, sendMessage',
    'listPets+createPet+sendMessage',
    'listPets, createPet, sendMessage',
  ]);
});

describe('other ways to count', () => {
  test('are reads and writes apart, or one operation, for each address or for both, or each path', () => {
    const exchanges = [list, check, create, message];
    expect(togetherBy(furtherPartitions(judgedOf(exchanges)), exchanges)).toEqual([
      'listPets+checkPets, createPet, sendMessage',
      'listPets, checkPets+createPet, sendMessage',
      'listPets+createPet, checkPets, sendMessage',
      'listPets+checkPets, createPet, sendMessage',
      'listPets+checkPets+createPet, sendMessage',
      'listPets+checkPets, createPet+sendMessage',
      'listPets, checkPets+createPet+sendMessage',
      'listPets+createPet+sendMessage, checkPets',
      'listPets+checkPets+sendMessage, createPet',
      'listPets+checkPets+createPet, sendMessage',
      'listPets+createPet, checkPets, sendMessage',
    ]);
  });

  test.each([
    [8, 19],
    [9, 3],
  ])('of %i operations are %i', (count, expected) => {
    const exchanges = Array.from({ length: count }, (_, id) => exchange({ operation: `operation ${id}` }));
    expect(furtherPartitions(judgedOf([...exchanges, ...exchanges]))).toHaveLength(expected);
  });
});

describe('the counts of a run', () => {
  const all: Partition = () => 'all';
  const ofDay: Answer = { limit: 1_000, remaining: 999, resetIn: 40_000 };
  const minute = { limit: 60, windowMs: 60_000, burst: 0 };
  const day = { limit: 1_000, windowMs: 86_400_000, burst: 0 };
  const open: Run = { plan: '', limits: {} };

  test.each<[what: string, answers: Answer[], run: Run, figures: object[]]>([
    ['that the plan states', [{ limit: undefined }], {}, [minute]],
    ['that the headers tell', falling([59, 58]), open, [minute]],
    ['of both windows', [...falling([59]), ofDay], {}, [minute, day]],
    ['of a day alone', [ofDay], { plan: 'custom', limits: { day: 1_000 } }, [day]],
    ['that nothing tells', [{ limit: undefined }], open, []],
    ['that only a wrong key is told', [{ key: 'absent', status: 401, remaining: 59 }], open, []],
    ['of two limits of one window', [...falling([59]), { limit: 61, remaining: 58 }], open, []],
    ['of one limit for both windows', [...falling([59]), { ...ofDay, limit: 60 }], open, []],
  ])('%s', (_what, answers, run, figures) => {
    expect(countsIn(shown(answers, run))(all).map((each) => each.figures)).toEqual(figures);
  });

  test('need no plan', () => {
    const { limits: _, ...evidence } = shown(falling([59]));
    expect(countsIn(evidence)(all).map((each) => each.figures)).toEqual([minute]);
  });

  const idsOf = (evidence: Evidence, partition = all) =>
    countsIn(evidence)(partition).map(({ track }) => track.observations.map((each) => each.exchange.id));

  test('are not looked for if the run dropped some of its exchanges', () => {
    const evidence = shown(falling([59, 58, 57, 56]));
    const { judged } = evidence;
    expect(idsOf({ ...evidence, judged: judged.slice(1) })).toEqual([[2, 3, 4]]);
    expect(idsOf({ ...evidence, judged: judged.toSpliced(1, 1) })).toEqual([]);
    expect(idsOf({ ...evidence, judged: [] })).toEqual([]);
  });

  test('end with an upgrade of the plan', () => {
    const upgraded = [60, 60, 300, 300].map((limit): Answer => ({ limit, remaining: 1 }));
    expect(idsOf(shown(upgraded, open))).toEqual([[1, 2]]);
  });

  test('of several ways to count are the same if the same requests count together', () => {
    const { operation, address } = {
      operation: byOperation,
      address: byAddress,
    };
    const answers: Answer[] = [...falling([59, 58]), { operation: 'sendMessage', remaining: 9 }];
    const countsOf = countsIn(shown(answers, open));
    const [pets, messages] = countsOf(address);
    expect(countsOf(operation)).toEqual([pets, messages]);
    expect(countsOf(operation)[0]).toBe(pets);
    expect(countsOf(all)[0]).not.toBe(pets);
    expect(idsOf(shown(answers, open), operation)).toEqual([[1, 2], [3]]);
    expect(idsOf(shown(answers.slice(1), open), operation)).toEqual([[1], [2]]);
  });

  test('know which requests were sent to another spelling of their address: those may cost something else', () => {
    const evidence = shown(falling([59, 58]));
    const judged = evidence.judged.map((each, index) =>
      index === 0 ? each : { ...each, probe: { ...each.probe, spelling: 'slash' as const } },
    );
    const [minute] = countsIn({ ...evidence, judged })(all);
    expect(minute?.track.observations.map(({ kind }) => kind)).toEqual([
      'listPets, 200',
      'another spelling, listPets:list',
    ]);
  });

  test('have no bound for others if the key is shared', () => {
    const othersOf = (sharedKey: boolean) =>
      countsIn(shown(falling([59]), { sharedKey }))(all)[0]?.track.observations[0]?.others;
    expect([othersOf(false), othersOf(true)]).toEqual([0, Number.POSITIVE_INFINITY]);
  });
});

const limits = (...figures: number[]): Answer[] => figures.map((limit) => ({ limit }));

test.each<[what: string, answers: Answer[], at: number | undefined]>([
  ['one plan', limits(60, 60, 60), undefined],
  ['one plan that is not the lowest', limits(300, 300), undefined],
  ['both windows of one plan', limits(60, 1_000, 60), undefined],
  ['a higher plan from then on', limits(60, 60, 300, 300), 3],
  ['with both of its windows', limits(60, 300, 10_000), 2],
  ['a lower plan', limits(300, 60), undefined],
  ['a higher plan, and back', limits(60, 300, 60), undefined],
  ['a figure of no plan', limits(60, 70), undefined],
  ['an agreed limit above all plans', limits(60, 5_000, 5_000), 2],
  ['an agreed limit, and another one', limits(60, 5_000, 7_000), undefined],
  ['a wrong key says nothing', [...limits(60), { limit: 300, key: 'absent', status: 401 }], undefined],
  ['a response without Limit says nothing', [...limits(60), { limit: undefined }, ...limits(300)], 3],
  ['no Limit at all', [{ limit: undefined }], undefined],
])('%s', (_what, answers, at) => {
  const exchanges = answers.map((answer, index) => exchangeOf(answer, index + 1));
  expect(upgradeOf(exchanges, contract.ratePlans)?.id).toBe(at);
});

test('a response that was under way may cross', () => {
  const [first, second, third] = limits(60, 300, 60).map((answer, index) => exchangeOf(answer, index + 1));
  if (!first || !second || !third) throw new Error('three exchanges are needed');
  const crossing = { ...third, sentAt: second.sentAt };
  expect(upgradeOf([first, second, crossing], contract.ratePlans)?.id).toBe(2);
});
