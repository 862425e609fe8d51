import type { Evidence } from '../src/suite.ts';

/** Makes what a run shows as a whole when a check needs it first, and keeps it for the others. */
export function ofRun<Value>(make: (evidence: Evidence) => Value): (evidence: Evidence) => Value {
  const made = new WeakMap<Evidence, { value: Value }>();
  return (evidence) => {
    const known = made.get(evidence) ?? { value: make(evidence) };
    made.set(evidence, known);
    return known.value;
  };
}
