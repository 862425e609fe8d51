import { createContext, Script } from 'node:vm';

/** What the context of the call holds. */
interface CallContext {
  act: () => unknown;
}

let call: { script: Script; surroundings: CallContext } | undefined;

/**
 * Calls a function, and ends it if it takes too long: only V8 can end a regular expression. Each call costs a tenth of a
 * millisecond.
 * @param ms the time that it may take
 * @returns what the function returned; undefined if its time was over
 */
export function interruptible<Value>(act: () => Value, ms: number): { value: Value } | undefined {
  call ??= {
    script: new Script('act()'),
    surroundings: createContext({ act: undefined }) as CallContext,
  };
  const { script, surroundings } = call;
  surroundings.act = act;
  try {
    return { value: script.runInContext(surroundings, { timeout: Math.max(1, Math.ceil(ms)) }) as Value };
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    surroundings.act = () => undefined;
  }
}

/** The error is made inside the context, so it is no instance of the Error outside. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
