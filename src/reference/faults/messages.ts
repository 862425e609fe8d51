import { answering, onAnswer, withRequestBody, withStatus } from '../changes/changes.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { type BigIntJsonObject, isObject } from '../http/json.ts';
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
