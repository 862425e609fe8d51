import { test } from 'vitest';
import { bodies } from './behaviours/bodies.ts';
import { framings } from './behaviours/framing.ts';
import { heads } from './behaviours/heads.ts';
import { large } from './behaviours/large.ts';
import { expectHeld } from './hold.ts';

test.concurrent.each([...heads, ...framings, ...bodies, ...large])('a target that $does', (behaviour) =>
  expectHeld(behaviour),
);
