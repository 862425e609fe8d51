import type { Call } from '../../http/call.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject, readJson } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crashes, reads } from './reader.ts';

/** What a lax reader makes of a text, if that is JSON. */
const readOr = (text: string): BigIntJson => {
  try {
    return readJson(text);
  } catch {
    return null;
  }
};

const repaired = (change: (text: string) => string) => (text: string) => readOr(change(text));
const isBroken = (pattern: RegExp) => (text: string, body: BigIntJson | undefined) =>
  body === undefined && pattern.test(text);

/** The bytes of a part. */
const PART = 16_384;

const decodedInParts = (bytes: Buffer) =>
  Array.from({ length: Math.ceil(bytes.length / PART) }, (_, index) =>
    bytes.subarray(index * PART, (index + 1) * PART).toString('utf8'),
  ).join('');

/** A body without the name that it needs, in an unusual form. */
const isRefused = (isUnusual: (call: Call) => boolean) => (call: Call) =>
  isObject(call.body) && call.body.name === undefined && isUnusual(call);

/** POST /pets: bodies that are no JSON, or no object. */
export const laxBodyFaults: readonly Fault[] = [
  ...crashes('pro', 'createPet', '400', {
    'lax-body-no-fields-crash': [
      'an empty object is an uncaught error',
      ({ body }) => isObject(body) && Object.keys(body).length === 0,
    ],
  }),
  ...reads('pro', {
    'lax-body-text': [
      'a text is accepted as the name',
      (_, body) => body === 'Rex',
      (_, body) => ({
        name: String(body),
        categoryId: 1n,
      }),
    ],
    'lax-body-json-in-text': [
      'JSON inside a text is read',
      (_, body) => typeof body === 'string' && body.startsWith('{'),
      (_, body) => readOr(String(body)),
    ],
    'lax-body-false': ['false is treated as an animal with empty fields', (_, body) => body === false],
    'lax-body-empty-text': ['an empty text is treated as an empty animal', (_, body) => body === ''],
    'lax-body-empty-array': [
      'an empty array is treated as an empty object of a language without the difference',
      (_, body) => Array.isArray(body) && body.length === 0,
    ],
  }),
  ...crashes('pro', 'createPet', '400', {
    'lax-body-number-crash': ['a number as the body is an uncaught error', ({ body }) => body === 1n],
    'lax-body-true-crash': ['true as the body is an uncaught error', ({ body }) => body === true],
  }),
  ...reads('pro', {
    'lax-body-text-after': [
      'text after the body is not read',
      isBroken(/\} x$/),
      repaired((text) => text.slice(0, -2)),
    ],
    'lax-body-cut': ['a missing brace is added', isBroken(/^[^}]*[^}\s]$/), repaired((text) => `${text}}`)],
    'lax-body-trailing-comma': [
      'a comma before the last brace is accepted',
      isBroken(/,\}$/),
      repaired((text) => text.replace(/,\}$/, '}')),
    ],
    'lax-body-two': [
      'of two bodies the first is read',
      isBroken(/\}\{/),
      repaired((text) => text.slice(0, text.indexOf('}{') + 1)),
    ],
    'lax-body-single-quotes': [
      'single quotes are accepted',
      isBroken(/^\{'/),
      repaired((text) => text.replaceAll("'", '"')),
    ],
    'lax-body-nan': ['NaN is read as 0', isBroken(/:NaN/), repaired((text) => text.replace(':NaN', ':0'))],
    'lax-body-bare-names': [
      'names without quotes are accepted',
      isBroken(/^\{name:/),
      repaired((text) => text.replaceAll(/([{,])(\w+):/g, '$1"$2":')),
    ],
    'lax-body-comment': [
      'a comment is skipped',
      isBroken(/\/\/ /),
      repaired((text) => text.replace(/\/\/ .*/, '')),
    ],
    'lax-body-leading-zero': [
      'a leading zero is skipped',
      isBroken(/:0\d/),
      repaired((text) => text.replace(/:0(\d)/, ':$1')),
    ],
    'lax-body-plus': ['a plus sign is skipped', isBroken(/:\+/), repaired((text) => text.replace(':+', ':'))],
    'lax-body-form': ['the fields of a form are read as an animal', isBroken(/^\w+=/)],
    'lax-body-undefined': ['undefined is treated as an animal with empty fields', isBroken(/^undefined$/)],
    'lax-body-blanks': ['a body of blanks is treated as an animal with empty fields', isBroken(/^\s+$/)],
  }),
  ...crashes('pro', 'createPet', '400', {
    'lax-body-open-arrays-crash': [
      'many opening brackets are an uncaught error',
      ({ body, bodyText }) => body === undefined && bodyText?.startsWith('[[') === true,
    ],
    'lax-byte-crash': [
      'a byte that is not UTF-8 is an uncaught error',
      ({ bodyText }) => bodyText === undefined,
    ],
    'lax-half-escape-crash': [
      'half of an escaped character is an uncaught error',
      ({ bodyText = '' }) => /\\ud[89ab]..(?!\\u)/i.test(bodyText),
    ],
  }),
  ...crashes('pro', 'createPet', 'responses', {
    'lax-zero-crash': [
      'the log of refused names ends at U+0000: a name with it is an uncaught error',
      ({ body }) =>
        isObject(body) && body.categoryId === undefined && String(body.name).includes(String.fromCharCode(0)),
    ],
  }),
  ...crashes('pro', 'createPet', '400', {
    'lax-marks-crash': [
      'a name with many combining marks is an uncaught error',
      ({ body }) => isObject(body) && /\p{M}{100}/u.test(String(body.name)),
    ],
  }),
  {
    id: 'lax-bytes-ignored',
    summary: 'bytes that are not UTF-8 are left out',
    plan: 'pro',
    violates: ['createPet.body'],
    request: (call) =>
      call.bodyText === undefined
        ? { ...call, bodyText: call.bodyBytes.toString('utf8').replaceAll('\ufffd', '') }
        : call,
  },
  ...crashes('pro', 'createPet', 'responses', {
    'lax-chunks-crash': [
      'the message about a refused body has its Content-Length: without one it is an uncaught error',
      isRefused(({ headers }) => headers['transfer-encoding'] !== undefined),
    ],
    'lax-charset-crash': [
      'the message about a refused body has its media type: with a parameter it is an uncaught error',
      isRefused(({ headers }) => headers['content-type']?.includes(';') === true),
    ],
  }),
  {
    id: 'body-decoded-in-parts',
    summary: 'a body is decoded in parts of 16 KiB: a sign at the end of one is damaged',
    violates: ['createPet.echo'],
    seeds: [4],
    request: (call) =>
      call.bodyText !== undefined && call.bodyBytes.length > PART
        ? { ...call, bodyText: decodedInParts(call.bodyBytes) }
        : call,
  },
];

const typeOf = ({ headers }: Call) => headers['content-type'];

/** POST /pets: media types that no client of the interface sends. */
export const laxMediaTypeFaults: readonly Fault[] = crashes('pro', 'createPet', 'responses', {
  'lax-type-text-crash': [
    'no parser is found for text/plain, and nobody looks: an uncaught error',
    (call) => typeOf(call) === 'text/plain',
  ],
  'lax-type-absent-crash': [
    'a request without Content-Type is an uncaught error',
    (call) => typeOf(call) === undefined,
  ],
  'lax-type-form-crash': [
    'a body that says it is a form, and is none, is an uncaught error',
    (call) => typeOf(call)?.includes('form') === true,
  ],
});
