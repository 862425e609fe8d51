import { visible } from '../../model/visible.ts';

/** The exit status of a bug of petspec. */
export const BUG = 4;

/** A longer message quotes something, which may contain a secret in a form that redaction does not know. */
const MAX_MESSAGE = 1_000;

let withoutSecrets = (text: string): string => text;

/** Sets the redaction of the runs' secrets. Its code is loaded only if a command has secrets. */
export function redactBugsWith(redact: (text: string) => string): void {
  withoutSecrets = redact;
}

/** A bug of petspec in one line, without secrets. @param redact replaces them; it may be the bug */
export function bugLine(error: unknown, redact = withoutSecrets): string {
  const name = error instanceof Error ? error.name : 'Error';
  const message = error instanceof Error ? error.message : String(error);
  const shown = message.length > MAX_MESSAGE ? undefined : redacted(message, redact);
  const bug = shown === undefined ? `${name} (message hidden)` : `${name}: ${shown}`;
  return `internal error, which says nothing about the target: ${visible(bug)}`;
}

/** The stack of a bug without secrets: only its places if the message is hidden. */
export function bugStack({ message, stack = '' }: Error, redact = withoutSecrets): string {
  const shown = message.length > MAX_MESSAGE ? undefined : redacted(stack, redact);
  if (shown !== undefined) return shown;
  const place = stack.indexOf(message);
  return place < 0 ? '' : stack.slice(place + message.length).trimStart();
}

/** A text without secrets; undefined if redaction fails, because it may be the bug. */
function redacted(text: string, redact: (text: string) => string): string | undefined {
  try {
    return redact(text);
  } catch {
    return undefined;
  }
}

/** Reports a bug of petspec. @returns its exit status */
export function tellBug(error: unknown): number {
  process.stderr.write(`petspec: ${bugLine(error)}\n`);
  if (process.env.PETSPEC_DEBUG && error instanceof Error) process.stderr.write(`${bugStack(error)}\n`);
  return BUG;
}
