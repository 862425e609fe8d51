/** The phases of a run in words, by their first stage. */
export const PHASE_WORDS: Readonly<Record<string, string>> = {
  first: 'first requests',
  find: 'reading lists',
  beside: 'sending requests together',
  create: 'creating',
  list: 'listing',
  read: 'reading',
  keys: 'trying wrong keys, and reading back',
  invalid: 'sending invalid requests, and reading back',
  messages: 'sending messages',
  remove: 'removing what was created',
  exhaust: 'using up the rate limit',
  surplus: 'testing more',
  recover: 'recovering from the rate limit',
};
