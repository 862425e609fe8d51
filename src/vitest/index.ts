import { matchers } from './matchers.ts';
import { runningVitest } from './running.ts';

export type { Service } from '../client/run-client.ts';
export { type ClientExpectation, expectClient } from './client.ts';
export {
  type ConformanceOptions,
  conformance,
  type StartedTarget,
  type Target,
  type TargetAddress,
} from './conformance.ts';
export { matchers } from './matchers.ts';

declare global {
  namespace Chai {
    // Every copy of vitest reads this type, wherever in node_modules it is installed.
    interface Assertion {
      /**
       * Asserts that a response conforms to an operation of the interface: its status, headers, media type and the
       * shape of its body. Accepts a fetch Response (petspec reads a clone), a response of undici (petspec consumes its
       * body), or `{ status, headers, body }`.
       * @param operation operation id, such as `listPets`
       * @throws TypeError if the operation is unknown or the response cannot be read
       * @example
       * await expect(await fetch(`${baseUrl}/pets`)).toConformTo('listPets');
       */
      toConformTo(operation: string): Promise<void>;
    }
  }
}

runningVitest()?.expect.extend(matchers);
