/** The names of the probes of an operation that changes something: the last part of their ids. Checks compare the responses by them. */
export const WRITES = {
  first: 'first',
  second: 'second',
  created: 'created',
  createdSecond: 'created-second',
  largest: 'largest',
  createdLargest: 'created-largest',
  changed: 'changed',
  action: 'action',
  below: 'of-created',
  listed: 'list-created',
  removal: 'removal',
  removed: 'removed',
  absent: 'of-removed',
} as const;

/** The creations, with what reads back each. */
export const CREATIONS = [
  [WRITES.first, WRITES.created],
  [WRITES.second, WRITES.createdSecond],
  [WRITES.largest, WRITES.createdLargest],
] as const;

/** The name of the read after a change with this method. */
export function changedName(method: string): string {
  return `${WRITES.changed}-${method.toLowerCase()}`;
}

/** The last parts of the ids of the probes that ask for two pages that follow each other. */
export const PAGES = ['first-page', 'next-page'] as const;

/** Those of the probes that follow the pages of a list, and of the plain requests before and after them. */
export const FOLLOWED = {
  before: 'before-pages',
  after: 'after-pages',
  page: (number: number) => `page-${number}`,
} as const;

/** Pages that are followed, at most, and how many entries each has, if the client may say. */
export const MOST_PAGES = 10;
export const ENTRIES = 2;

/** Those of what is sent with another key. Reads with the key of the run come before and after what another key may change. */
export const OTHER_KEY = {
  asked: 'other-key',
  before: 'before-other-key',
  after: 'after-other-key',
  afterRemoval: 'after-other-removal',
} as const;

/** The name of the read after another key sent a change with this method. */
export function afterName(method: string): string {
  return `${OTHER_KEY.after}-${method.toLowerCase()}`;
}
