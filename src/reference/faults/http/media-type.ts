import { onAnswer, withAnotherHeader, withHeader, withoutHeader } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { withHeaderOf } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';
import { limiting, page } from '../mistakes.ts';

const listed = { operation: 'listPets', status: 200 } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;
const notFound = { operation: 'getPet', status: 404 } as const;
const invalid = { operation: 'createPet', status: 400 } as const;
/** An error response that the interface does not describe: it documents no 400 for a query. */
const undescribed = { operation: 'listPets', status: 400 } as const;
const messages = { operation: 'sendMessage' } as const;

const TYPE = 'Content-Type';
/** A proxy's page as the body; the status and the other headers stay. */
const asPage = (answer: Answer): Answer => ({
  ...withHeaderOf(answer, TYPE, 'text/html; charset=utf-8'),
  body: page(answer.status).body,
});
const asText = (answer: Answer): Answer => ({
  ...withHeaderOf(answer, TYPE, 'text/plain'),
  body: 'Bad Request',
});

/** Bodies that are not declared as JSON. */
export const mediaTypeFaults: readonly Fault[] = [
  {
    id: 'type-html-401-fetch',
    summary: 'GET /pets/{petId} responds to a wrong key with an HTML page',
    violates: ['service.content-type'],
    ...onAnswer({ operation: 'getPet', status: 401 }, asPage),
  },
  {
    id: 'type-html-404',
    summary: 'a 404 is an HTML page',
    violates: ['service.content-type'],
    ...onAnswer(notFound, asPage),
  },
  {
    id: 'type-html-all',
    summary: 'JSON is declared as text/html',
    violates: ['service.content-type'],
    ...withHeader({}, TYPE, 'text/html; charset=UTF-8'),
  },
  {
    id: 'type-plain-limit',
    summary: 'the error for a limit out of bounds is plain text',
    violates: ['service.content-type'],
    ...onAnswer(undescribed, asText),
  },
  {
    id: 'type-plain-limit-text',
    summary: 'the error for a limit that is not a number is plain text',
    violates: ['service.content-type'],
    ...onAnswer({ ...limiting(Number.isNaN), status: 400 }, asText),
  },
  {
    id: 'type-problem-limit',
    summary: 'the error for a limit out of bounds follows RFC 9457: application/problem+json',
    violates: ['service.content-type'],
    ...withHeader(undescribed, TYPE, 'application/problem+json'),
  },
  {
    id: 'type-missing-created',
    summary: 'the response to an addition has no Content-Type',
    violates: ['service.content-type'],
    ...withoutHeader(created, TYPE),
  },
  {
    id: 'type-text-json',
    summary: 'the Content-Type of a fetched animal is text/json',
    violates: ['service.content-type'],
    ...withHeader(fetched, TYPE, 'text/json'),
  },
  {
    id: 'type-problem',
    summary: 'the Content-Type of a 400 is application/problem+json',
    violates: ['service.content-type'],
    ...withHeader(invalid, TYPE, 'application/problem+json'),
  },
  {
    id: 'type-octets-message',
    summary: 'the Content-Type of an accepted message is application/octet-stream',
    violates: ['service.content-type'],
    ...withHeader({ ...messages, status: 202 }, TYPE, 'application/octet-stream'),
  },
  {
    id: 'type-twice',
    summary: 'a list has a second Content-Type: text/plain',
    violates: ['service.content-type'],
    ...withAnotherHeader(listed, TYPE, 'text/plain'),
  },
  {
    id: 'type-empty-sold',
    summary: 'the Content-Type of sold animals is empty',
    violates: ['service.content-type'],
    ...withHeader({ ...listed, when: ({ query }) => query.get('status') === 'sold' }, TYPE, ''),
  },
];
