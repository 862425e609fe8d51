import { test } from 'vitest';
import { connections } from './behaviours/connections.ts';
import { endless } from './behaviours/endless.ts';
import { whole } from './behaviours/whole.ts';
import { expectHeld } from './hold.ts';

for (const behaviour of [...endless, ...connections, ...whole])
  test.concurrent(`${behaviour.id}: a target that ${behaviour.does}`, () => expectHeld(behaviour));
