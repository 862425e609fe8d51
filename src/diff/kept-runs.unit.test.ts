import { expect, test } from 'vitest';
import type { RequirementChange } from '../contract/requirement-changes.ts';
import type { Level, Requirement } from '../model/contract.ts';
import { coveredBy, type KeptRun } from './kept-runs.ts';

const requirement = (id: string, level: Level = 'must'): Requirement => ({
  ...{ id, level, section: 's', statement: `${id} holds.`, source: 'listed', since: '0.1.0' },
});

const run = (more: Partial<KeptRun> = {}): KeptRun => ({
  ...{ name: 'store 1.0', startedAt: '2026-11-28T12:00:00Z', met: new Set(['a', 'b']), advised: new Set() },
  ...more,
});

const change = (id: string, kind: RequirementChange['change']): RequirementChange => ({ id, change: kind });

test.each<[what: string, changes: RequirementChange[], expected: object]>([
  ['nothing differs', [], { of: 2, met: 2, fresh: [], tighter: [], broken: [], untested: [] }],
  ['one is new', [change('b', 'appears')], { met: 1, fresh: ['b'] }],
  ['one allows less', [change('b', 'tightens')], { met: 1, tighter: ['b'] }],
  ['one asks for something else', [change('b', 'changes')], { met: 1, tighter: ['b'] }],
  ['one is said in other words', [change('b', 'rewords')], { met: 1, tighter: ['b'] }],
  ['one allows more', [change('b', 'loosens')], { met: 2, tighter: [] }],
  ['another one is gone', [change('c', 'goes')], { met: 2 }],
])('of a run that met two requirements, %s', (_what, changes, expected) => {
  expect(coveredBy(run(), changes, [requirement('a'), requirement('b')])).toMatchObject(expected);
});

test('what was not kept as good practice breaks once it is a must', () => {
  const advised = run({ met: new Set(['a']), advised: new Set(['b']) });
  const all = [requirement('a'), requirement('b'), requirement('c', 'should')];
  expect(coveredBy(advised, [change('b', 'tightens')], all)).toMatchObject({ of: 2, met: 1, broken: ['b'] });
  // Nobody knows that of one that the run did not judge.
  expect(coveredBy(run({ met: new Set(['a']) }), [change('b', 'tightens')], all)).toMatchObject({
    broken: [],
    tighter: ['b'],
  });
});

test('what a narrowed run left out is told apart from what is new', () => {
  const narrowed = run({ met: new Set(['a']) });
  expect(coveredBy(narrowed, [], [requirement('a'), requirement('b')])).toMatchObject({
    met: 1,
    untested: ['b'],
  });
});
