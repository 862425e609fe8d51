import { describe, expect, test } from 'vitest';
import { entry } from '../../test/reports/history.ts';
import { plain } from '../report/text/style.ts';
import { courseBuilder } from './course.ts';
import type { HistoryEntry } from './entry.ts';
import { renderHistory, trend } from './history-text.ts';

describe('the text', () => {
  const text = (entries: readonly HistoryEntry[], width = 100) => {
    const builder = courseBuilder(entries[0]?.name ?? '');
    for (const each of entries) builder.add(each);
    return renderHistory(
      [builder.course()].flatMap((each) => each ?? []),
      { style: plain, width },
    );
  };

  test('says what changed, since when, what flickers, and how it went', () => {
    const runs = [
      entry(0, { a: 'violated', b: 'met', c: 'met' }),
      entry(1, { a: 'violated', b: 'met', c: 'violated' }),
      entry(2, { a: 'met', b: 'violated', c: 'met' }, { release: '2.0' }),
    ];
    expect(text(runs)).toBe(`store: 3 runs, 2026-01-01 to 2026-01-03, the last of release 2.0
  verdict  ✗✗✗  non-conformant since 2026-01-01; some requirement violated
  violated ▅█▅  1 requirement in the last run
  latency  ▇▇█  median 12 ms, 95% within 22 ms
  worse than the run before: b
  better than the run before: a, c
  violated (1):
    b  since 2026-01-03 (release 2.0), 1 run
  flickers (1):
    c  ✓✗✓  changed 2 times
`);
  });

  test('says how much a narrowed verdict covers', () => {
    const narrowed = entry(0, { a: 'met' }, { narrowed: true, judged: { requirements: 1, of: 71 } });
    expect(text([narrowed])).toContain(
      'verdict  ✓  conformant (1 of 71 requirements judged) since 2026-01-01; no requirement violated',
    );
  });

  test('a hostile history reaches the terminal neither as a command nor as a new line', () => {
    const bad = '\u001b]0;title\u0007\n::error::x\u202e##[group]';
    const shown = text(
      [
        entry(0, { [bad]: 'met' }, { name: bad, because: bad, release: bad }),
        entry(1, { [bad]: 'violated' }, { name: bad, because: bad, release: bad }),
      ],
      Number.POSITIVE_INFINITY,
    );
    for (const part of ['\u001b', '\u0007', '\u202e', '##[']) expect(shown).not.toContain(part);
    expect(shown).not.toMatch(/^\s*::/m);
    expect(shown.split('\n')).toHaveLength(8);
  });

  test('may have more requirements than a function takes arguments', () => {
    const builder = courseBuilder('store');
    builder.add(entry(0, { a: 'violated' }));
    const course = builder.course();
    const [only] = course?.requirements ?? [];
    if (!course || !only) throw new Error('no requirement');
    const requirements = Array.from({ length: 150_000 }, () => only);
    const shown = renderHistory([{ ...course, requirements }], { style: plain, width: 100 });
    expect(shown).toContain('violated (150000):\n    a  since 2026-01-01');
  });

  test('lines fit a narrow terminal', () => {
    const runs = Array.from({ length: 100 }, (_, index) =>
      entry(index, { a: index % 2 ? 'met' : 'violated' }),
    );
    for (const line of text(runs, 60).split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});

test('a trend goes from zero to the largest', () => {
  expect(trend([0, 50, 100, undefined, 25])).toBe('▁▅█ ▃');
  expect(trend([0, 0])).toBe('▁▁');
  expect(trend([0, 1, 100])).toBe('▁▂█');
});
