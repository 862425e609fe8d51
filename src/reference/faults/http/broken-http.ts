import type { Where } from '../../changes/change.ts';
import { cutShort, hanging, resetting, sendingRaw, withContentLength } from '../../changes/changes.ts';
import { bodyBytes, bodyText, httpBytes } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';
import { listing, naming } from '../mistakes.ts';

const orders = { operation: 'getStoreOrders' } as const;
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
export const httpFaults: readonly Fault[] = [
  {
    id: 'http-hang-list',
    summary: 'GET /pets never responds',
    violates: ['service.http'],
    ...hanging({ operation: 'listPets' }, 'nothing'),
  },
  {
    id: 'http-hang-create',
    summary: 'POST /pets never responds',
    violates: ['service.http'],
    ...hanging({ operation: 'createPet' }, 'nothing'),
  },
  {
    id: 'http-hang-fetch',
    summary: 'GET /pets/{petId} never responds',
    violates: ['service.http'],
    ...hanging(fetched, 'nothing'),
  },
  {
    id: 'http-hang-orders',
    summary: 'GET /store/orders never responds',
    violates: ['service.http'],
    ...hanging(orders, 'nothing'),
  },
  {
    id: 'http-hang-emoji',
    summary: 'POST /pets never responds to a name with an emoji',
    violates: ['service.http'],
    ...hanging(
      naming((name) => /[\u{1f300}-\u{1faff}]/u.test(name)),
      'half',
    ),
  },
  {
    id: 'http-hang-half-page',
    summary: 'a page of 100 stalls half-way',
    violates: ['service.http'],
    ...hanging(listing('limit', '100'), 'half'),
  },
  {
    id: 'http-hang-message-401',
    summary: 'the message address never responds to a request without a key',
    violates: ['service.http'],
    ...hanging({ ...messages, status: 401 }, 'nothing'),
  },
  {
    id: 'http-hang-every-seventh',
    summary: 'every seventh request gets no response',
    violates: ['service.http'],
    ...hanging({ when: ({ number }) => number % 7 === 0 }, 'nothing'),
  },
  {
    id: 'http-reset-sold',
    summary: 'status=sold crashes the process: the connection is reset',
    violates: ['service.http'],
    ...resetting(listing('status', 'sold'), 'nothing'),
  },
  {
    id: 'http-reset-half-404',
    summary: 'the connection is reset in the middle of a 404',
    violates: ['service.http'],
    ...resetting({ ...fetched, status: 404 }, 'half'),
  },
  {
    id: 'http-closed-text-id',
    summary: 'a petId that is not an integer closes the connection without a response',
    violates: ['service.http'],
    ...cutShort({ ...fetched, when: ({ params }) => !/^\d+$/.test(params.petId ?? '') }, 'nothing'),
  },
  {
    id: 'http-closed-empty-body',
    summary: 'an empty body closes the connection without a response',
    violates: ['service.http'],
    ...cutShort({ operation: 'createPet', when: ({ bodyText: text }) => text === '' }, 'nothing'),
  },
  {
    id: 'http-closed-half-message',
    summary: 'the connection closes in the middle of an accepted message',
    violates: ['service.http'],
    ...cutShort({ ...messages, status: 202 }, 'half'),
  },
  {
    id: 'http-closed-every-fifth',
    summary: 'the connection closes half-way through every fifth response',
    violates: ['service.http', 'TooManyRequests'],
    because: 'the fifth response may be the one that has to refuse a request over the limit',
    ...cutShort({ when: ({ number }) => number % 5 === 0 }, 'half'),
  },
  {
    id: 'http-length-long',
    summary: 'Content-Length of a 401 counts a line break that is not sent',
    violates: ['service.http'],
    ...withContentLength({ status: 401 }, (length) => length + 2),
  },
  {
    id: 'http-length-short',
    summary:
      'Content-Length counts characters, not bytes: an added animal with a non-ASCII name is truncated',
    violates: ['service.http'],
    ...withContentLength(
      {
        operation: 'createPet',
        status: 201,
        when: ({ bodyText: text }) => /[\u0080-\uffff]/.test(text ?? ''),
      },
      (length) => length - 2,
    ),
  },
  {
    id: 'http-length-twice',
    summary: 'the response to an addition has two different Content-Lengths',
    violates: ['service.http'],
    ...framed(
      { operation: 'createPet', status: 201 },
      'Content-Length: 1\r\nContent-Length: 2',
      (body) => body,
    ),
  },
  {
    id: 'http-length-text',
    summary: 'Content-Length of GET /store/orders is not a number',
    violates: ['service.http'],
    ...framed(orders, 'Content-Length: unknown', (body) => body),
  },
  {
    id: 'http-chunk-without-end',
    summary: 'a filtered list is sent in chunks, but the last chunk is missing',
    violates: ['service.http'],
    ...framed(listing('status'), 'Transfer-Encoding: chunked', (body) => `${hex(body)}\r\n${body}\r\n`),
  },
  {
    id: 'http-chunk-size-decimal',
    summary: 'chunk sizes are in decimal',
    violates: ['service.http'],
    ...framed(fetched, 'Transfer-Encoding: chunked', (body) => `${body.length}\r\n${body}\r\n0\r\n\r\n`),
  },
  {
    id: 'http-body-alone',
    summary: 'the message address sends only the body, as in HTTP/0.9',
    violates: ['service.http'],
    ...sendingRaw(messages, (answer) => bodyText(answer)),
  },
  {
    id: 'http-status-missing',
    summary: 'the status line of GET /store/orders has no status',
    violates: ['service.http'],
    ...sendingRaw(orders, (answer) =>
      httpBytes(answer)
        .toString('latin1')
        .replace(/^HTTP\/1\.1 \d+/, 'HTTP/1.1'),
    ),
  },
  {
    id: 'http-header-bare',
    summary: 'a 400 has a header line without a colon',
    violates: ['service.http'],
    ...framed({ operation: 'createPet', status: 400 }, 'no cache please', (body) => body),
  },
  {
    id: 'http-warning-first',
    summary: 'a 404 begins with a log line, before the status line',
    violates: ['service.http'],
    ...sendingRaw({ ...fetched, status: 404 }, (answer) =>
      Buffer.concat([Buffer.from('getPet: not found\n'), httpBytes(answer)]),
    ),
  },
];
