import { test } from 'vitest';
import { connections } from './behaviors/connections.ts';
import { endless } from './behaviors/endless.ts';
import { whole } from './behaviors/whole.ts';
import { expectHeld } from './hold.ts';

// Those that take longest come first, or the last of them would run alone.
for (const behavior of [...whole, ...endless, ...connections])
  test.concurrent(`${behavior.id}: a target that ${behavior.does}`, () => expectHeld(behavior));
