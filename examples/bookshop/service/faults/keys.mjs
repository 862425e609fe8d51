import { answerOf } from '../answers.mjs';
import { asOwner, BOOK, LIST, letIn } from './changes.mjs';

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
    answer: (asked, _, shop) =>
      asked.key === undefined || asked.key === shop.secondKey
        ? undefined
        : answerOf({ ...asked, key: shop.apiKey }, shop),
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
