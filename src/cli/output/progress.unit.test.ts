import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { answered } from '../../../test/reports/hand-made-report.ts';
import { brief } from '../../model/exchange.ts';
import type { RunEvent } from '../../run/job.ts';
import { showProgress } from './progress.ts';

const EVENTS: RunEvent[] = [
  { kind: 'listening' },
  { kind: 'sent', done: 1, total: 70, stage: 'first' },
  { kind: 'exchange', brief: brief(answered) },
  { kind: 'sent', done: 2, total: 70, stage: 'list' },
  { kind: 'sent', done: 3, total: 70, stage: 'list' },
  { kind: 'exhausting', limit: 60, window: 'minute', remaining: 12 },
  { kind: 'exhausting', limit: 60, window: 'minute', remaining: 11 },
  { kind: 'waiting', seconds: 41, why: 'Retry-After asks to wait' },
  { kind: 'waiting', seconds: 40, why: 'Retry-After asks to wait' },
];

/** What is written to a screen while the events come in, piece by piece. */
function shownOn(
  screen: { isTTY?: boolean; columns?: number },
  env: NodeJS.ProcessEnv,
  detail: 'quiet' | 'usual' | 'verbose',
): string[] {
  const written: string[] = [];
  const progress = showProgress({ ...screen, write: (text: string) => written.push(text) }, env, detail);
  for (const event of EVENTS) progress.update(event);
  progress.end();
  return written;
}

test('on a terminal one line changes: how far, how much is left, a countdown', () => {
  const written = shownOn({ isTTY: true, columns: 80 }, {}, 'usual');
  expect(written.join('')).not.toContain('\n');
  const states = written.map((each) => stripVTControlCharacters(each).replace('\r', ''));
  expect(states).toEqual([
    '1/70 first requests',
    '2/70 listing',
    '3/70 listing',
    'using up the rate limit of 60 a minute: 12 requests left',
    'using up the rate limit of 60 a minute: 11 requests left',
    'waiting 41 s: Retry-After asks to wait',
    'waiting 40 s: Retry-After asks to wait',
    '',
  ]);
});

test('a terminal that reports no width has 80 columns', () => {
  const lines = (columns: number) => shownOn({ isTTY: true, columns }, {}, 'usual');
  expect(lines(0)).toEqual(lines(80));
});

test.each([
  ['a file', {}, {}],
  ['CI, even with a terminal', { isTTY: true }, { CI: 'true' }],
  ['a terminal that knows no sequences', { isTTY: true }, { TERM: 'dumb' }],
])('plain lines, one for each stage and each wait: %s', (_, screen, env) => {
  const text = shownOn(screen, env, 'usual').join('');
  expect(stripVTControlCharacters(text)).toBe(text);
  expect(text.split('\n')).toEqual([
    'first requests',
    'listing',
    'using up the rate limit of 60 a minute',
    'waiting 41 s: Retry-After asks to wait',
    '',
  ]);
});

test('a terminal shows how the time of the run runs down; lines that stay do not', () => {
  const shown = (screen: { isTTY?: true }) => {
    const written: string[] = [];
    const progress = showProgress(
      { ...screen, columns: 100, write: (text) => written.push(text) },
      {},
      'usual',
    );
    progress.update({ kind: 'sent', done: 2, total: 70, stage: 'list', secondsLeft: 492 });
    progress.update({ kind: 'waiting', seconds: 41, why: 'Retry-After asks to wait', secondsLeft: 59 });
    return stripVTControlCharacters(written.join('\n'));
  };
  expect(shown({ isTTY: true })).toContain('2/70 listing (at most 8 min 12 s left)');
  expect(shown({ isTTY: true })).toContain('waiting 41 s: Retry-After asks to wait (at most 59 s left)');
  expect(shown({})).toMatch(/^listing\n+waiting 41 s: Retry-After asks to wait\n$/);
});

test('a narrow terminal: the line does not wrap', () => {
  for (const each of shownOn({ isTTY: true, columns: 20 }, {}, 'usual'))
    expect(stripVTControlCharacters(each).replace('\r', '').length).toBeLessThan(20);
});

test('verbose: each exchange a line that stays, above the one that changes', () => {
  const line =
    '#1 GET https://staging.example.com/v1/pets?status=sold&limit=2 -> 200, 50 ms (listPets:plain)';
  expect(shownOn({}, {}, 'verbose')).toContain(`${line}\n`);
  const live = shownOn({ isTTY: true, columns: 80 }, {}, 'verbose');
  expect(live).toContain(`\r\x1b[2K${line}\n1/70 first requests`);
});

test('quiet: nothing', () => {
  expect(shownOn({ isTTY: true, columns: 80 }, {}, 'quiet')).toEqual([]);
});
