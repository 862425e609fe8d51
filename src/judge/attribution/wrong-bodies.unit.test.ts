import { describe, expect, test } from 'vitest';
import { answered, contract, HEADERS, type Step } from '../../../test/operations/lax-tasks.ts';
import type { Deviation } from '../../model/finding.ts';
import { inconclusiveOf, type Judged } from '../evidence/judged.ts';
import { attributeWrongBodies } from './wrong-bodies.ts';

const attributed = (...steps: Step[]) => attributeWrongBodies(answered(...steps), contract);
const ids = (deviations: readonly Deviation[] = []) => deviations.map(({ requirement }) => requirement);
/** What is held against the response that came last. */
const last = (...steps: Step[]) => ids(attributed(...steps).at(-1)?.deviations);

const ITEM = '/tasks/12';
const make = (sent: unknown, shown: unknown = { id: 12, title: 'a' }): Step => ({
  by: 'makeTask',
  sent,
  shown,
});
const change = (sent: unknown, shown: unknown = { id: 12, title: 'a' }): Step => ({
  by: 'changeTask',
  at: ITEM,
  sent,
  shown,
});
const read = (shown: unknown): Step => ({ by: 'readTask', at: ITEM, shown });
const list = (...shown: unknown[]): Step => ({ by: 'listTask', shown: [{ id: 1, title: 'b' }, ...shown] });
const WRONG = { id: 12, title: 5 };

describe('of what was added with a wrong body, a read and a list', () => {
  test.each<[what: string, sent: object, shown: object, held: string[]]>([
    ['the wrong value', { title: 5 }, { title: 5 }, []],
    ['what the service made of it', { title: 5 }, { title: '' }, []],
    ['what it made of one of two', { title: 5, done: 'no' }, { title: null, done: true }, []],
    ['null for the title that is missing', { level: 'low' }, { title: null }, []],
    ['no title, as none was sent', { level: 'low' }, { level: 'low' }, []],
    ['a title of its own', { level: 'low' }, { title: 5 }, ['Task.title']],
    ['a level of its own', { title: 5 }, { title: 5, level: 7 }, ['Task.level']],
    ['another level', { title: 5, level: 'low' }, { title: 5, level: 7 }, ['Task.level']],
    ['no level, though one was sent', { title: 5, level: 'low' }, { title: 5, level: null }, ['Task.level']],
    [
      'no level, though one was sent beside an object',
      { title: 5, level: 'low', owner: { name: 'b' } },
      { title: 5, level: null, owner: { name: 'b' } },
      ['Task.level'],
    ],
    [
      'a note that a request may have so, and a response not',
      { title: 5, note: 7 },
      { title: 'a', note: 7 },
      [],
    ],
    ['the name inside', { title: 'a', owner: { name: 5 } }, { title: 'a', owner: { name: null } }, []],
    [
      'another age beside the wrong name',
      { title: 'a', owner: { name: 5, age: 3 } },
      { title: 'a', owner: { name: 5, age: 'three' } },
      ['Task.owner.age'],
    ],
    ['the field too many', { title: 'a', extra: 1 }, { title: 'a', extra: '1' }, []],
    ['a field too many of its own', { title: 'a', extra: 1 }, { title: 'a', other: 1 }, ['Task']],
    [
      'another level, after more fields than there may be',
      { title: 'a', level: 'low', done: true, note: 'b', owner: {} },
      { title: 'a', level: 7 },
      ['Task.level'],
    ],
  ])('show %s', (_what, sent, shown, held) => {
    const task = { id: 12, ...shown };
    expect(last(make(sent), read(task))).toEqual(held);
    expect(last(make(sent), list(task))).toEqual(held);
  });

  test('show another thing, which is their own', () => {
    expect(last(make({ title: 5 }), read({ id: 13, title: 5 }))).toEqual(['Task.title']);
    expect(last(make({ title: 5 }), list({ id: 13, title: 5 }))).toEqual(['Task.title']);
  });

  test.each([['a12'], [9007199254740993n]])('show it by the id %s', (id) => {
    expect(last(make({ title: 5 }, { id, title: 'a' }), list({ id, title: 5 }))).toEqual([]);
  });

  test('show it in an object of its own, if it was sent so, or if they show all things so', () => {
    const card: Step = {
      by: 'makeCard',
      sent: { task: { title: 5 } },
      shown: { task: { id: 12, title: 'a' } },
    };
    expect(last(card, { by: 'readCard', at: '/cards/12', shown: { task: WRONG } })).toEqual([]);
    expect(last(card, read(WRONG))).toEqual([]);
    expect(last(card, read({ ...WRONG, level: 7 }))).toEqual(['Task.level']);
  });
});

describe('of what was changed by a wrong body', () => {
  test('a read shows what was sent', () => {
    expect(last(change({ title: 5 }), read(WRONG))).toEqual([]);
    expect(last(change({ title: 5 }), list(WRONG))).toEqual([]);
  });

  test('a read that came before shows its own', () => {
    const [before, changed] = attributed(read(WRONG), change({ title: 5 }));
    expect(ids(before?.deviations)).toEqual(['Task.title']);
    expect(changed).toEqual(answered(read(WRONG), change({ title: 5 }))[1]);
  });

  test('what a change lacks stays as it was, and what a whole one lacks is gone', () => {
    const wrong = { done: 'no' };
    const replace: Step = { ...change({ ...wrong }), by: 'replaceTask' };
    for (const shown of [{ id: 12 }, { id: 12, title: null }]) {
      expect(last(change(wrong), read({ ...shown, done: true }))).toEqual(['Task.title']);
      expect(last(replace, read({ ...shown, done: true }))).toEqual([]);
    }
  });

  test.each([
    ['/tasks/12/', 12],
    ['/tasks/a%2Fb', 'a/b'],
    ['/tasks/50%', '50%'],
  ])('the last part of %s is the id %s', (at, id) => {
    expect(last({ ...change({ title: 5 }), at }, list({ id, title: 5 }))).toEqual([]);
  });

  test('there is no id if it is all that the service has', () => {
    const board: Step = { by: 'setBoard', sent: { title: 5 }, shown: { id: 1, title: 'a' } };
    expect(last(board, read({ id: 'undefined', title: 5 }))).toEqual(['Task.title']);
  });
});

describe('the response to a body that is no object', () => {
  test.each([[7], ['{"title": '], ['']])('may have any form: %j', (sent) => {
    const [made, seen] = attributed(make(sent, { level: 7 }), list({ id: 13, title: 5 }));
    expect(made).toMatchObject({ outcome: 'deviant', deviations: [{ requirement: 'makeTask.body' }] });
    expect(ids(made?.hidden)).toEqual(['makeTask.400']);
    expect(ids(seen?.deviations)).toEqual(['Task.title']);
  });

  test('is judged as before if it is a page', () => {
    const page: Step = { ...make(7, '<p>'), headers: [['Content-Type', 'text/html'], ...HEADERS.slice(1)] };
    expect(attributed(page)).toEqual(answered(page));
  });

  test('of a form is judged, as no form is JSON', () => {
    const form: Step = { by: 'makeForm', sent: 'title=&level=low', shown: { id: 12, title: 5 } };
    expect(attributed(form, read(WRONG))).toEqual(answered(form, read(WRONG)));
  });
});

describe('the request that sent the body', () => {
  const SINCE = '; GET /tasks/{id}';
  const reasonsOf = (...steps: Step[]) => attributed(...steps)[0]?.deviations.map(({ reason }) => reason);

  test.each<[since: string, shown: Step[]]>([
    ['', []],
    [`${SINCE} shows it since`, [read(WRONG), read(WRONG)]],
    [`${SINCE}, GET /tasks show it since`, [read(WRONG), list(WRONG)]],
  ])('says where it is shown: %j', (since, shown) => {
    expect(reasonsOf(make({ title: 5 }, WRONG), ...shown)).toEqual([
      `a wrong body: accepted with 201${since}`,
    ]);
  });

  test('owns what its response shows of it, and not what is wrong besides', () => {
    const [made] = attributed(make({ title: 5 }, { ...WRONG, level: 7 }));
    const [before] = answered(make({ title: 5 }, { ...WRONG, level: 7 }));
    expect(ids(before?.hidden)).toEqual(['makeTask.400', 'Task.title', 'Task.level']);
    expect(made).toEqual({ ...before, hidden: before?.hidden.filter((each) => each.pointer !== '/title') });
  });

  test('is a finding also where the document says nothing of refusals, beside what else is wrong with it', () => {
    const headers = HEADERS.slice(0, 1);
    const open: Step = { ...make({ title: 5 }, { ...WRONG, level: 7 }), isOpen: true, headers };
    const [made] = attributed(open);
    const [before] = answered(open);
    expect(ids(before?.deviations)).toEqual(['X-Version', 'Task.title', 'Task.level']);
    const owner = {
      requirement: 'makeTask.body',
      kind: 'status',
      reason: 'a wrong body: accepted with 201',
      expected: 'a rejection',
      received: 'status 201',
    };
    const [header, , level] = before?.deviations ?? [];
    expect(made).toEqual({ ...before, deviations: [owner, header, level] });
  });

  test('is found among what else is wrong with it', () => {
    const header = {
      requirement: 'X-Version',
      kind: 'header',
      reason: 'r',
      expected: 'e',
      received: 'r',
    } as const;
    const [made, seen] = answered(make({ title: 5 }), read(WRONG)) as [Judged, Judged];
    const [acceptance] = made.deviations;
    const judged = [{ ...made, deviations: [header, ...made.deviations] }, seen];
    expect(attributeWrongBodies(judged, contract)[0]?.deviations).toEqual([
      { ...acceptance, reason: `a wrong body: accepted with 201${SINCE} shows it since` },
      header,
    ]);
  });

  test('is another one for each body', () => {
    const other: Step = { ...change({ level: 7 }), at: '/tasks/13' };
    const all = attributed(make({ title: 5 }), other, list(WRONG, { id: 13, title: 'a', level: 7 }));
    expect(all.map(({ deviations }) => ids(deviations))).toEqual([
      ['makeTask.body'],
      ['changeTask.body'],
      [],
    ]);
    expect(all.flatMap(({ deviations }) => deviations.map(({ reason }) => reason))).toEqual([
      'a wrong body: accepted with 201; GET /tasks shows it since',
      'a wrong body: accepted with 200; GET /tasks shows it since',
    ]);
  });
});

test('what shows a wrong body says nothing else, and names the request that sent it', () => {
  const cause = { reason: 'it shows a wrong body that was accepted', cause: 'makeTask.body' };
  const [made, seen] = attributed(make({ title: 5 }, WRONG), {
    ...read(WRONG),
    headers: HEADERS.slice(0, 1),
  });
  expect(made).not.toHaveProperty('inconclusive');
  expect(ids(seen?.deviations)).toEqual(['X-Version']);
  expect(seen && inconclusiveOf(seen)).toEqual(cause);
});

test.each<[what: string, probe: Partial<Judged['probe']>]>([
  ['what was written to see whether it is refused explains it', { isWriting: true }],
  ['what another client sent for its own reasons explains nothing', {}],
])('where a wrong value was sent before it is shown, %s', (_what, { isWriting }) => {
  const [made, seen] = answered(make({ title: 5 }), read(WRONG)) as [Judged, Judged];
  const { isWriting: _, ...sent } = made.probe;
  const probe = isWriting ? { ...sent, isWriting } : sent;
  const recorded = isWriting ? {} : ({ recorded: 'traffic' } as const);
  const judged = [{ ...made, probe, exchange: { ...made.exchange, ...recorded } }, seen];
  expect(ids(attributeWrongBodies(judged, contract)[1]?.deviations)).toEqual(isWriting ? [] : ['Task.title']);
});
