import { test } from 'vitest';
import { isNightly } from '../nightly/sampled.ts';
import { bodies } from './behaviors/bodies.ts';
import { echoes } from './behaviors/echoes.ts';
import { framings } from './behaviors/framing.ts';
import { heads } from './behaviors/heads.ts';
import { large } from './behaviors/large.ts';
import { tried } from './by-day.ts';
import { expectHeld } from './hold.ts';

/** What the memory is for is tried on the command line, by day the other two as well. */
const ON_COMMAND_LINE = isNightly ? ['large-everywhere'] : ['large-everywhere', 'bomb-gzip', 'million-items'];

/** What is made of these is up to a function that has tests of its own; by day, whole runs try others like them. */
const LIKE_OTHERS: Readonly<Record<string, string>> = {
  'http-0-9': 'noise',
  ssh: 'noise',
  'nul-stream': 'noise',
  'http-2': 'noise',
  'status-000': 'status-20',
  'status-600': 'status-999',
  'nameless-header': 'blank-before-colon',
  'header-injection': 'line-feeds',
  'length-negative': 'two-lengths',
  'length-absurd': 'two-lengths',
  'utf-16': 'not-utf-8',
  'gzip-not': 'gzip-cut',
  'answers-twice': 'length-short',
  'million-zeros': 'million-digits',
  'flood-continue': 'flood-early-hints',
};

const all = [...heads, ...framings, ...bodies, ...echoes, ...large].filter(
  ({ id }) => !ON_COMMAND_LINE.includes(id),
);

for (const behavior of tried(all, LIKE_OTHERS))
  test.concurrent(`${behavior.id}: a target that ${behavior.does}`, () => expectHeld(behavior));
