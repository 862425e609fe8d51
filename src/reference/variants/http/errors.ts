import type { Where } from '../../changes/change.ts';
import { onAnswer, withField, withHeader, withObject } from '../../changes/changes.ts';
import { bodyText } from '../../http/answer.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const CODES = 'Errors: "The set of values of the `code` field: not shown."';
const TEXT = 'Error: message is a string, a "Human-readable description", in no stated language';
const EXTRA = 'Error: additional fields are not mentioned';
const ELSEWHERE = 'Errors: the body of statuses outside the table has no stated shape';
const HEADERS = 'Errors: only the rate limit headers are stated';

const refused: Where = { status: [400, 401, 404, 429] };
/** Error responses that the interface does not describe: it documents no 400 for a query. */
const undescribed: Where = { operation: 'listPets', status: 400 };

const codes: readonly (readonly [name: string, code: string])[] = [
  ['upper', 'INVALID_REQUEST'],
  ['numeric', '4000'],
  ['urn', 'urn:problem:animals#1'],
  ['one-for-all', 'error'],
  ['empty', ''],
];

const texts: readonly (readonly [name: string, how: string, text: string])[] = [
  ['empty', 'empty', ''],
  ['japanese', 'in Japanese', 'リクエストが正しくありません。'],
  ['lines', 'several lines long', 'first\r\nsecond\tthird\n'],
  ['long', '20,000 characters long', 'too long '.repeat(2_222)],
  [
    'markup',
    'full of markup and escape sequences',
    '<script>alert(1)</script> \u001b[31m::error::x {{7*7}} %0A',
  ],
];

/** Error responses that differ from the reference's and conform. */
export const errorsVariants: readonly Variant[] = [
  ...codes.map(([name, code]) =>
    variantOf(
      `error-code-${name}`,
      `every Error has the code "${code}"`,
      CODES,
      withField(refused, 'code', code),
    ),
  ),
  ...texts.map(([name, how, text]) =>
    variantOf(
      `error-message-${name}`,
      `the message of an Error is ${how}`,
      TEXT,
      withField(refused, 'message', text),
    ),
  ),
  variantOf(
    'error-message-echo',
    'the message of an Error repeats the request',
    TEXT,
    withField(
      refused,
      'message',
      (_old, _object, call) =>
        `${call.method} ${call.path} (${call.headers.authorization}): ${call.bodyText ?? ''}`,
    ),
  ),
  variantOf(
    'error-extra-fields',
    'an Error has additional fields',
    EXTRA,
    withObject(refused, (error) => ({
      type: 'about:blank',
      title: null,
      ...error,
      errors: [{ field: 'name', code: 1n, status: 'x', message: null }],
      requestId: '7f3c',
      timestamp: 1_732_183_200n,
    })),
  ),
  variantOf(
    'error-request-id',
    'an error has the headers X-Request-Id, Content-Language and Cache-Control',
    HEADERS,
    withHeader(refused, 'X-Request-Id', '7f3c'),
    withHeader(refused, 'Content-Language', 'en'),
    withHeader(refused, 'Cache-Control', 'no-store'),
  ),
  variantOf(
    'error-closes',
    'the connection closes after each error',
    'RFC 9112 section 9.6',
    withHeader(refused, 'Connection', 'close'),
  ),
  ...allowedBy(ELSEWHERE, {
    'elsewhere-other': [
      'an error response that the interface does not describe has another shape than Error',
      onAnswer(undescribed, (answer) => ({ ...answer, body: { title: 'Bad limit', status: 'wrong' } })),
    ],
    'elsewhere-sentence': [
      'an error response that the interface does not describe is a JSON string',
      onAnswer(undescribed, (answer) => ({ ...answer, body: JSON.stringify(bodyText(answer)) })),
    ],
    'elsewhere-empty': [
      'an error response that the interface does not describe has no body',
      onAnswer(undescribed, (answer) => ({ ...answer, body: '' })),
    ],
  }),
];
