import type { Where } from '../../changes/change.ts';
import { onAnswer, withAnotherHeader, withHeader, withoutHeader, withText } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyText, withHeaderOf } from '../../http/answer.ts';
import { type Fault, violating } from '../fault.ts';
import { page } from '../mistakes.ts';
import { CREATED, FETCHED, INVALID, LISTED, limiting, NOT_FOUND } from '../requests.ts';

const messages = { operation: 'sendMessage' } as const;
const animals: Where = { operation: ['listPets', 'createPet', 'getPet'] };
const everyFifth: Where = { when: ({ number }) => number % 5 === 0 };

const bytes = (where: Where, write: (text: string) => Buffer) =>
  onAnswer(where, (answer) => ({ ...answer, body: write(bodyText(answer)) }));
/** Bodies that are not JSON. */
export const bodyFaults: readonly Fault[] = violating('service.json', {
  'json-warning-before': [
    'the response to an addition begins with a PHP warning, before the JSON',
    withText(CREATED, (text) => `Warning: Undefined array key "status" in /srv/pets.php on line 31\n${text}`),
  ],
  'json-two-documents': [
    'a 400 is followed by the Error of the next check',
    withText(INVALID, (text) => text + text),
  ],
  'json-duplicate-names': [
    'a sold animal has two statuses that disagree',
    withText(animals, (text) => text.replaceAll('"status":"sold"', '"status":"sold","status":"available"')),
  ],
  'json-bom': ['every body begins with a byte order mark', withText({}, (text) => `\ufeff${text}`)],
  'json-nan': [
    'a fetched animal has a weight of NaN',
    withText(FETCHED, (text) => text.replace('{', '{"weight":NaN,')),
  ],
  'json-single-quotes': [
    'an accepted message is written in Python syntax',
    withText({ ...messages, status: 202 }, (text) => text.replaceAll('"', "'")),
  ],
  'json-trailing-comma': ['a list ends with a comma', withText(LISTED, (text) => text.replace(/\]$/, ',]'))],
  'json-lines': [
    'a filtered list has one animal per line, without brackets',
    withText({ ...LISTED, when: ({ query }) => query.has('status') }, (text) =>
      text.slice(1, -1).replaceAll('},{', '}\n{'),
    ),
  ],
  'json-comment': ['a 404 has a comment', withText(NOT_FOUND, (text) => `${text} // getPet`)],
  'json-latin-1': ['responses are encoded in latin-1', bytes(animals, (text) => Buffer.from(text, 'latin1'))],
  'json-utf-16': [
    'a fetched animal is encoded in UTF-16',
    bytes(FETCHED, (text) => Buffer.from(text, 'utf16le')),
  ],
  'json-emoji-halved': [
    'four-byte characters lose their last byte',
    bytes(FETCHED, (text) => Buffer.concat([...text].map((one) => Buffer.from(one).subarray(0, 3)))),
  ],
  'json-quotes-bare': [
    'quotes in a name are not escaped',
    withText(animals, (text) => text.replaceAll('\\"', '"')),
  ],
  'json-control-bare': [
    'the message of a 401 contains an unescaped line break',
    withText({ status: 401 }, (text) => text.replace('API key', 'API\nkey')),
  ],
  'json-cut-4096': [
    'a body ends after 4096 bytes: a full page is cut',
    bytes({}, (text) => Buffer.from(text).subarray(0, 4096)),
  ],
  'json-not-gzip': [
    'Content-Encoding says gzip, but the body is not compressed',
    withAnotherHeader(NOT_FOUND, 'Content-Encoding', 'gzip'),
  ],
  'json-callback': [
    'lists are wrapped in a function call (JSONP)',
    withText(LISTED, (text) => `callback(${text});`),
  ],
  'json-guarded': [
    "lists begin with )]}', so that they cannot run as a script",
    withText(LISTED, (text) => `)]}',\n${text}`),
  ],
  'json-every-fifth': [
    'every fifth response is truncated',
    withText(everyFifth, (text) => text.slice(0, -1)),
  ],
  'json-text-limit': [
    'the error for a limit out of bounds is plain text, declared as JSON',
    withText({ operation: 'listPets', status: 400 }, (text) => `error: ${text}`),
  ],
  'json-text-401': [
    'a 401 of the message address is the word Unauthorized, declared as JSON',
    withText({ ...messages, status: 401 }, () => 'Unauthorized'),
  ],
});

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
export const mediaTypeFaults: readonly Fault[] = violating('service.content-type', {
  'type-html-401-fetch': [
    'GET /pets/{petId} responds to a wrong key with an HTML page',
    onAnswer({ operation: 'getPet', status: 401 }, asPage),
  ],
  'type-html-404': ['a 404 is an HTML page', onAnswer(NOT_FOUND, asPage)],
  'type-html-all': ['JSON is declared as text/html', withHeader({}, TYPE, 'text/html; charset=UTF-8')],
  'type-plain-limit': ['the error for a limit out of bounds is plain text', onAnswer(undescribed, asText)],
  'type-plain-limit-text': [
    'the error for a limit that is not a number is plain text',
    onAnswer({ ...limiting(Number.isNaN), status: 400 }, asText),
  ],
  'type-problem-limit': [
    'the error for a limit out of bounds follows RFC 9457: application/problem+json',
    withHeader(undescribed, TYPE, 'application/problem+json'),
  ],
  'type-missing-created': ['the response to an addition has no Content-Type', withoutHeader(CREATED, TYPE)],
  'type-text-json': [
    'the Content-Type of a fetched animal is text/json',
    withHeader(FETCHED, TYPE, 'text/json'),
  ],
  'type-problem': [
    'the Content-Type of a 400 is application/problem+json',
    withHeader(INVALID, TYPE, 'application/problem+json'),
  ],
  'type-octets-message': [
    'the Content-Type of an accepted message is application/octet-stream',
    withHeader({ ...messages, status: 202 }, TYPE, 'application/octet-stream'),
  ],
  'type-twice': [
    'a list has a second Content-Type: text/plain',
    withAnotherHeader(LISTED, TYPE, 'text/plain'),
  ],
  'type-empty-sold': [
    'the Content-Type of sold animals is empty',
    withHeader({ ...LISTED, when: ({ query }) => query.get('status') === 'sold' }, TYPE, ''),
  ],
});
