import { answering, onAnswer, withRequestBody, withStatus } from '../changes/changes.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { isObject, type JsonObject } from '../http/json.ts';
import { crash, page } from './building-blocks.ts';
import type { Fault } from './fault.ts';

const messages = { operation: 'sendMessage' } as const;
const accepted = { ...messages, status: 202 } as const;

const isMissing = ({ body }: Call) => isObject(body) && !('message' in body);
const isMalformed = ({ body }: Call) => body === undefined;
const isNumber = ({ body }: Call) => isObject(body) && typeof body.message === 'bigint';
const reading = (change: (body: JsonObject) => JsonObject) =>
  withRequestBody(messages, (body = null) => (isObject(body) ? change(body) : body));

/** POST {api_url}/messages: with which status. */
export const messageFaults: readonly Fault[] = [
  {
    id: 'message-500',
    summary: 'POST /messages always answers 500',
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
    summary: 'a message without a recipient is refused with 400',
    violates: ['sendMessage.2XX'],
    ...onAnswer(accepted, (answer) => ({
      ...answer,
      status: 400,
      body: errorAnswer(400, 'invalid_request', 'to is required').body,
    })),
  },
  {
    id: 'message-422',
    summary: 'a body without message is answered 422',
    violates: ['sendMessage.400'],
    ...withStatus({ ...messages, status: 400, when: isMissing }, 422),
  },
  {
    id: 'message-malformed-500',
    summary: 'the error of the JSON parser is not caught: 500',
    violates: ['sendMessage.400'],
    ...answering({ ...messages, when: isMalformed }, crash),
  },
  {
    id: 'message-malformed-415',
    summary: 'malformed JSON is taken for another media type: 415',
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
    summary: 'what is no JSON is itself the message',
    violates: ['sendMessage.body'],
    ...withRequestBody(messages, (body, { bodyText }) => body ?? { message: bodyText ?? '' }),
  },
  {
    id: 'message-missing-empty',
    summary: 'without message, an empty one is sent',
    violates: ['NewMessage.message'],
    ...reading((body) => ({ message: '', ...body })),
  },
  {
    id: 'message-missing-ignored',
    summary: 'without message nothing is sent, and 204 is answered',
    violates: ['NewMessage.message'],
    ...onAnswer({ ...messages, status: 400, when: isMissing }, (answer) => ({
      ...answer,
      status: 204,
      body: undefined,
    })),
  },
  {
    id: 'message-number-500',
    summary: 'a message that is a number has no length: 500',
    violates: ['sendMessage.responses'],
    ...answering({ ...messages, when: isNumber }, crash),
  },
  {
    id: 'message-number-502',
    summary: 'the queue behind the service refuses a number: the proxy answers 502',
    violates: ['sendMessage.responses'],
    ...answering({ ...messages, when: isNumber }, () => page(502)),
  },
];
