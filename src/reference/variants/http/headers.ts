import type { Where } from '../../changes/change.ts';
import {
  answering,
  onAnswer,
  withAnotherHeader,
  withHeader,
  withHeaderNames,
  withoutHeader,
} from '../../changes/changes.ts';
import { errorAnswer, withoutHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { ANY_HEADERS, CLOCK, MEDIA_TYPE } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const NAMES = 'RFC 9110 section 5.1: "Field names are case-insensitive"';
const REPEATED = 'RFC 9110 section 5.2: repeated lines may be joined; they mean the same';
const LENGTH =
  'RFC 9110 section 5.4: "HTTP does not place a predefined limit on the length of each field line"';
const DATE =
  'RFC 9110 section 6.6.1: a server without a clock sends no Date; the interface does not require one';

const STRICT =
  'What the service does: "All request and response bodies are JSON (`application/json`)"; RFC 9110 section 9.3.1: a body of a GET has no meaning';

const all: Where = {};
const RATE = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const hasBody: Where = { when: ({ operation }) => operation !== undefined };
const types: readonly (readonly [name: string, type: string])[] = [
  ['charset', 'application/json; charset=utf-8'],
  ['charset-upper', 'application/json;charset=UTF-8'],
  ['charset-quoted', 'application/json ; Charset="utf-8"'],
  ['parameters', 'application/json; profile="a;b, c"; v=1'],
  ['upper', 'Application/JSON'],
  ['semicolon', 'application/json;'],
];

/** Whether a careful client would not send this request. */
function isSloppy({ method, headers, bodyBytes }: Call): boolean {
  if (headers.host === undefined || headers['user-agent'] === undefined || headers.expect !== undefined)
    return true;
  if (!/application\/json|\*\/\*/.test(headers.accept ?? '')) return true;
  const length = headers['content-length'];
  if (method === 'GET')
    return length !== undefined || headers['content-type'] !== undefined || bodyBytes.length > 0;
  return length !== String(bodyBytes.length) || headers['content-type'] !== 'application/json';
}

/** HTTP messages that differ from the reference's and mean the same. */
export const headerVariants: readonly Variant[] = [
  ...allowedBy(NAMES, {
    'header-names-lower': [
      'header names are in lower case',
      withHeaderNames(all, (name) => name.toLowerCase()),
    ],
    'header-names-upper': [
      'header names are in upper case',
      withHeaderNames(all, (name) => name.toUpperCase()),
    ],
  }),
  ...types.map(([name, type]) =>
    variantOf(
      `content-type-${name}`,
      `bodies are declared as ${type}`,
      MEDIA_TYPE,
      withHeader(hasBody, 'Content-Type', type),
    ),
  ),
  ...allowedBy(REPEATED, {
    'rate-headers-repeated': [
      'each rate limit header is sent twice with the same value',
      onAnswer(all, (answer) => ({
        ...answer,
        headers: answer.headers.flatMap((header) => (RATE.includes(header[0]) ? [header, header] : [header])),
      })),
    ],
    'rate-headers-joined': [
      'each rate limit header has its value twice, joined by a comma',
      ...RATE.map((name) => withHeader(all, name, (old) => `${old}, ${old}`)),
    ],
  }),
  variantOf(
    'rate-headers-drafted',
    'the headers of the IETF draft are also sent',
    ANY_HEADERS,
    withHeader(all, 'RateLimit-Policy', '"minute";q=60;w=60, "day";q=1000;w=86400'),
    withHeader(all, 'RateLimit', '"minute";r=59;t=60'),
    withHeader(all, 'X-RateLimit-Used', '1'),
  ),
  variantOf(
    'retry-after-always',
    'every response has Retry-After: 0',
    'RFC 9110 section 10.2.3: Retry-After is not bound to 429',
    withHeader({ status: [200, 201, 202, 400, 401, 404] }, 'Retry-After', '0'),
  ),
  variantOf(
    'headers-many',
    'responses have the headers of a gateway, cookies and validators',
    ANY_HEADERS,
    withHeader(all, 'ETag', 'W/"0"'),
    withHeader(all, 'Last-Modified', 'Sun, 06 Nov 1994 08:49:37 GMT'),
    withHeader(all, 'Cache-Control', 'max-age=60'),
    withHeader(all, 'Vary', 'Authorization, Accept-Encoding'),
    withHeader(all, 'Via', '1.1 gateway'),
    withHeader(all, 'Server', 'Animals/1.0 (x; y)'),
    withHeader(all, 'Strict-Transport-Security', 'max-age=31536000'),
    withAnotherHeader(all, 'Set-Cookie', 'a=1; Path=/'),
    withAnotherHeader(all, 'Set-Cookie', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'),
  ),
  variantOf(
    'headers-large',
    'responses have a header of 20,000 characters',
    LENGTH,
    withHeader(all, 'X-Policy', 'x'.repeat(20_000)),
  ),
  variantOf(
    'header-latin1',
    'a header has characters beyond ASCII',
    'RFC 9110 section 5.5: field values may contain obs-text',
    withHeader(all, 'X-Store', 'Zo\u00eb'),
  ),
  variantOf(
    'api-version',
    'headers name the version and the stability of an operation',
    'Versioning: "which operations do is not stated here"',
    withHeader(all, 'X-API-Version', '1.0.0'),
    withHeader(all, 'X-Stability', 'stable'),
  ),
  variantOf(
    'upgrade-offered',
    'HTTP/2 is offered',
    'RFC 9110 section 7.8: a server may send Upgrade in any response',
    withHeader(all, 'Upgrade', 'h2c'),
    withHeader(all, 'Connection', 'Upgrade'),
  ),
  variantOf('date-absent', 'responses have no Date', DATE, withoutHeader(all, 'Date')),
  {
    ...variantOf(
      'date-absent-clock-behind',
      'responses have no Date, and Retry-After is a date by a clock that is a minute behind',
      CLOCK,
      { settings: { clockSkew: -60, limiter: { retryAfter: 'http-date' } } },
      withoutHeader(all, 'Date'),
    ),
    untested: ['rate-limit.recovery'],
  },
  variantOf(
    'date-last',
    'Date and Content-Type are the last headers',
    'RFC 9110 section 5.3: the order of different field names is not significant',
    onAnswer(all, (answer) => {
      const [date, type] = ['Date', 'Content-Type'].map((name) =>
        answer.headers.find(([sent]) => sent === name),
      );
      const bare = withoutHeaderOf(withoutHeaderOf(answer, 'Date'), 'Content-Type');
      return { ...bare, headers: [...bare.headers, ...(type ? [type] : []), ...(date ? [date] : [])] };
    }),
  ),
  variantOf(
    'nodes-skewed',
    'several nodes respond, with clocks that differ by up to two seconds',
    CLOCK,
    withHeader(all, 'Date', (_old, _answer, { now, number }) =>
      new Date(now + ((number % 3) - 1) * 2_000).toUTCString(),
    ),
  ),
  variantOf(
    'requests-strict',
    'a request with a missing or unneeded header is rejected',
    STRICT,
    answering({ key: 'valid', when: isSloppy }, () =>
      errorAnswer(415, 'sloppy', 'not a request as it should be'),
    ),
  ),
];
