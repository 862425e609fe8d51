import { VirtualClock } from 'petspec';
import { conformance } from 'petspec/vitest';
import { startApp } from '../src/app.js';

// petspec and the service share a clock, so that the wait for the limit takes no time.
const clock = new VirtualClock(Date.now());

conformance({
  clock,
  plan: 'free',
  target: () => startApp({ apiKey: 'the-key-of-these-tests', now: () => clock.now() }),
});
