import { visible } from '../../model/visible.ts';
import { withoutSecrets } from './secrets.ts';

/** The exit status of a bug of petspec. */
export const BUG = 4;

/** A bug of petspec in one line, without secrets. */
export function bugLine(error: unknown): string {
  const bug = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `internal error, which says nothing about the target: ${visible(withoutSecrets(bug))}`;
}
