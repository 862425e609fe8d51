import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crashes, takes } from './reader.ts';

const is = (wanted: BigIntJson) => (value: BigIntJson) => value === wanted;
const isFraction = (value: BigIntJson): value is number =>
  typeof value === 'number' && Number.isFinite(value);
const isEmptyArray = (value: BigIntJson) => Array.isArray(value) && value.length === 0;
const isEmptyObject = (value: BigIntJson) => isObject(value) && Object.keys(value).length === 0;
const holds = (test: (value: BigIntJson) => boolean) => (value: BigIntJson) =>
  Array.isArray(value) && value.length === 1 && value[0] !== undefined && test(value[0]);
const first = (_text: string, value: BigIntJson) => (Array.isArray(value) ? value[0] : undefined);
const depthOf = (value: BigIntJson | undefined): number =>
  Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0;
const fieldOf = (body: BigIntJson | undefined, name: string) => (isObject(body) ? body[name] : undefined);

/** POST /pets: names that are no texts. */
const nameFaults: readonly Fault[] = [
  ...takes('pro', 'name', {
    'lax-name-false': ['false is accepted as a name, as if there were none', is(false), ''],
    'lax-name-true': ['true is accepted as a name', is(true), 'true'],
    'lax-name-zero': ['0 is accepted as an empty name', is(0n), ''],
    'lax-name-negative': ['a negative number is accepted as a name', is(-1n), '-1'],
    'lax-name-fraction': ['a fraction is accepted as a name', isFraction, (text) => text],
    'lax-name-empty-array': ['an empty array is accepted as an empty name', isEmptyArray, ''],
    'lax-name-empty-object': ['an empty object is accepted as a name', isEmptyObject, '{}'],
    'lax-name-first-text': [
      'the text in an array is accepted as a name',
      holds((value) => typeof value === 'string'),
      first,
    ],
    'lax-name-numbers-joined': [
      'the numbers in an array are joined to a name',
      holds((value) => typeof value === 'bigint'),
      (text) => text,
    ],
    'lax-name-null-inside': [
      'an array with null is accepted as a name',
      holds((value) => value === null),
      '',
    ],
    'lax-name-long-number': [
      'a number of many digits is accepted as a name',
      (value) =>
        (typeof value === 'bigint' && value > 10n ** 30n) || (typeof value === 'number' && value > 1e30),
      'a number',
    ],
  }),
  ...crashes('pro', 'createPet', '400', {
    'lax-name-deep-crash': [
      'a name nested too deeply is an uncaught error',
      ({ body }) => depthOf(fieldOf(body, 'name')) > 50,
    ],
  }),
];

/** POST /pets: categories that are no integers. */
const categoryFaults: readonly Fault[] = [
  ...takes('pro', 'categoryId', {
    'lax-category-empty-text': ['an empty text is category 0', /^$/, 0n],
    'lax-category-blanks': ['a text of blanks is category 0', /^ +$/, 0n],
    'lax-category-word': ['a word is category 0', /^abc$/, 0n],
    'lax-category-text-fraction': [
      'a fraction in a text is cut off',
      /^\d+\.\d+$/,
      (text) => BigInt(text.split('.')[0] ?? 0),
    ],
    'lax-category-hexadecimal': ['hexadecimal digits are read', /^0x\d+$/, (text) => BigInt(text)],
    'lax-category-exponent': ['a text with an exponent is read', /^\de\d$/, 1n],
    'lax-category-plus': ['a text with a plus sign is read', /^\+\d$/, 1n],
    'lax-category-blank-before': ['a blank before a number in a text is skipped', /^ \d/, 1n],
    'lax-category-blank-after': ['a blank after a number in a text is skipped', /\d $/, 1n],
    'lax-category-null-text': ['the text null is category 0', /^null$/, 0n],
    'lax-category-true-text': ['the text true is category 1', /^true$/, 1n],
    'lax-category-false': ['false is accepted as category 0', is(false), 0n],
    'lax-category-empty-object': ['an empty object is category 0', isEmptyObject, 0n],
    'lax-category-empty-array': ['an empty array is category 0', isEmptyArray, 0n],
    'lax-category-in-array': [
      'the number in an array is accepted as a categoryId',
      holds((value) => typeof value === 'bigint'),
      first,
    ],
    'lax-category-below-one': [
      'a fraction below one is rounded to 0',
      (value) => isFraction(value) && value > 0 && value < 1,
      0n,
    ],
    'lax-category-negative-fraction': [
      'a negative fraction is cut off',
      (value) => isFraction(value) && value < 0,
      (text) => BigInt(Math.trunc(Number(text))),
    ],
    'lax-category-beneath-int64': [
      'a categoryId beneath int64 becomes the least one',
      (value) => typeof value === 'bigint' && value < -(2n ** 63n),
      -(2n ** 63n),
    ],
    'lax-category-two-to-64': ['a categoryId of 2^64 wraps around to 0', is(2n ** 64n), 0n],
    'lax-category-far': [
      'a categoryId far beyond int64 becomes the largest one',
      (value) => (typeof value === 'bigint' ? value > 10n ** 30n : typeof value === 'number' && value > 1e30),
      2n ** 63n - 1n,
    ],
  }),
  ...crashes('pro', 'createPet', '400', {
    'lax-category-object-crash': [
      'an object as a categoryId is an uncaught error',
      ({ body }) => isObject(fieldOf(body, 'categoryId')),
    ],
  }),
];

/** POST /pets: statuses that are no members. */
const statusFaults: readonly Fault[] = [
  ...takes('pro', 'status', {
    'lax-status-empty': ['an empty status is accepted as none', /^$/, undefined],
    'lax-status-blank-after': ['a blank after a status is skipped', /\w $/, (text) => text.trim()],
    'lax-status-blank-before': ['a blank before a status is skipped', /^ \w/, (text) => text.trim()],
    'lax-status-capital': [
      'a status with a capital letter is accepted',
      /^[A-Z][a-z]+$/,
      (text) => text.toLowerCase(),
    ],
    'lax-status-beginning': ['the beginning of a status is accepted', /^availabl$/, 'available'],
    'lax-status-longer': ['a status may have more letters', /^availablex$/, 'available'],
    'lax-status-several': [
      'of several statuses the first is taken',
      /^\w+,\w+$/,
      (text) => text.split(',')[0],
    ],
    'lax-status-line-end': ['a line end after a status is overlooked', /\n$/, (text) => text.trim()],
    'lax-status-index-text': ['an index in a text is read as a status', /^0$/, 'available'],
    'lax-status-null-text': ['the text null is accepted as no status', /^null$/, undefined],
    'lax-status-false': ['false is accepted as no status', is(false), undefined],
    'lax-status-true': ['true is accepted as the first status', is(true), 'available'],
    'lax-status-one': ['1 is accepted as the second status', is(1n), 'pending'],
    'lax-status-last': ['-1 is accepted as the last status', is(-1n), 'sold'],
    'lax-status-empty-object': ['an empty object is accepted as no status', isEmptyObject, undefined],
    'lax-status-in-array': [
      'the status in an array is accepted',
      holds((value) => typeof value === 'string'),
      first,
    ],
  }),
  ...crashes('pro', 'createPet', '400', {
    'lax-status-long-crash': [
      'a long status is an uncaught error',
      ({ body }) => String(fieldOf(body, 'status') ?? '').length > 1_000,
    ],
  }),
];

/** POST /pets: wrong values of a field that a careless reader accepts. */
export const laxFieldFaults: readonly Fault[] = [...nameFaults, ...categoryFaults, ...statusFaults];
