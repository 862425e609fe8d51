import type { Where } from '../../changes/change.ts';
import { cutShort, hanging, resetting, sendingRaw, withContentLength } from '../../changes/changes.ts';
import { bodyBytes, bodyText, httpBytes } from '../../http/answer.ts';
import { type Fault, violating } from '../fault.ts';
import { listing, naming, ORDERS } from '../requests.ts';

const messages: Where = { listener: 'messages' };
const fetched = { operation: 'getPet' } as const;

/** The head of an answer, followed by its body as `write` frames it. */
const framed = (where: Where, header: string, write: (body: Buffer) => string | Buffer) =>
  sendingRaw(where, (answer) => {
    const body = bodyBytes(answer);
    const head = httpBytes(answer).toString('latin1').split('\r\n\r\n')[0] ?? '';
    const lines = head.split('\r\n').filter((line) => !/^content-length:/i.test(line));
    const framing = header === '' ? [] : [header];
    return Buffer.concat([
      Buffer.from(`${[...lines, ...framing].join('\r\n')}\r\n\r\n`, 'latin1'),
      Buffer.from(write(body)),
    ]);
  });
const hex = (body: Buffer) => body.length.toString(16);

/** Responses that are not HTTP, or are not complete. */
export const brokenHttpFaults: readonly Fault[] = [
  ...violating('service.http', {
    'http-hang-list': ['GET /pets never responds', hanging({ operation: 'listPets' }, 'nothing')],
    'http-hang-create': ['POST /pets never responds', hanging({ operation: 'createPet' }, 'nothing')],
    'http-hang-fetch': ['GET /pets/{petId} never responds', hanging(fetched, 'nothing')],
    'http-hang-orders': ['GET /store/orders never responds', hanging(ORDERS, 'nothing')],
    'http-hang-emoji': [
      'POST /pets never responds to a name with an emoji',
      hanging(
        naming((name) => /[\u{1f300}-\u{1faff}]/u.test(name)),
        'half',
      ),
    ],
    'http-hang-half-page': ['a page of 100 stalls half-way', hanging(listing('limit', '100'), 'half')],
    'http-hang-message-401': [
      'the message address never responds to a request without a key',
      hanging({ ...messages, status: 401 }, 'nothing'),
    ],
    'http-hang-every-seventh': [
      'every seventh request gets no response',
      hanging({ when: ({ number }) => number % 7 === 0 }, 'nothing'),
    ],
    'http-reset-sold': [
      'status=sold crashes the process: the connection is reset',
      resetting(listing('status', 'sold'), 'nothing'),
    ],
    'http-reset-half-404': [
      'the connection is reset in the middle of a 404',
      resetting({ ...fetched, status: 404 }, 'half'),
    ],
    'http-closed-text-id': [
      'a petId that is not an integer closes the connection without a response',
      cutShort({ ...fetched, when: ({ params }) => !/^\d+$/.test(params.petId ?? '') }, 'nothing'),
    ],
    'http-closed-empty-body': [
      'an empty body closes the connection without a response',
      cutShort({ operation: 'createPet', when: ({ bodyText: text }) => text === '' }, 'nothing'),
    ],
    'http-closed-half-message': [
      'the connection closes in the middle of an accepted message',
      cutShort({ ...messages, status: 202 }, 'half'),
    ],
  }),
  {
    id: 'http-closed-every-fifth',
    summary: 'the connection closes half-way through every fifth response',
    violates: ['service.http', 'TooManyRequests'],
    because: 'the fifth response may be the one that has to refuse a request over the limit',
    ...cutShort({ when: ({ number }) => number % 5 === 0 }, 'half'),
  },
  ...violating('service.http', {
    'http-length-long': [
      'Content-Length of a 401 counts a line break that is not sent',
      withContentLength({ status: 401 }, (length) => length + 2),
    ],
    'http-length-short': [
      'Content-Length counts characters, not bytes: an added animal with a non-ASCII name is truncated',
      withContentLength(
        {
          operation: 'createPet',
          status: 201,
          when: ({ bodyText: text }) => /[\u0080-\uffff]/.test(text ?? ''),
        },
        (length) => length - 2,
      ),
    ],
    'http-length-twice': [
      'the response to an addition has two different Content-Lengths',
      framed(
        { operation: 'createPet', status: 201 },
        'Content-Length: 1\r\nContent-Length: 2',
        (body) => body,
      ),
    ],
    'http-length-text': [
      'Content-Length of GET /store/orders is not a number',
      framed(ORDERS, 'Content-Length: unknown', (body) => body),
    ],
    'http-chunk-without-end': [
      'a filtered list is sent in chunks, but the last chunk is missing',
      framed(listing('status'), 'Transfer-Encoding: chunked', (body) => `${hex(body)}\r\n${body}\r\n`),
    ],
    'http-chunk-size-decimal': [
      'chunk sizes are in decimal',
      framed(fetched, 'Transfer-Encoding: chunked', (body) => `${body.length}\r\n${body}\r\n0\r\n\r\n`),
    ],
    'http-body-alone': [
      'the message address sends only the body, as in HTTP/0.9',
      sendingRaw(messages, (answer) => bodyText(answer)),
    ],
    'http-status-missing': [
      'the status line of GET /store/orders has no status',
      sendingRaw(ORDERS, (answer) =>
        httpBytes(answer)
          .toString('latin1')
          .replace(/^HTTP\/1\.1 \d+/, 'HTTP/1.1'),
      ),
    ],
    'http-header-bare': [
      'a 400 has a header line without a colon',
      framed({ operation: 'createPet', status: 400 }, 'no cache please', (body) => body),
    ],
    'http-warning-first': [
      'a 404 begins with a log line, before the status line',
      sendingRaw({ ...fetched, status: 404 }, (answer) =>
        Buffer.concat([Buffer.from('getPet: not found\n'), httpBytes(answer)]),
      ),
    ],
  }),
];
