import { matchers } from './matchers.ts';
import { runningVitest } from './running.ts';

export { type ConformanceOptions, conformance } from './conformance.ts';
export { matchers } from './matchers.ts';
export type { StartedTarget, Target, TargetAddress } from './target.ts';

declare global {
  namespace Chai {
    // The one place that the types of every vitest take up, wherever in node_modules it stands.
    interface Assertion {
      /**
       * That a response is one that the interface documents for an operation, such as `listPets`. Takes a fetch Response
       * (a clone of it is read), a response of undici (its body is used up), or `{ status, headers, body }`.
       */
      toConformTo(operation: string): Promise<void>;
    }
  }
}

runningVitest()?.expect.extend(matchers);
