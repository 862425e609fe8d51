import type { Where } from '../changes/change.ts';
import {
  answering,
  onAnswer,
  withField,
  withHeader,
  withObject,
  withRequestBody,
  withStatus,
} from '../changes/changes.ts';
import { jsonAnswer, withHeaderOf } from '../http/answer.ts';
import { isObject } from '../http/json.ts';
import { COVERAGE } from './freedoms.ts';
import { allowedBy, type Variant, variantOf } from './variant.ts';

const HEADING = 'Message submission (quickstart example)';
const STATUS = `${HEADING}: the HTTP status of the response is not shown`;
const VALUES = `${HEADING}: "Other values of the message \`status\`, other fields ...: not shown."`;
const STRING = `${HEADING}: a string, without a stated format`;
const TYPED = `${HEADING}: 400 "when the JSON is invalid or \`message\` is missing"; another type is not mentioned`;
const TIME = `${HEADING}: "ISO 8601 timestamp", in any format of ISO 8601`;

const accepted: Where = { operation: 'sendMessage', status: 202 };

const statuses = [200, 201, 203].map((status) =>
  variantOf(`message-${status}`, `an accepted message gets ${status}`, STATUS, withStatus(accepted, status)),
);

const values = ['sent', 'DELIVERED', 'in progress', ''].map((status) =>
  variantOf(
    `message-status-${status === '' ? 'empty' : status.toLowerCase().replace(' ', '-')}`,
    `an accepted message has the status "${status}"`,
    VALUES,
    withField(accepted, 'status', status),
  ),
);

const ids: readonly (readonly [name: string, id: string])[] = [
  ['uuid', '0b5c1f5e-7d0a-4a3e-9d3e-6a1f0f0c2b11'],
  ['numeric', '9223372036854775808'],
  ['urn', 'urn:message:ünï/1?x=#'],
];

const forms: readonly (readonly [name: string, how: string, text: string])[] = [
  ['utc', 'in UTC, without a fraction', '2026-11-21T09:30:00Z'],
  ['offset', 'with an offset', '2026-11-21T15:00:00.25+05:30'],
  ['minus-sign', 'with an offset after a minus sign (U+2212)', '2026-11-21T04:30:00\u221205:00'],
  ['zero-offset', 'with an offset of zero', '2026-11-21T09:30:00+00:00'],
  ['hour-offset', 'with an offset of whole hours', '2026-11-21T10:30:00+01'],
  ['no-zone', 'in local time', '2026-11-21T09:30:00.123456'],
  ['nanoseconds', 'with nine decimals of a second', '2026-11-21T09:30:00.123456789Z'],
  ['comma', 'with a decimal comma', '2026-11-21T09:30:00,5Z'],
  ['minutes', 'to the minute', '2026-11-21T09:30Z'],
  ['decimal-minute', 'with a fraction of a minute', '2026-11-21T09:30.5Z'],
  ['hours', 'to the hour', '2026-11-21T09Z'],
  ['basic', 'in the basic format', '20261121T093000Z'],
  ['basic-offset', 'in the basic format with an offset', '20261121T103000.5+0100'],
  ['week', 'as a week date', '2026-W47-6T09:30:00Z'],
  ['basic-week', 'as a week date in the basic format', '2026W476T093000Z'],
  ['ordinal', 'as an ordinal date', '2026-325T09:30:00Z'],
  ['midnight', 'at the end of a day', '2026-11-20T24:00:00Z'],
  ['leap-second', 'in a leap second', '2016-12-31T23:59:60Z'],
  ['lower-case', 'with t and z in lower case (RFC 3339 section 5.6)', '2026-11-21t09:30:00z'],
];

const fields = [
  variantOf(
    'message-extra-fields',
    'a message has additional fields',
    VALUES,
    withObject(accepted, (message) => ({
      channel: null,
      to: [],
      ...message,
      updatedAt: '2026-11-21T09:30:00Z',
      attempts: 0n,
      links: { self: '/messages/1' },
    })),
  ),
  variantOf(
    'message-own-words',
    'the message in the response is a text of the service',
    STRING,
    withField(accepted, 'message', 'Your message was queued.'),
  ),
  ...allowedBy(TYPED, {
    'message-any-type': [
      'a message of any type is converted to a string',
      withRequestBody({ operation: 'sendMessage' }, (body) =>
        isObject(body) && body.message !== undefined && typeof body.message !== 'string'
          ? { ...body, message: String(body.message) }
          : (body ?? null),
      ),
    ],
    'message-type-422': [
      'a message that is not a string is rejected with 422',
      answering(
        {
          operation: 'sendMessage',
          when: ({ body }) =>
            isObject(body) && body.message !== undefined && typeof body.message !== 'string',
        },
        () => jsonAnswer(422, { detail: [{ loc: ['body', 'message'], msg: 'not a string' }] }),
      ),
    ],
  }),
  variantOf(
    'message-location',
    'the response to a message has a Location',
    VALUES,
    withHeader(accepted, 'Location', '/messages/msg_1'),
  ),
];

/** A separate limit of ten messages a minute. */
const limitOfMessages = onAnswer({ listener: 'messages', key: 'valid' }, (answer, call) => {
  const sent = call.log.filter(({ listener, key }) => listener === 'messages' && key === 'valid').length;
  const limited = withHeaderOf(answer, 'X-RateLimit-Limit', '10');
  return withHeaderOf(limited, 'X-RateLimit-Remaining', String(Math.max(0, 10 - sent)));
});

/** Message addresses that differ from the reference's and conform. */
export const messagesVariants: readonly Variant[] = [
  ...statuses,
  ...values,
  ...ids.map(([name, id]) =>
    variantOf(
      `message-id-${name}`,
      `a message has an id such as ${id}`,
      STRING,
      withField(accepted, 'id', id),
    ),
  ),
  ...forms.map(([name, how, text]) =>
    variantOf(
      `created-at-${name}`,
      `createdAt is written ${how}`,
      TIME,
      withField(accepted, 'createdAt', text),
    ),
  ),
  ...fields,
  variantOf('message-own-limit', 'messages have a separate limit', COVERAGE, limitOfMessages),
];
