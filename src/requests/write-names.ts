/** The names of the probes of a writing operation: the last part of their ids, by which checks compare the responses. */
export const WRITES = {
  first: 'first',
  second: 'second',
  created: 'created',
  createdSecond: 'created-second',
  largest: 'largest',
  createdLargest: 'created-largest',
  texts: 'texts',
  createdTexts: 'created-texts',
  changed: 'changed',
  action: 'action',
  below: 'of-created',
  listed: 'list-created',
  listedTexts: 'list-created-texts',
  removal: 'removal',
  removed: 'removed',
  absent: 'of-removed',
} as const;

/** Pairs of a creation and the read of what it created. */
export const CREATIONS = [
  [WRITES.first, WRITES.created],
  [WRITES.second, WRITES.createdSecond],
  [WRITES.largest, WRITES.createdLargest],
  [WRITES.texts, WRITES.createdTexts],
] as const;

/** The name of the read after a change with this method. */
export function changedName(method: string): string {
  return `${WRITES.changed}-${method.toLowerCase()}`;
}

/** The names of the probes that ask for a first page and the page after it. */
export const PAGES = ['first-page', 'next-page'] as const;

/** The names of the probes that follow the pages of a list, and of the plain requests before and after them. */
export const FOLLOWED = {
  before: 'before-pages',
  after: 'after-pages',
  page: (number: number) => `page-${number}`,
} as const;

/** The most pages that are followed, and the entries per page if the client may choose. */
export const MOST_PAGES = 10;
export const ENTRIES = 2;

/** The names of the probes with another key, and of the reads with the key of the run before and after them. */
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
