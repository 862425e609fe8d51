import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handMade } from '../../test/hand-made-report.ts';
import { entry } from '../../test/history.ts';
import { plain } from '../report/text/style.ts';
import { addEntries } from './add.ts';
import { courseBuilder } from './course.ts';
import { entryOf, type HistoryEntry } from './entry.ts';
import { withLock } from './file-lock.ts';
import { renderHistory } from './history-text.ts';
import { linesOf } from './lines.ts';
import { type BadLine, entriesOf, readEntry } from './read.ts';
import { trend } from './trend.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-history-'));
  path = join(folder, 'history.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(): { entries: HistoryEntry[]; bad: BadLine[] } {
  const bad: BadLine[] = [];
  const file = openSync(path, 'r');
  const entries = [...entriesOf(file, (each) => bad.push(each))];
  closeSync(file);
  return { entries, bad };
}

const met = entry(1, { a: 'met' });
const other = entry(2, { a: 'violated' });

describe('an entry', () => {
  test('keeps each status of a report, by section', () => {
    const { sections, ...rest } = entryOf(handMade, 'ab'.repeat(32), { name: 'store', release: '1.0' });
    expect(rest).toMatchObject({
      report: 'ab'.repeat(32),
      name: 'store',
      release: '1.0',
      verdict: 'non-conformant',
      requests: 2,
      latency: { median: 50, p95: 50, max: 50 },
    });
    expect(sections).toEqual([
      {
        name: 'GET /pets (listPets)',
        statuses: {
          met: ['listPets.200'],
          unexercised: ['listPets.limit'],
          violated: ['listPets.status'],
          observed: ['open.ordering'],
        },
      },
      { name: 'Versioning', statuses: { advisory: ['getPet.sunset'] } },
      { name: 'POST /pets (createPet)', statuses: { 'not-tested': ['createPet.201'] } },
      { name: 'GET /pets/{petId} (getPet)', statuses: { 'not-tested': ['getPet.stored'] } },
    ]);
  });

  test('is named after the base URL if nothing else is said, and long texts are cut', () => {
    expect(entryOf(handMade, '').name).toBe('https://staging.example.com/v1');
    const long = entryOf({ ...handMade, because: 'x'.repeat(1_000_000) }, 'ab'.repeat(32));
    expect(readEntry(Buffer.from(JSON.stringify(long)))).toEqual(long);
    expect(long.because).toHaveLength(300);
  });

  const many = {
    name: 'Listing',
    statuses: { met: Array.from({ length: 1_500 }, (_, index) => `${index}`) },
  };
  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'not valid JSON'],
    ['another version', { ...met, schemaVersion: 2 }, '/schemaVersion must be equal to constant'],
    ['no digest', { ...met, report: '../../etc/passwd' }, '/report must match pattern'],
    ['a time that is none', { ...met, startedAt: 'yesterday' }, '/startedAt must match format'],
    ['a text without end', { ...met, name: 'x'.repeat(301) }, '/name must NOT have more than 300'],
    ['too many requirements', { ...met, sections: [many, many] }, 'more than 2000 requirements'],
  ])('that is not one is refused: %s', (_, value, words) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(readEntry(Buffer.from(text))).toContain(words);
  });
});

describe('a file', () => {
  test('has a line for each report, however often it is added', async () => {
    expect(await addEntries(path, [met, met])).toEqual({ isNew: [true, false], removed: 0 });
    expect(await addEntries(path, [other, met])).toEqual({ isNew: [true, false], removed: 0 });
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(met)}\n${JSON.stringify(other)}\n`);
    expect(readdirSync(folder)).toEqual(['history.jsonl']);
  });

  test('that ends in the middle of a line: the next addition removes the cut line, and keeps all others', async () => {
    const whole = `${JSON.stringify(met)}\n`;
    for (const length of [1, 10, 30, 200, JSON.stringify(other).length - 1]) {
      const cut = JSON.stringify(other).slice(0, length);
      writeFileSync(path, whole + cut);
      expect(read()).toEqual({
        entries: [met],
        bad: [{ line: 2, problem: expect.stringContaining('is cut') }],
      });
      expect(await addEntries(path, [other])).toEqual({ isNew: [true], removed: length });
      expect(read()).toEqual({ entries: [met, other], bad: [] });
    }
  });

  test('that only lacks the last line break loses nothing', async () => {
    writeFileSync(path, JSON.stringify(met));
    expect(await addEntries(path, [other, met])).toEqual({ isNew: [true, false], removed: 0 });
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(met)}\n${JSON.stringify(other)}\n`);
  });

  test.each(['{"a": 1}\n', '{\n  "schemaVersion": 1\n', 'notes', `${'x'.repeat(3_000_000)}`])(
    'of something else is left as it is: %#',
    async (text) => {
      writeFileSync(path, text);
      await expect(addEntries(path, [met])).rejects.toThrow('line 1 is not an entry of a history');
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('with bad lines and repeated reports still tells its other runs', () => {
    const lines = [met, 'garbage', met, { ...other, verdict: 'fine' }, other];
    writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(read()).toEqual({
      entries: [met, other],
      bad: [
        { line: 2, problem: expect.stringContaining('it must be object') },
        { line: 4, problem: expect.stringContaining('/verdict must be equal to one of') },
      ],
    });
  });

  test('is read line by line, over the borders of chunks', () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `${index}`.repeat(1 + (index % 997)));
    const tooLong = 'x'.repeat(2 * 1024 * 1024 + 1);
    writeFileSync(path, [...texts, tooLong, '', 'end'].join('\n'));
    const file = openSync(path, 'r');
    const lines = Array.from(linesOf(file), ({ bytes, ...each }) => ({ ...each, text: bytes?.toString() }));
    closeSync(file);
    expect(lines.map(({ text }) => text)).toEqual([...texts, undefined, '', 'end']);
    expect(lines.at(-1)).toMatchObject({ number: 2_003, isWhole: false });
    const bytes = readFileSync(path);
    for (const { offset, text = '' } of lines)
      expect(bytes.toString('latin1', offset, offset + text.length)).toBe(text);
  });
});

describe('a lock', () => {
  const lock = () => join(folder, 'a.lock');

  test('lets one at a time act, and is gone afterwards', async () => {
    let inside = 0;
    const acts = Array.from({ length: 20 }, () =>
      withLock(lock(), () => {
        inside += 1;
        expect(readdirSync(folder)).toEqual(['a.lock']);
        inside -= 1;
        return inside;
      }),
    );
    expect(await Promise.all(acts)).toEqual(Array(20).fill(0));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is released when the act fails', async () => {
    await expect(withLock(lock(), () => JSON.parse(''))).rejects.toThrow(SyntaxError);
    expect(await withLock(lock(), () => 1)).toBe(1);
  });

  test('that is no lock of ours is left alone', async () => {
    symlinkSync('somewhere', lock());
    await expect(withLock(lock(), () => 1)).rejects.toThrow('not a lock of petspec');
  });
});

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
});
