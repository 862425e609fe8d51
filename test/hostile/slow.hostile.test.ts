import { test } from 'vitest';
import { connections } from './behaviors/connections.ts';
import { endless } from './behaviors/endless.ts';
import { whole } from './behaviors/whole.ts';
import { tried } from './by-day.ts';
import { expectHeld } from './hold.ts';

/** By day, the command line is tried with the first of these, and whole runs with others like the rest of them. */
const LIKE_OTHERS: Readonly<Record<string, string>> = {
  dies: 'dies-in-answer',
  'endless-status-line': 'endless-headers',
  'endless-header': 'endless-headers',
  'closed-in-head': 'closed',
  'redirect-itself': 'redirect-loop',
  'redirect-path': 'redirect-origin',
};

// Those that take longest come first, or the last of them would run alone.
for (const behavior of tried([...whole, ...endless, ...connections], LIKE_OTHERS))
  test.concurrent(`${behavior.id}: a target that ${behavior.does}`, () => expectHeld(behavior));
