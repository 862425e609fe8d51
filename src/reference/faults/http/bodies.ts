import { onAnswer, withAnotherHeader, withText } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import { bodyText } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';

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
