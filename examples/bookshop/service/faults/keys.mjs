import { answerOf } from '../answers.mjs';
import { asOwner, BOOK, LIST, letIn } from './changes.mjs';

/** Takes other keys for the right one. */
const takes = (isTaken) => (asked, _, shop) =>
  asked.key !== undefined && asked.key !== shop.secondKey && isTaken(asked.key, shop.apiKey)
    ? answerOf({ ...asked, key: shop.apiKey }, shop)
    : undefined;

/** A gateway that asks for a key looks only at the usual spelling of an address, which the service behind it does not. */
const openAt = (spelling, path) => (asked, _, shop) =>
  spelling.test(asked.path) && asked.method === 'GET' && asked.key === undefined
    ? answerOf({ ...asked, path, key: shop.apiKey }, shop)
    : undefined;

/** Which keys are taken. */
export const keys = [
  {
    id: 'list-needs-no-key',
    summary: 'lists need no key',
    violates: 'listBooks.401',
    answer: letIn('GET', LIST),
  },
  {
    id: 'get-needs-no-key',
    summary: 'books need no key',
    violates: 'getBook.401',
    answer: letIn('GET', BOOK),
  },
  {
    id: 'remove-needs-no-key',
    summary: 'removals need no key',
    violates: 'removeBook.401',
    answer: letIn('DELETE', BOOK),
  },
  {
    id: 'any-key',
    summary: 'any key is taken',
    violates: 'authentication.key',
    answer: takes(() => true),
  },
  {
    id: 'key-begins-right',
    summary: 'whatever comes after the key is ignored',
    violates: 'authentication.key',
    answer: takes((key, right) => key.startsWith(right)),
  },
  {
    id: 'half-a-key',
    summary: 'the beginning of the key is taken for the key',
    violates: 'authentication.key',
    answer: takes((key, right) => key.length > 7 && right.startsWith(key)),
  },
  {
    id: 'empty-key',
    summary: 'an empty key is taken',
    violates: 'authentication.key',
    answer: takes((key) => key === ''),
  },
  {
    id: 'open-with-a-slash',
    summary: 'lists need no key if the address ends with a slash',
    violates: 'listBooks.401',
    answer: openAt(/^\/books\/$/, '/books'),
  },
  {
    id: 'open-if-encoded',
    summary: 'lists need no key if a letter of the address is percent-encoded',
    violates: 'listBooks.401',
    answer: openAt(/^\/b%6fo/i, '/books'),
  },
  {
    id: 'cover-needs-no-key',
    summary: 'covers need no key',
    violates: 'putCover.401',
    answer: letIn('PUT', /\/cover$/),
  },
  {
    id: 'list-shows-drafts',
    summary: 'lists have the drafts of other keys',
    violates: 'listBooks.other-key',
    answer: asOwner('GET', LIST),
  },
  {
    id: 'get-shows-drafts',
    summary: 'drafts of other keys can be read',
    violates: 'getBook.other-key',
    answer: asOwner('GET', BOOK),
  },
  {
    id: 'others-replace',
    summary: 'another key may replace a draft',
    violates: 'replaceBook.other-key',
    answer: asOwner('PUT', BOOK),
  },
  {
    id: 'others-change',
    summary: 'another key may change a draft',
    violates: 'changeBook.other-key',
    answer: asOwner('PATCH', BOOK),
  },
  {
    id: 'others-remove',
    summary: 'another key may remove a draft',
    violates: 'removeBook.other-key',
    answer: asOwner('DELETE', BOOK),
  },
];
