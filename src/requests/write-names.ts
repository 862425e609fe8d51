/** The names of the probes of an operation that changes something: the last part of their ids. Checks compare the responses by them. */
export const WRITES = {
  first: 'first',
  second: 'second',
  created: 'created',
  createdSecond: 'created-second',
  changed: 'changed',
  action: 'action',
  below: 'of-created',
  listed: 'list-created',
  removal: 'removal',
  removed: 'removed',
  absent: 'of-removed',
} as const;

/** The name of the read after a change with this method. */
export function changedName(method: string): string {
  return `${WRITES.changed}-${method.toLowerCase()}`;
}
