import { withBody, withField, withObject, withoutField, withText } from '../../changes/changes.ts';
import { isInt64, isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';

/** Every Error except the limiter's. */
const refused = { status: [400, 401, 404] } as const;
const notFound = { operation: 'getPet', status: 404 } as const;
const invalid = { operation: 'createPet', status: 400 } as const;
const keyless = { status: 401 } as const;

/** Error bodies. */
export const errorFaults: readonly Fault[] = [
  {
    id: 'error-nested',
    summary: 'Errors are nested: {"error": {...}}',
    violates: ['Error'],
    ...withObject(refused, (error) => ({ error })),
  },
  {
    id: 'error-sentence',
    summary: 'the body of a 400 is a JSON string',
    violates: ['Error'],
    ...withBody(invalid, () => '"the body is not valid"'),
  },
  {
    id: 'error-empty-401',
    summary: 'a 401 has no body',
    violates: ['Error'],
    ...withBody(keyless, () => undefined),
  },
  {
    id: 'error-null-404',
    summary: 'the body of a 404 is null',
    violates: ['Error'],
    ...withBody(notFound, () => null),
  },
  {
    id: 'error-list',
    summary: 'the body of a 400 is a list of Errors',
    violates: ['Error'],
    ...withBody(invalid, (error) => [error]),
  },
  {
    id: 'error-by-field',
    summary: 'a 400 of the message address lists problems by field',
    violates: ['Error'],
    ...withBody({ operation: 'sendMessage', status: 400 }, () => ({ errors: { message: ['required'] } })),
  },
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
  {
    id: 'error-code-number',
    summary: 'code is a number',
    violates: ['Error.code'],
    ...withField(refused, 'code', 1001n),
  },
  {
    id: 'error-code-missing',
    summary: 'a 401 has no code',
    violates: ['Error.code'],
    ...withoutField(keyless, 'code'),
  },
  {
    id: 'error-code-null',
    summary: 'code is null on a 404',
    violates: ['Error.code'],
    ...withField(notFound, 'code', null),
  },
  {
    id: 'error-code-renamed',
    summary: 'a 400 has error instead of code',
    violates: ['Error.code'],
    ...withObject(invalid, ({ code = '', ...rest }) => ({ error: code, ...rest })),
  },
  {
    id: 'error-message-list',
    summary: 'the message of a 400 is a list of messages',
    violates: ['Error.message'],
    ...withField(invalid, 'message', (old = '') => [old]),
  },
  {
    id: 'error-message-missing',
    summary: 'a 404 has no message',
    violates: ['Error.message'],
    ...withoutField(notFound, 'message'),
  },
  {
    id: 'error-message-null',
    summary: 'the message of a 401 is null',
    violates: ['Error.message'],
    ...withField(keyless, 'message', null),
  },
  {
    id: 'error-message-object',
    summary: 'for a missing key, message is an object with a text per language',
    violates: ['Error.message'],
    ...withObject({ ...keyless, key: 'missing' }, ({ message = '', ...rest }) => ({
      ...rest,
      message: { en: message },
    })),
  },
  {
    id: 'error-status-text',
    summary: 'status is a string',
    violates: ['Error.status'],
    ...withField(refused, 'status', (old) => String(old)),
  },
  {
    id: 'error-status-always-400',
    summary: 'status is 400 in every Error',
    violates: ['Error.status'],
    ...withField(refused, 'status', 400n),
  },
  {
    id: 'error-status-word',
    summary: 'the status of a 404 is the word "error"',
    violates: ['Error.status'],
    ...withField(notFound, 'status', 'error'),
  },
  {
    id: 'error-status-missing',
    summary: 'a 401 of the message address has no status',
    violates: ['Error.status'],
    ...withoutField({ ...keyless, listener: 'messages' }, 'status'),
  },
  {
    id: 'error-status-422',
    summary: 'status is 422 in a 400 for a wrong categoryId',
    violates: ['Error.status'],
    ...withField(
      { ...invalid, when: ({ body }) => isObject(body) && !isInt64(body.categoryId) },
      'status',
      422n,
    ),
  },
  {
    id: 'error-status-null',
    summary: 'status is null in the Error for malformed JSON',
    violates: ['Error.status'],
    ...withField({ ...invalid, when: ({ bodyProblem }) => bodyProblem !== undefined }, 'status', null),
  },
  {
    id: 'error-status-float',
    summary: 'the status of a 404 is written 404.0001',
    violates: ['Error.status'],
    ...withText(notFound, (text) => text.replace('404', '404.0001')),
  },
];
