import { ANIMAL_KINDS } from './animal-kinds.ts';
import { HTTP_KINDS } from './http-kinds.ts';
import type { Kind } from './kind.ts';
import { LIMITER_KINDS } from './limiter-kinds.ts';

export const KINDS: readonly Kind[] = [...LIMITER_KINDS, ...ANIMAL_KINDS, ...HTTP_KINDS];
