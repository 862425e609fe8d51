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
import type { Fault } from './fault.ts';
import { crash, page } from './mistakes.ts';

const messages = { operation: 'sendMessage' } as const;
const accepted = { ...messages, status: 202 } as const;

const isMissing = ({ body }: Call) => isObject(body) && !('message' in body);
const isMalformed = ({ body }: Call) => body === undefined;
const isNumber = ({ body }: Call) => isObject(body) && typeof body.message === 'bigint';
const reading = (change: (body: BigIntJsonObject) => BigIntJsonObject) =>
  withRequestBody(messages, (body = null) => (isObject(body) ? change(body) : body));

/** POST {api_url}/messages: the status. */
export const messageFaults: readonly Fault[] = [
  {
    id: 'message-500',
    summary: 'POST /messages always returns 500',
    violates: ['sendMessage.2XX'],
    ...answering(messages, crash),
  },
  {
    id: 'message-302',
    summary: 'an accepted message redirects to its page',
    violates: ['sendMessage.2XX'],
    ...onAnswer(accepted, (answer) => ({ ...answer, status: 302, body: undefined })),
  },
  {
    id: 'message-recipient-400',
    summary: 'a message without a recipient is rejected with 400',
    violates: ['sendMessage.2XX'],
    ...onAnswer(accepted, (answer) => ({
      ...answer,
      status: 400,
      body: errorAnswer(400, 'invalid_request', 'to is required').body,
    })),
  },
  {
    id: 'message-422',
    summary: 'a body without message gets 422',
    violates: ['sendMessage.400'],
    ...withStatus({ ...messages, status: 400, when: isMissing }, 422),
  },
  {
    id: 'message-malformed-500',
    summary: 'an error of the JSON parser is not caught: 500',
    violates: ['sendMessage.400'],
    ...answering({ ...messages, when: isMalformed }, crash),
  },
  {
    id: 'message-malformed-415',
    summary: 'malformed JSON gets 415, as if it were another media type',
    violates: ['sendMessage.400'],
    ...withStatus({ ...messages, status: 400, when: isMalformed }, 415),
  },
  {
    id: 'message-malformed-accepted',
    summary: 'messages are queued before they are parsed: malformed JSON is accepted',
    violates: ['sendMessage.body'],
    ...withRequestBody(messages, (body = { message: '' }) => body),
  },
  {
    id: 'message-malformed-as-text',
    summary: 'a body that is not JSON is taken as the message',
    violates: ['sendMessage.body'],
    ...withRequestBody(messages, (body, { bodyText }) => body ?? { message: bodyText ?? '' }),
  },
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
  {
    id: 'message-number-500',
    summary: 'a message that is a number crashes the service: 500',
    violates: ['sendMessage.responses'],
    ...answering({ ...messages, when: isNumber }, crash),
  },
  {
    id: 'message-number-502',
    summary: 'the queue behind the service rejects a number: the proxy returns 502',
    violates: ['sendMessage.responses'],
    ...answering({ ...messages, when: isNumber }, () => page(502)),
  },
];

const createdAt = (change: (time: Date) => BigIntJson) =>
  withField(accepted, 'createdAt', (old) => change(new Date(String(old))));

/** POST {api_url}/messages: the response to an accepted message. */
export const messageFieldFaults: readonly Fault[] = [
  {
    id: 'message-empty',
    summary: 'the response to an accepted message has no body',
    violates: ['Message'],
    ...withBody(accepted, () => undefined),
  },
  {
    id: 'message-bare-id',
    summary: 'the response to an accepted message is only its id, as a string',
    violates: ['Message'],
    ...withBody(accepted, () => '"msg_1"'),
  },
  {
    id: 'message-wrapped',
    summary: 'an accepted message is wrapped: {"data": {...}}',
    violates: ['Message'],
    ...withObject(accepted, (message) => ({ data: message })),
  },
  {
    id: 'message-array',
    summary: 'an accepted message is returned as a list of one',
    violates: ['Message'],
    ...withBody(accepted, (message) => [message]),
  },
  {
    id: 'message-id-number',
    summary: 'the id of a message is a number',
    violates: ['Message.id'],
    ...withField(accepted, 'id', 59n),
  },
  {
    id: 'message-id-missing',
    summary: 'a message has messageId instead of id',
    violates: ['Message.id'],
    ...withObject(accepted, ({ id = '', ...rest }) => ({ messageId: id, ...rest })),
  },
  {
    id: 'message-text-missing',
    summary: 'the response does not repeat the message',
    violates: ['Message.message'],
    ...withoutField(accepted, 'message'),
  },
  {
    id: 'message-text-object',
    summary: 'the response repeats the message as a list, not as a string',
    violates: ['Message.message'],
    ...withField(accepted, 'message', (old = '') => [old]),
  },
  {
    id: 'message-status-null',
    summary: 'the status of a message is null until the message is sent',
    violates: ['Message.status'],
    ...withField(accepted, 'status', null),
  },
  {
    id: 'message-status-number',
    summary: 'the status of a message is the HTTP status',
    violates: ['Message.status'],
    ...withField(accepted, 'status', 202n),
  },
  {
    id: 'message-status-missing',
    summary: 'a message has queued: true instead of a status',
    violates: ['Message.status'],
    ...withObject(accepted, ({ status: _, ...rest }) => ({ ...rest, queued: true })),
  },
  {
    id: 'message-created-missing',
    summary: 'a message has no createdAt',
    violates: ['Message.createdAt'],
    ...withoutField(accepted, 'createdAt'),
  },
  {
    id: 'message-created-epoch',
    summary: 'createdAt is in milliseconds since 1970',
    violates: ['Message.createdAt'],
    ...createdAt((time) => BigInt(time.getTime())),
  },
  {
    id: 'message-created-epoch-text',
    summary: 'createdAt is the seconds since 1970, in quotes',
    violates: ['Message.createdAt'],
    ...createdAt((time) => String(Math.floor(time.getTime() / 1000))),
  },
  {
    id: 'message-created-us',
    summary: 'createdAt is a date in US format',
    violates: ['Message.createdAt'],
    ...createdAt((time) => time.toLocaleString('en-US')),
  },
  {
    id: 'message-created-http-date',
    summary: 'createdAt is an HTTP-date',
    violates: ['Message.createdAt'],
    ...createdAt((time) => time.toUTCString()),
  },
  {
    id: 'message-created-blank',
    summary: 'createdAt has a space where ISO 8601 requires a T',
    violates: ['Message.createdAt'],
    ...createdAt((time) => time.toISOString().replace('T', ' ')),
  },
  {
    id: 'message-created-day',
    summary: 'createdAt is a day without a time',
    violates: ['Message.createdAt'],
    ...createdAt((time) => time.toISOString().slice(0, 10)),
  },
  {
    id: 'message-created-impossible',
    summary: 'createdAt counts months from 0 and gives every month 31 days',
    violates: ['Message.createdAt'],
    ...createdAt((time) => time.toISOString().replace(/-\d\d-\d\d/, '-02-31')),
  },
  {
    id: 'message-created-hour-24',
    summary: 'createdAt counts the hours of a day from 1 to 24: half past midnight is 24:30',
    violates: ['Message.createdAt'],
    ...createdAt((time) => time.toISOString().replace(/T.*/, 'T24:30:00Z')),
  },
];
