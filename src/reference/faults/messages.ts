import {
  answering,
  onAnswer,
  withBody,
  withField,
  withObject,
  withoutField,
  withRequestBody,
  withStatus,
} from '../changes/changes.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { BigIntJson, BigIntJsonObject } from '../http/json.ts';
import { isObject } from '../http/json.ts';
import { type Fault, violating } from './fault.ts';
import { crashing, page } from './mistakes.ts';

const messages = { operation: 'sendMessage' } as const;
const accepted = { ...messages, status: 202 } as const;

const isMissing = ({ body }: Call) => isObject(body) && !('message' in body);
const isMalformed = ({ body }: Call) => body === undefined;
const isNumber = ({ body }: Call) => isObject(body) && typeof body.message === 'bigint';
const reading = (change: (body: BigIntJsonObject) => BigIntJsonObject) =>
  withRequestBody(messages, (body = null) => (isObject(body) ? change(body) : body));

/** POST {api_url}/messages: the status. */
export const messageFaults: readonly Fault[] = [
  ...violating('sendMessage.2XX', {
    'message-500': ['POST /messages always returns 500', crashing(messages)],
    'message-302': [
      'an accepted message redirects to its page',
      onAnswer(accepted, (answer) => ({ ...answer, status: 302, body: undefined })),
    ],
    'message-recipient-400': [
      'a message without a recipient is rejected with 400',
      onAnswer(accepted, (answer) => ({
        ...answer,
        status: 400,
        body: errorAnswer(400, 'invalid_request', 'to is required').body,
      })),
    ],
  }),
  ...violating('sendMessage.400', {
    'message-422': [
      'a body without message gets 422',
      withStatus({ ...messages, status: 400, when: isMissing }, 422),
    ],
    'message-malformed-500': [
      'an error of the JSON parser is not caught: 500',
      crashing({ ...messages, when: isMalformed }),
    ],
    'message-malformed-415': [
      'malformed JSON gets 415, as if it were another media type',
      withStatus({ ...messages, status: 400, when: isMalformed }, 415),
    ],
  }),
  ...violating('sendMessage.body', {
    'message-malformed-accepted': [
      'messages are queued before they are parsed: malformed JSON is accepted',
      withRequestBody(messages, (body = { message: '' }) => body),
    ],
    'message-malformed-as-text': [
      'a body that is not JSON is taken as the message',
      withRequestBody(messages, (body, { bodyText }) => body ?? { message: bodyText ?? '' }),
    ],
  }),
  {
    id: 'message-missing-empty',
    summary: 'if message is missing, an empty message is sent',
    violates: ['NewMessage.message'],
    ...reading((body) => ({ message: '', ...body })),
  },
  {
    id: 'message-204',
    summary: 'a message gets 204, without a body',
    violates: ['Message'],
    ...onAnswer(accepted, (answer) => ({ ...answer, status: 204, body: undefined })),
  },
  {
    id: 'message-missing-ignored',
    summary: 'if message is missing, nothing is sent, and the response is 204',
    violates: ['NewMessage.message'],
    ...onAnswer({ ...messages, status: 400, when: isMissing }, (answer) => ({
      ...answer,
      status: 204,
      body: undefined,
    })),
  },
  ...violating('sendMessage.responses', {
    'message-number-500': [
      'a message that is a number crashes the service: 500',
      crashing({ ...messages, when: isNumber }),
    ],
    'message-number-502': [
      'the queue behind the service rejects a number: the proxy returns 502',
      answering({ ...messages, when: isNumber }, () => page(502)),
    ],
  }),
];

const createdAt = (change: (time: Date) => BigIntJson) =>
  withField(accepted, 'createdAt', (old) => change(new Date(String(old))));

/** POST {api_url}/messages: the response to an accepted message. */
export const messageFieldFaults: readonly Fault[] = [
  ...violating('Message', {
    'message-empty': ['the response to an accepted message has no body', withBody(accepted, () => undefined)],
    'message-bare-id': [
      'the response to an accepted message is only its id, as a string',
      withBody(accepted, () => '"msg_1"'),
    ],
    'message-wrapped': [
      'an accepted message is wrapped: {"data": {...}}',
      withObject(accepted, (message) => ({ data: message })),
    ],
    'message-array': [
      'an accepted message is returned as a list of one',
      withBody(accepted, (message) => [message]),
    ],
  }),
  ...violating('Message.id', {
    'message-id-number': ['the id of a message is a number', withField(accepted, 'id', 59n)],
    'message-id-missing': [
      'a message has messageId instead of id',
      withObject(accepted, ({ id = '', ...rest }) => ({ messageId: id, ...rest })),
    ],
  }),
  ...violating('Message.message', {
    'message-text-missing': ['the response does not repeat the message', withoutField(accepted, 'message')],
    'message-text-object': [
      'the response repeats the message as a list, not as a string',
      withField(accepted, 'message', (old = '') => [old]),
    ],
  }),
  ...violating('Message.status', {
    'message-status-null': [
      'the status of a message is null until the message is sent',
      withField(accepted, 'status', null),
    ],
    'message-status-number': [
      'the status of a message is the HTTP status',
      withField(accepted, 'status', 202n),
    ],
    'message-status-missing': [
      'a message has queued: true instead of a status',
      withObject(accepted, ({ status: _, ...rest }) => ({ ...rest, queued: true })),
    ],
  }),
  ...violating('Message.createdAt', {
    'message-created-missing': ['a message has no createdAt', withoutField(accepted, 'createdAt')],
    'message-created-epoch': [
      'createdAt is in milliseconds since 1970',
      createdAt((time) => BigInt(time.getTime())),
    ],
    'message-created-epoch-text': [
      'createdAt is the seconds since 1970, in quotes',
      createdAt((time) => String(Math.floor(time.getTime() / 1000))),
    ],
    'message-created-us': [
      'createdAt is a date in US format',
      createdAt((time) => time.toLocaleString('en-US')),
    ],
    'message-created-http-date': ['createdAt is an HTTP-date', createdAt((time) => time.toUTCString())],
    'message-created-blank': [
      'createdAt has a space where ISO 8601 requires a T',
      createdAt((time) => time.toISOString().replace('T', ' ')),
    ],
    'message-created-day': [
      'createdAt is a day without a time',
      createdAt((time) => time.toISOString().slice(0, 10)),
    ],
    'message-created-impossible': [
      'createdAt counts months from 0 and gives every month 31 days',
      createdAt((time) => time.toISOString().replace(/-\d\d-\d\d/, '-02-31')),
    ],
    'message-created-hour-24': [
      'createdAt counts the hours of a day from 1 to 24: half past midnight is 24:30',
      createdAt((time) => time.toISOString().replace(/T.*/, 'T24:30:00Z')),
    ],
  }),
];
