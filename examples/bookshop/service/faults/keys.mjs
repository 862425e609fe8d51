import { answerOf } from '../answers.mjs';
import { BOOK, LIST, letIn } from './changes.mjs';

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
      asked.key === undefined ? undefined : answerOf({ ...asked, key: shop.apiKey }, shop),
  },
  {
    id: 'cover-needs-no-key',
    summary: 'covers need no key',
    violates: 'putCover.401',
    answer: letIn('PUT', /\/cover$/),
  },
];
