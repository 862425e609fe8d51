import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Vitest's workers have no `gc` of their own. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
