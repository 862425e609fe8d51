import { stringify } from 'lossless-json';
import type { Where } from '../../changes/change.ts';
import { withBody, withObject, withText } from '../../changes/changes.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import { FIELD_ORDER } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const SPACE =
  'RFC 8259 section 2: "Insignificant whitespace is allowed before or after any of the six structural characters."';
const NUMBERS =
  'RFC 8259 section 6: a number may have a fraction and an exponent; JSON Schema counts 1.0 as an integer';
const ESCAPES = 'RFC 8259 section 7: "Any character may be escaped."';
const UNIQUE = 'RFC 8259 section 4: "The names within an object SHOULD be unique."';

const all: Where = {};

/** The strings and numbers of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g;

function numbers(write: (digits: string) => string): (text: string) => string {
  return (text) => text.replace(TOKENS, (token) => (token.startsWith('"') ? token : write(token)));
}

function strings(write: (literal: string) => string): (text: string) => string {
  return (text) => text.replace(TOKENS, (token) => (token.startsWith('"') ? write(token) : token));
}

/** A single digit, a point, the other digits, an exponent: 1001 becomes 1.001E+3. */
function scientific(digits: string): string {
  const [, sign = '', first = '', rest = ''] = /^(-?)(\d)(\d*)$/.exec(digits) ?? [];
  return `${sign}${first}.${rest || '0'}E+${rest.length}`;
}

/** 1000 becomes 1e3, 1001 stays. */
function shortened(digits: string): string {
  const [, significant = digits, zeros = ''] = /^(-?[1-9]\d*?)(0+)$/.exec(digits) ?? [];
  return zeros === '' ? digits : `${significant}e${zeros.length}`;
}

function unit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
}

/** Every character of a string escaped, including ASCII. */
function escaped(literal: string): string {
  const text: string = JSON.parse(literal);
  return `"${text.split('').map(unit).join('')}"`;
}

function sorted(value: BigIntJson, compare: (left: string, right: string) => number): BigIntJson {
  if (Array.isArray(value)) return value.map((element) => sorted(element, compare));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => compare(left, right));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field, compare)]));
}

const pretty = (value: BigIntJson, space: string | number) => stringify(value, null, space) ?? 'null';

const spaces = allowedBy(SPACE, {
  'json-pretty': ['JSON is indented', withBody(all, (body) => pretty(body, 2))],
  'json-pretty-crlf': [
    'JSON is indented with tabs and CRLF',
    withBody(all, (body) => `${pretty(body, '\t').replaceAll('\n', '\r\n')}\r\n`),
  ],
  'json-newline': ['JSON ends with a newline', withText(all, (text) => `${text}\n`)],
  'json-surrounded': [
    'JSON is surrounded by white space',
    withText(all, (text) => `\n\r\n\t ${text} \t\r\n\n`),
  ],
  'json-spaced': [
    'JSON has white space between all tokens',
    withText(all, (text) => text.replace(/"(?:[^"\\]|\\.)*"|[[\]{}:,]/g, ' $& ')),
  ],
});

const orders = allowedBy(FIELD_ORDER, {
  'json-names-sorted': [
    'fields are in alphabetical order',
    withBody(all, (body) => sorted(body, (left, right) => (left < right ? -1 : 1))),
  ],
  'json-names-reversed': [
    'fields are in reverse alphabetical order',
    withBody(all, (body) => sorted(body, (left, right) => (left < right ? 1 : -1))),
  ],
});

const written = [
  ...allowedBy(NUMBERS, {
    'json-fraction': [
      'integers are written with a fraction of zero',
      withText(
        all,
        numbers((digits) => `${digits}.0`),
      ),
    ],
    'json-fraction-long': [
      'integers are written with three decimals',
      withText(
        all,
        numbers((digits) => `${digits}.000`),
      ),
    ],
    'json-exponent': ['round integers are written with an exponent', withText(all, numbers(shortened))],
    'json-scientific': [
      'all integers are written with a fraction and an exponent',
      withText(all, numbers(scientific)),
    ],
    'json-exponent-negative': [
      'integers are written with two more zeros and a negative exponent',
      withText(
        all,
        numbers((digits) => (digits === '0' ? digits : `${digits}00E-2`)),
      ),
    ],
    'json-fraction-ids': [
      'integers are written with a fraction of zero, and ids are beyond 2^53',
      { settings: { firstId: 2n ** 53n + 1n } },
      withText(
        all,
        numbers((digits) => `${digits}.0`),
      ),
    ],
  }),
  ...allowedBy(ESCAPES, {
    'json-escaped-unicode': [
      'all characters beyond ASCII are escaped',
      withText(all, (text) => text.replace(/[^\0-\x7f]/g, (character) => unit(character).toLowerCase())),
    ],
    'json-escaped-slashes': ['slashes are escaped', withText(all, (text) => text.replaceAll('/', '\\/'))],
    'json-escaped-html': [
      'HTML markup is escaped',
      withText(all, (text) => text.replace(/[<>&'\u2028\u2029]/g, unit)),
    ],
    'json-escaped-all': [
      'every character is escaped, including those of field names',
      withText(all, strings(escaped)),
    ],
  }),
];

const others = [
  variantOf(
    'json-names-twice',
    'an object has its id or status twice, with the same value',
    UNIQUE,
    withText(all, (text) => text.replace(/"(?:id|status)":(?:"[^"]*"|\d+)/g, '$&,$&')),
  ),
  variantOf(
    'json-surrogate',
    'an animal has a field with a lone surrogate',
    'RFC 8259 section 8.2: such a text is JSON',
    withObject({ listener: 'animals' }, (object) => ({ ...object, mood: '\ud83d' })),
  ),
];

/** Bodies that differ from the reference's and mean the same. */
export const jsonVariants: readonly Variant[] = [...spaces, ...orders, ...written, ...others];
