import type { Where } from '../../changes/change.ts';
import { onAnswer, withAnotherHeader, withHeader, withoutHeader, withText } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyText, withHeaderOf } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';
import { limiting, page } from '../mistakes.ts';

const listed = { operation: 'listPets', status: 200 } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;
const notFound = { operation: 'getPet', status: 404 } as const;
const invalid = { operation: 'createPet', status: 400 } as const;
const messages = { operation: 'sendMessage' } as const;
const animals: Where = { operation: ['listPets', 'createPet', 'getPet'] };
const everyFifth: Where = { when: ({ number }) => number % 5 === 0 };

const bytes = (where: Where, write: (text: string) => Buffer) =>
  onAnswer(where, (answer) => ({ ...answer, body: write(bodyText(answer)) }));
/** Bodies that are not JSON. */
export const bodyFaults: readonly Fault[] = [
  {
    id: 'json-warning-before',
    summary: 'the response to an addition begins with a PHP warning, before the JSON',
    violates: ['service.json'],
    ...withText(
      created,
      (text) => `Warning: Undefined array key "status" in /srv/pets.php on line 31\n${text}`,
    ),
  },
  {
    id: 'json-two-documents',
    summary: 'a 400 is followed by the Error of the next check',
    violates: ['service.json'],
    ...withText(invalid, (text) => text + text),
  },
  {
    id: 'json-duplicate-names',
    summary: 'a sold animal has two statuses that disagree',
    violates: ['service.json'],
    ...withText(animals, (text) =>
      text.replaceAll('"status":"sold"', '"status":"sold","status":"available"'),
    ),
  },
  {
    id: 'json-bom',
    summary: 'every body begins with a byte order mark',
    violates: ['service.json'],
    ...withText({}, (text) => `\ufeff${text}`),
  },
  {
    id: 'json-nan',
    summary: 'a fetched animal has a weight of NaN',
    violates: ['service.json'],
    ...withText(fetched, (text) => text.replace('{', '{"weight":NaN,')),
  },
  {
    id: 'json-single-quotes',
    summary: 'an accepted message is written in Python syntax',
    violates: ['service.json'],
    ...withText({ ...messages, status: 202 }, (text) => text.replaceAll('"', "'")),
  },
  {
    id: 'json-trailing-comma',
    summary: 'a list ends with a comma',
    violates: ['service.json'],
    ...withText(listed, (text) => text.replace(/\]$/, ',]')),
  },
  {
    id: 'json-lines',
    summary: 'a filtered list has one animal per line, without brackets',
    violates: ['service.json'],
    ...withText({ ...listed, when: ({ query }) => query.has('status') }, (text) =>
      text.slice(1, -1).replaceAll('},{', '}\n{'),
    ),
  },
  {
    id: 'json-comment',
    summary: 'a 404 has a comment',
    violates: ['service.json'],
    ...withText(notFound, (text) => `${text} // getPet`),
  },
  {
    id: 'json-latin-1',
    summary: 'responses are encoded in latin-1',
    violates: ['service.json'],
    ...bytes(animals, (text) => Buffer.from(text, 'latin1')),
  },
  {
    id: 'json-utf-16',
    summary: 'a fetched animal is encoded in UTF-16',
    violates: ['service.json'],
    ...bytes(fetched, (text) => Buffer.from(text, 'utf16le')),
  },
  {
    id: 'json-emoji-halved',
    summary: 'four-byte characters lose their last byte',
    violates: ['service.json'],
    ...bytes(fetched, (text) => Buffer.concat([...text].map((one) => Buffer.from(one).subarray(0, 3)))),
  },
  {
    id: 'json-quotes-bare',
    summary: 'quotes in a name are not escaped',
    violates: ['service.json'],
    ...withText(animals, (text) => text.replaceAll('\\"', '"')),
  },
  {
    id: 'json-control-bare',
    summary: 'the message of a 401 contains an unescaped line break',
    violates: ['service.json'],
    ...withText({ status: 401 }, (text) => text.replace('API key', 'API\nkey')),
  },
  {
    id: 'json-cut-4096',
    summary: 'a body ends after 4096 bytes: a full page is cut',
    violates: ['service.json'],
    ...bytes({}, (text) => Buffer.from(text).subarray(0, 4096)),
  },
  {
    id: 'json-not-gzip',
    summary: 'Content-Encoding says gzip, but the body is not compressed',
    violates: ['service.json'],
    ...withAnotherHeader(notFound, 'Content-Encoding', 'gzip'),
  },
  {
    id: 'json-callback',
    summary: 'lists are wrapped in a function call (JSONP)',
    violates: ['service.json'],
    ...withText(listed, (text) => `callback(${text});`),
  },
  {
    id: 'json-guarded',
    summary: "lists begin with )]}', so that they cannot run as a script",
    violates: ['service.json'],
    ...withText(listed, (text) => `)]}',\n${text}`),
  },
  {
    id: 'json-every-fifth',
    summary: 'every fifth response is truncated',
    violates: ['service.json'],
    ...withText(everyFifth, (text) => text.slice(0, -1)),
  },
  {
    id: 'json-text-limit',
    summary: 'the error for a limit out of bounds is plain text, declared as JSON',
    violates: ['service.json'],
    ...withText({ operation: 'listPets', status: 400 }, (text) => `error: ${text}`),
  },
  {
    id: 'json-text-401',
    summary: 'a 401 of the message address is the word Unauthorized, declared as JSON',
    violates: ['service.json'],
    ...withText({ ...messages, status: 401 }, () => 'Unauthorized'),
  },
];

/** An error response that the interface does not describe: it documents no 400 for a query. */
const undescribed = { operation: 'listPets', status: 400 } as const;

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
