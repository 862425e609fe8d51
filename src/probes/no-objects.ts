import type { Probe } from '../model/probe.ts';

/** A body that is not a JSON object. */
export interface NoObject {
  /** Part of the probe's id, so it never changes. */
  kind: 'malformed' | 'empty' | 'array' | 'null';
  title: string;
  /** @param right a right body */
  payload: (right: unknown) => NonNullable<Probe['body']>;
}

export const NO_OBJECTS: readonly NoObject[] = [
  { kind: 'malformed', title: 'malformed JSON', payload: () => ({ text: '{"' }) },
  { kind: 'empty', title: 'an empty body', payload: () => ({ text: '' }) },
  { kind: 'array', title: 'an array instead of an object', payload: (right) => ({ json: [right] }) },
  { kind: 'null', title: 'null instead of an object', payload: () => ({ json: null }) },
];
