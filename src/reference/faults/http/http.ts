import { cutShort, hanging, resetting, sendingRaw, withContentLength } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import { bodyBytes, bodyText } from '../../http/answer.ts';
import { httpBytes } from '../../http/send.ts';
import { listing, naming } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

const orders = { operation: 'getStoreOrders' } as const;
const messages: Where = { listener: 'messages' };
const fetched = { operation: 'getPet' } as const;

/** The head of an answer, and its body behind it as `write` frames it. */
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

/** Answers that are no HTTP, or do not come to their end. */
export const httpFaults: readonly Fault[] = [
  {
    id: 'http-hang-list',
    summary: 'GET /pets never answers',
    violates: ['service.http'],
    ...hanging({ operation: 'listPets' }, 'nothing'),
  },
  {
    id: 'http-hang-create',
    summary: 'POST /pets never answers',
    violates: ['service.http'],
    ...hanging({ operation: 'createPet' }, 'nothing'),
  },
  {
    id: 'http-hang-fetch',
    summary: 'GET /pets/{petId} never answers',
    violates: ['service.http'],
    ...hanging(fetched, 'nothing'),
  },
  {
    id: 'http-hang-orders',
    summary: 'GET /store/orders never answers',
    violates: ['service.http'],
    ...hanging(orders, 'nothing'),
  },
  {
    id: 'http-hang-emoji',
    summary: 'the addition of a name with an emoji never ends',
    violates: ['service.http'],
    ...hanging(
      naming((name) => /[\u{1f300}-\u{1faff}]/u.test(name)),
      'half',
    ),
  },
  {
    id: 'http-hang-half-page',
    summary: 'half of a page of 100 comes, and then nothing',
    violates: ['service.http'],
    ...hanging(listing('limit', '100'), 'half'),
  },
  {
    id: 'http-hang-message-401',
    summary: 'without a key, the message address never answers',
    violates: ['service.http'],
    ...hanging({ ...messages, status: 401 }, 'nothing'),
  },
  {
    id: 'http-hang-every-seventh',
    summary: 'every seventh request is forgotten',
    violates: ['service.http'],
    ...hanging({ when: ({ number }) => number % 7 === 0 }, 'nothing'),
  },
  {
    id: 'http-reset-sold',
    summary: 'status=sold ends the process: the connection is reset',
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
    summary: 'a petId that is no integer closes the connection without an answer',
    violates: ['service.http'],
    ...cutShort({ ...fetched, when: ({ params }) => !/^\d+$/.test(params.petId ?? '') }, 'nothing'),
  },
  {
    id: 'http-closed-empty-body',
    summary: 'an empty body closes the connection without an answer',
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
    summary: 'every fifth answer stops half-way',
    violates: ['service.http'],
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
      'Content-Length counts characters, not bytes: an added animal is cut where its name is not ASCII',
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
    summary: 'an added animal has two Content-Lengths that disagree',
    violates: ['service.http'],
    ...framed(
      { operation: 'createPet', status: 201 },
      'Content-Length: 1\r\nContent-Length: 2',
      (body) => body,
    ),
  },
  {
    id: 'http-length-text',
    summary: 'Content-Length of the orders is not a number',
    violates: ['service.http'],
    ...framed(orders, 'Content-Length: unknown', (body) => body),
  },
  {
    id: 'http-chunk-without-end',
    summary: 'a filtered list is sent in chunks, the last of which never comes',
    violates: ['service.http'],
    ...framed(listing('status'), 'Transfer-Encoding: chunked', (body) => `${hex(body)}\r\n${body}\r\n`),
  },
  {
    id: 'http-chunk-size-decimal',
    summary: 'the sizes of chunks are written in decimal',
    violates: ['service.http'],
    ...framed(fetched, 'Transfer-Encoding: chunked', (body) => `${body.length}\r\n${body}\r\n0\r\n\r\n`),
  },
  {
    id: 'http-body-alone',
    summary: 'the message address answers with the body alone, as in HTTP/0.9',
    violates: ['service.http'],
    ...sendingRaw(messages, (answer) => bodyText(answer)),
  },
  {
    id: 'http-status-missing',
    summary: 'the status line of the orders has no status',
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
    summary: 'a line of the log stands before the status line of a 404',
    violates: ['service.http'],
    ...sendingRaw({ ...fetched, status: 404 }, (answer) =>
      Buffer.concat([Buffer.from('getPet: not found\n'), httpBytes(answer)]),
    ),
  },
];
