import { withBody, withField, withObject, withoutField, withText } from '../../changes/changes.ts';
import { isInt64, isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { violating } from '../fault.ts';

/** Every Error except the limiter's. */
const refused = { status: [400, 401, 404] } as const;
const notFound = { operation: 'getPet', status: 404 } as const;
const invalid = { operation: 'createPet', status: 400 } as const;
const keyless = { status: 401 } as const;

/** Error bodies. */
export const errorFaults: readonly Fault[] = [
  ...violating('Error', {
    'error-nested': ['Errors are nested: {"error": {...}}', withObject(refused, (error) => ({ error }))],
    'error-sentence': [
      'the body of a 400 is a JSON string',
      withBody(invalid, () => '"the body is not valid"'),
    ],
    'error-empty-401': ['a 401 has no body', withBody(keyless, () => undefined)],
    'error-null-404': ['the body of a 404 is null', withBody(notFound, () => null)],
    'error-list': ['the body of a 400 is a list of Errors', withBody(invalid, (error) => [error])],
    'error-by-field': [
      'a 400 of the message address lists problems by field',
      withBody({ operation: 'sendMessage', status: 400 }, () => ({ errors: { message: ['required'] } })),
    ],
  }),
  {
    id: 'error-problem',
    summary: 'a 404 is a problem document: title and detail instead of code and message',
    violates: ['Error.code', 'Error.message'],
    because: 'one cause, but two fields are missing',
    ...withBody(notFound, () => ({
      type: 'about:blank',
      title: 'Not Found',
      status: 404n,
      detail: 'no animal',
    })),
  },
  ...violating('Error.code', {
    'error-code-number': ['code is a number', withField(refused, 'code', 1001n)],
    'error-code-missing': ['a 401 has no code', withoutField(keyless, 'code')],
    'error-code-null': ['code is null on a 404', withField(notFound, 'code', null)],
    'error-code-renamed': [
      'a 400 has error instead of code',
      withObject(invalid, ({ code = '', ...rest }) => ({ error: code, ...rest })),
    ],
  }),
  ...violating('Error.message', {
    'error-message-list': [
      'the message of a 400 is a list of messages',
      withField(invalid, 'message', (old = '') => [old]),
    ],
    'error-message-missing': ['a 404 has no message', withoutField(notFound, 'message')],
    'error-message-null': ['the message of a 401 is null', withField(keyless, 'message', null)],
    'error-message-object': [
      'for a missing key, message is an object with a text per language',
      withObject({ ...keyless, key: 'missing' }, ({ message = '', ...rest }) => ({
        ...rest,
        message: { en: message },
      })),
    ],
  }),
  ...violating('Error.status', {
    'error-status-text': ['status is a string', withField(refused, 'status', (old) => String(old))],
    'error-status-always-400': ['status is 400 in every Error', withField(refused, 'status', 400n)],
    'error-status-word': ['the status of a 404 is the word "error"', withField(notFound, 'status', 'error')],
    'error-status-missing': [
      'a 401 of the message address has no status',
      withoutField({ ...keyless, listener: 'messages' }, 'status'),
    ],
    'error-status-422': [
      'status is 422 in a 400 for a wrong categoryId',
      withField(
        { ...invalid, when: ({ body }) => isObject(body) && !isInt64(body.categoryId) },
        'status',
        422n,
      ),
    ],
    'error-status-null': [
      'status is null in the Error for malformed JSON',
      withField({ ...invalid, when: ({ bodyProblem }) => bodyProblem !== undefined }, 'status', null),
    ],
    'error-status-float': [
      'the status of a 404 is written 404.0001',
      withText(notFound, (text) => text.replace('404', '404.0001')),
    ],
  }),
];
