import { stripVTControlCharacters } from 'node:util';
import { expect, test, vi } from 'vitest';
import { answered } from '../../../test/reports/hand-made-report.ts';
import { brief } from '../../model/exchange.ts';
import { showManyProgress } from './progress.ts';

const INTERVAL = 100;

/** A terminal as far as this progress uses one: lines, and those that are taken back. */
function terminal(columns: number, rows: number) {
  const lines: string[] = [''];
  return {
    screen: {
      isTTY: true,
      columns,
      rows,
      write(text: string) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves a terminal is made of them
        const [, up, rest = ''] = /^(?:\x1b\[(\d+)A\r\x1b\[J)?([\s\S]*)$/.exec(text) ?? [];
        if (up) lines.splice(lines.length - 1 - Number(up), Number(up));
        for (const line of rest.split('\n').slice(0, -1)) lines.splice(-1, 0, line);
      },
    },
    shown: () => lines.slice(0, -1),
  };
}

test('on a terminal: a line for each run that is under way, above them what stays', () => {
  vi.useFakeTimers();
  const { screen, shown } = terminal(60, 24);
  const progress = showManyProgress(screen, {}, ['one', 'three', 'two'], 'usual');
  progress.update('two', { kind: 'sent', done: 1, total: 70, stage: 'first' });
  progress.update('one', { kind: 'sent', done: 2, total: 70, stage: 'list' });
  vi.advanceTimersByTime(INTERVAL);
  expect(shown()).toEqual(['one    2/70 listing', 'two    1/70 first requests']);
  progress.update('two', { kind: 'waiting', seconds: 41, why: 'Retry-After asks to wait' });
  progress.end('one', 'conformant: no requirement violated');
  expect(shown()).toEqual([
    'one    conformant: no requirement violated',
    'two    waiting 41 s: Retry-After asks to wait',
  ]);
  progress.note('petspec: something else');
  progress.close();
  expect(shown()).toEqual(['one    conformant: no requirement violated', 'petspec: something else']);
  vi.useRealTimers();
});

test('more runs than rows: as many as there is room for, and how many more; no line wraps', () => {
  vi.useFakeTimers();
  const { screen, shown } = terminal(20, 6);
  const names = Array.from({ length: 30 }, (_, index) => `target-${index}`);
  const progress = showManyProgress(screen, {}, names, 'usual');
  for (const name of names) progress.update(name, { kind: 'sent', done: 1, total: 70, stage: 'invalid' });
  vi.advanceTimersByTime(INTERVAL);
  expect(shown()).toHaveLength(4);
  expect(shown().at(-1)).toBe('and 27 more');
  for (const each of shown()) expect(each.length).toBeLessThan(20);
  progress.close();
  vi.useRealTimers();
});

/** What is written where lines cannot be changed. */
function written(detail: 'quiet' | 'usual' | 'verbose', env: NodeJS.ProcessEnv = { CI: 'true' }): string {
  const pieces: string[] = [];
  const screen = { isTTY: true, write: (piece: string) => pieces.push(piece) };
  const progress = showManyProgress(screen, env, ['one', 'other'], detail);
  progress.update('one', { kind: 'sent', done: 1, total: 70, stage: 'first' });
  progress.update('one', { kind: 'exchange', brief: brief(answered) });
  for (const seconds of [41, 40]) progress.update('one', { kind: 'waiting', seconds, why: 'it resets' });
  progress.end('one', 'conformant: no requirement violated');
  progress.close();
  return pieces.join('');
}

test('in CI: plain lines, for waits and ends', () => {
  const text = written('usual');
  expect(stripVTControlCharacters(text)).toBe(text);
  expect(text).toBe('one    waiting 41 s: it resets\none    conformant: no requirement violated\n');
  expect(written('usual', { TERM: 'dumb' })).toBe(text);
});

test('verbose: each exchange with the name of its run; quiet: nothing', () => {
  expect(written('verbose')).toMatch(/^one {4}#1 GET https:\/\/staging\.example\.com/);
  expect(written('quiet')).toBe('');
});
