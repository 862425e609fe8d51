import { test } from 'vitest';
import { bodies } from './behaviors/bodies.ts';
import { echoes } from './behaviors/echoes.ts';
import { framings } from './behaviors/framing.ts';
import { heads } from './behaviors/heads.ts';
import { large } from './behaviors/large.ts';
import { expectHeld } from './hold.ts';

/** What the memory is for is tried on the command line. */
const inMemory = large.filter(({ id }) => id !== 'large-everywhere');

for (const behavior of [...heads, ...framings, ...bodies, ...echoes, ...inMemory])
  test.concurrent(`${behavior.id}: a target that ${behavior.does}`, () => expectHeld(behavior));
