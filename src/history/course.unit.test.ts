import { describe, expect, test } from 'vitest';
import { entry } from '../../test/reports/history.ts';
import { courseBuilder } from './course.ts';

describe('a course', () => {
  const course = (...statuses: Parameters<typeof entry>[1][]) => {
    const builder = courseBuilder('store');
    for (const [index, each] of statuses.entries()) builder.add(entry(index, each));
    return builder.course();
  };
  const of = (id: string, ...statuses: Parameters<typeof entry>[1][]) => {
    const {
      statuses: _,
      section: __,
      ...rest
    } = course(...statuses)?.requirements.find((each) => each.id === id) ?? {};
    return rest;
  };

  test.each<[string, Parameters<typeof entry>[1][string][], object]>([
    ['met', ['met', 'met'], {}],
    ['violated from the start', ['violated', 'violated'], { violatedSince: 0 }],
    ['worse', ['met', 'met', 'violated'], { change: 'worse', violatedSince: 2 }],
    [
      'worse, not tested in between',
      ['met', 'not-tested', 'violated'],
      { change: 'worse', violatedSince: 2 },
    ],
    ['violated for long', ['met', 'violated', 'violated'], { violatedSince: 1 }],
    ['violated, not tested now', ['met', 'violated', 'not-tested'], { violatedSince: 1 }],
    ['better', ['violated', 'unexercised'], { change: 'better' }],
    ['flickers', ['met', 'violated', 'met'], { change: 'better', flickers: 2 }],
    ['an advisory does not judge', ['met', 'advisory'], {}],
    ['observed', ['observed', 'observed'], {}],
  ])('%s', (_, statuses, expected) => {
    expect(of('a', ...statuses.map((a) => ({ a })))).toEqual({
      id: 'a',
      status: statuses.at(-1),
      ...expected,
    });
  });

  test('with --strict, an advisory is a violation', () => {
    const builder = courseBuilder('store');
    for (const number of [1, 2])
      builder.add(entry(number, { a: number === 1 ? 'met' : 'advisory' }, { strict: true }));
    expect(builder.course()?.requirements).toMatchObject([{ change: 'worse', violatedSince: 1 }]);
  });

  test('a requirement that another version of the interface lacks is neither better nor worse', () => {
    expect(of('b', { a: 'met' }, { a: 'met', b: 'violated' })).toEqual({
      id: 'b',
      status: 'violated',
      violatedSince: 1,
    });
    expect(of('b', { a: 'met', b: 'violated' }, { a: 'met' })).toEqual({
      id: 'b',
      status: undefined,
      violatedSince: 0,
    });
  });

  test('runs are in the order of their time, not of the file', () => {
    const builder = courseBuilder('store');
    for (const number of [3, 1, 2]) builder.add(entry(number, { a: number === 3 ? 'violated' : 'met' }));
    expect(builder.course()?.runs.map(({ report }) => Number.parseInt(report, 16))).toEqual([1, 2, 3]);
    expect(builder.course(2)?.runs).toHaveLength(2);
    expect(builder.course()?.requirements).toMatchObject([{ change: 'worse' }]);
  });
});
