import { test } from 'vitest';
import { connections } from './behaviours/connections.ts';
import { endless } from './behaviours/endless.ts';
import { whole } from './behaviours/whole.ts';
import { expectHeld } from './hold.ts';

test.concurrent.each([...endless, ...connections, ...whole])('a target that $does', (behaviour) =>
  expectHeld(behaviour),
);
