import { test } from 'vitest';
import { bodies } from './behaviours/bodies.ts';
import { echoes } from './behaviours/echoes.ts';
import { framings } from './behaviours/framing.ts';
import { heads } from './behaviours/heads.ts';
import { large } from './behaviours/large.ts';
import { expectHeld } from './hold.ts';

/** What the memory is for is tried on the command line. */
const inMemory = large.filter(({ id }) => id !== 'large-everywhere');

for (const behaviour of [...heads, ...framings, ...bodies, ...echoes, ...inMemory])
  test.concurrent(`${behaviour.id}: a target that ${behaviour.does}`, () => expectHeld(behaviour));
