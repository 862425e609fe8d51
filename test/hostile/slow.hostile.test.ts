import { test } from 'vitest';
import { connections } from './behaviours/connections.ts';
import { endless } from './behaviours/endless.ts';
import { whole } from './behaviours/whole.ts';
import { expectHeld } from './hold.ts';

// Those that take longest come first, or the last of them would run alone.
for (const behaviour of [...whole, ...endless, ...connections])
  test.concurrent(`${behaviour.id}: a target that ${behaviour.does}`, () => expectHeld(behaviour));
