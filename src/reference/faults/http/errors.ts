import { withBody, withField, withObject, withoutField, withText } from '../../changes/changes.ts';
import { isInt64, isObject } from '../../http/json.ts';
import { type Fault, violating } from '../fault.ts';
import { INVALID, NOT_FOUND, UNAUTHORIZED } from '../requests.ts';

/** Every Error except the limiter's. */
const refused = { status: [400, 401, 404] } as const;

/** Error bodies. */
export const errorFaults: readonly Fault[] = [
  ...violating('Error', {
    'error-nested': ['Errors are nested: {"error": {...}}', withObject(refused, (error) => ({ error }))],
    'error-sentence': [
      'the body of a 400 is a JSON string',
      withBody(INVALID, () => '"the body is not valid"'),
    ],
    'error-empty-401': ['a 401 has no body', withBody(UNAUTHORIZED, () => undefined)],
    'error-null-404': ['the body of a 404 is null', withBody(NOT_FOUND, () => null)],
    'error-list': ['the body of a 400 is a list of Errors', withBody(INVALID, (error) => [error])],
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
    ...withBody(NOT_FOUND, () => ({
      type: 'about:blank',
      title: 'Not Found',
      status: 404n,
      detail: 'no animal',
    })),
  },
  ...violating('Error.code', {
    'error-code-number': ['code is a number', withField(refused, 'code', 1001n)],
    'error-code-missing': ['a 401 has no code', withoutField(UNAUTHORIZED, 'code')],
    'error-code-null': ['code is null on a 404', withField(NOT_FOUND, 'code', null)],
    'error-code-renamed': [
      'a 400 has error instead of code',
      withObject(INVALID, ({ code = '', ...rest }) => ({ error: code, ...rest })),
    ],
  }),
  ...violating('Error.message', {
    'error-message-list': [
      'the message of a 400 is a list of messages',
      withField(INVALID, 'message', (old = '') => [old]),
    ],
    'error-message-missing': ['a 404 has no message', withoutField(NOT_FOUND, 'message')],
    'error-message-null': ['the message of a 401 is null', withField(UNAUTHORIZED, 'message', null)],
    'error-message-object': [
      'for a missing key, message is an object with a text per language',
      withObject({ ...UNAUTHORIZED, key: 'missing' }, ({ message = '', ...rest }) => ({
        ...rest,
        message: { en: message },
      })),
    ],
  }),
  ...violating('Error.status', {
    'error-status-text': ['status is a string', withField(refused, 'status', (old) => String(old))],
    'error-status-always-400': ['status is 400 in every Error', withField(refused, 'status', 400n)],
    'error-status-word': ['the status of a 404 is the word "error"', withField(NOT_FOUND, 'status', 'error')],
    'error-status-missing': [
      'a 401 of the message address has no status',
      withoutField({ ...UNAUTHORIZED, listener: 'messages' }, 'status'),
    ],
    'error-status-422': [
      'status is 422 in a 400 for a wrong categoryId',
      withField(
        { ...INVALID, when: ({ body }) => isObject(body) && !isInt64(body.categoryId) },
        'status',
        422n,
      ),
    ],
    'error-status-null': [
      'status is null in the Error for malformed JSON',
      withField({ ...INVALID, when: ({ bodyProblem }) => bodyProblem !== undefined }, 'status', null),
    ],
    'error-status-float': [
      'the status of a 404 is written 404.0001',
      withText(NOT_FOUND, (text) => text.replace('404', '404.0001')),
    ],
  }),
];
