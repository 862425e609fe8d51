import type { Behavior } from '../behavior.ts';
import { bodies } from './bodies.ts';
import { connections } from './connections.ts';
import { echoes } from './echoes.ts';
import { endless } from './endless.ts';
import { framings } from './framing.ts';
import { heads } from './heads.ts';
import { large } from './large.ts';
import { whole } from './whole.ts';

/** Every hostile behavior of a target that petspec is tried against. */
export const behaviors: readonly Behavior[] = [
  ...endless,
  ...large,
  ...bodies,
  ...framings,
  ...heads,
  ...echoes,
  ...connections,
  ...whole,
];
