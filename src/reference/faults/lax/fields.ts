import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crashesOn, takes, takesText } from './reader.ts';

const is = (wanted: BigIntJson) => (value: BigIntJson) => value === wanted;
const isFraction = (value: BigIntJson): value is number =>
  typeof value === 'number' && Number.isFinite(value);
const isEmptyArray = (value: BigIntJson) => Array.isArray(value) && value.length === 0;
const isEmptyObject = (value: BigIntJson) => isObject(value) && Object.keys(value).length === 0;
const holds = (test: (value: BigIntJson) => boolean) => (value: BigIntJson) =>
  Array.isArray(value) && value.length === 1 && value[0] !== undefined && test(value[0]);
const depthOf = (value: BigIntJson | undefined): number =>
  Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0;
const fieldOf = (body: BigIntJson | undefined, name: string) => (isObject(body) ? body[name] : undefined);

/** POST /pets: names that are no texts. */
const nameFaults: readonly Fault[] = [
  takes('pro', 'lax-name-false', 'false is accepted as a name, as if there were none', 'name', is(false), ''),
  takes('pro', 'lax-name-true', 'true is accepted as a name', 'name', is(true), 'true'),
  takes('pro', 'lax-name-zero', '0 is accepted as an empty name', 'name', is(0n), ''),
  takes('pro', 'lax-name-negative', 'a negative number is accepted as a name', 'name', is(-1n), '-1'),
  takes('pro', 'lax-name-fraction', 'a fraction is accepted as a name', 'name', isFraction, String),
  takes(
    'pro',
    'lax-name-empty-array',
    'an empty array is accepted as an empty name',
    'name',
    isEmptyArray,
    '',
  ),
  takes('pro', 'lax-name-empty-object', 'an empty object is accepted as a name', 'name', isEmptyObject, '{}'),
  takes(
    'pro',
    'lax-name-first-text',
    'the text in an array is accepted as a name',
    'name',
    holds((value) => typeof value === 'string'),
    (value) => (Array.isArray(value) ? value[0] : ''),
  ),
  takes(
    'pro',
    'lax-name-numbers-joined',
    'the numbers in an array are joined to a name',
    'name',
    holds((value) => typeof value === 'bigint'),
    (value) => (Array.isArray(value) ? value.join() : ''),
  ),
  takes(
    'pro',
    'lax-name-null-inside',
    'an array with null is accepted as a name',
    'name',
    holds((value) => value === null),
    '',
  ),
  takes(
    'pro',
    'lax-name-long-number',
    'a number of many digits is accepted as a name',
    'name',
    (value) =>
      (typeof value === 'bigint' && value > 10n ** 30n) || (typeof value === 'number' && value > 1e30),
    'a number',
  ),
  crashesOn(
    'pro',
    'lax-name-deep-crash',
    'a name nested too deeply is an uncaught error',
    (body) => depthOf(fieldOf(body, 'name')) > 50,
  ),
];

/** POST /pets: categories that are no integers. */
const categoryFaults: readonly Fault[] = [
  takesText('pro', 'lax-category-empty-text', 'an empty text is category 0', 'categoryId', /^$/, () => 0n),
  takesText('pro', 'lax-category-blanks', 'a text of blanks is category 0', 'categoryId', /^ +$/, () => 0n),
  takesText('pro', 'lax-category-word', 'a word is category 0', 'categoryId', /^abc$/, () => 0n),
  takesText(
    'pro',
    'lax-category-text-fraction',
    'a fraction in a text is cut off',
    'categoryId',
    /^\d+\.\d+$/,
    (text) => BigInt(text.split('.')[0] ?? 0),
  ),
  takesText(
    'pro',
    'lax-category-hexadecimal',
    'hexadecimal digits are read',
    'categoryId',
    /^0x\d+$/,
    BigInt,
  ),
  takesText(
    'pro',
    'lax-category-exponent',
    'a text with an exponent is read',
    'categoryId',
    /^\de\d$/,
    () => 1n,
  ),
  takesText('pro', 'lax-category-plus', 'a text with a plus sign is read', 'categoryId', /^\+\d$/, () => 1n),
  takesText(
    'pro',
    'lax-category-blank-before',
    'a blank before a number in a text is skipped',
    'categoryId',
    /^ \d/,
    () => 1n,
  ),
  takesText(
    'pro',
    'lax-category-blank-after',
    'a blank after a number in a text is skipped',
    'categoryId',
    /\d $/,
    () => 1n,
  ),
  takesText('pro', 'lax-category-null-text', 'the text null is category 0', 'categoryId', /^null$/, () => 0n),
  takesText('pro', 'lax-category-true-text', 'the text true is category 1', 'categoryId', /^true$/, () => 1n),
  takes('pro', 'lax-category-false', 'false is accepted as category 0', 'categoryId', is(false), 0n),
  takes('pro', 'lax-category-empty-object', 'an empty object is category 0', 'categoryId', isEmptyObject, 0n),
  takes('pro', 'lax-category-empty-array', 'an empty array is category 0', 'categoryId', isEmptyArray, 0n),
  takes(
    'pro',
    'lax-category-in-array',
    'the number in an array is accepted as a categoryId',
    'categoryId',
    holds((value) => typeof value === 'bigint'),
    (value) => (Array.isArray(value) ? value[0] : 0n),
  ),
  takes(
    'pro',
    'lax-category-below-one',
    'a fraction below one is rounded to 0',
    'categoryId',
    (value) => isFraction(value) && value > 0 && value < 1,
    0n,
  ),
  takes(
    'pro',
    'lax-category-negative-fraction',
    'a negative fraction is cut off',
    'categoryId',
    (value) => isFraction(value) && value < 0,
    (value) => BigInt(Math.trunc(Number(value))),
  ),
  takes(
    'pro',
    'lax-category-beneath-int64',
    'a categoryId beneath int64 becomes the least one',
    'categoryId',
    (value) => typeof value === 'bigint' && value < -(2n ** 63n),
    -(2n ** 63n),
  ),
  takes(
    'pro',
    'lax-category-two-to-64',
    'a categoryId of 2^64 wraps around to 0',
    'categoryId',
    is(2n ** 64n),
    0n,
  ),
  takes(
    'pro',
    'lax-category-far',
    'a categoryId far beyond int64 becomes the largest one',
    'categoryId',
    (value) => (typeof value === 'bigint' ? value > 10n ** 30n : typeof value === 'number' && value > 1e30),
    2n ** 63n - 1n,
  ),
  crashesOn('pro', 'lax-category-object-crash', 'an object as a categoryId is an uncaught error', (body) =>
    isObject(fieldOf(body, 'categoryId')),
  ),
];

/** POST /pets: statuses that are no members. */
const statusFaults: readonly Fault[] = [
  takesText(
    'pro',
    'lax-status-empty',
    'an empty status is accepted as none',
    'status',
    /^$/,
    () => undefined,
  ),
  takesText('pro', 'lax-status-blank-after', 'a blank after a status is skipped', 'status', /\w $/, (text) =>
    text.trim(),
  ),
  takesText(
    'pro',
    'lax-status-blank-before',
    'a blank before a status is skipped',
    'status',
    /^ \w/,
    (text) => text.trim(),
  ),
  takesText(
    'pro',
    'lax-status-capital',
    'a status with a capital letter is accepted',
    'status',
    /^[A-Z][a-z]+$/,
    (text) => text.toLowerCase(),
  ),
  takesText(
    'pro',
    'lax-status-beginning',
    'the beginning of a status is accepted',
    'status',
    /^availabl$/,
    () => 'available',
  ),
  takesText(
    'pro',
    'lax-status-longer',
    'a status may have more letters',
    'status',
    /^availablex$/,
    () => 'available',
  ),
  takesText(
    'pro',
    'lax-status-several',
    'of several statuses the first is taken',
    'status',
    /^\w+,\w+$/,
    (text) => text.split(',')[0],
  ),
  takesText(
    'pro',
    'lax-status-line-end',
    'a line end after a status is overlooked',
    'status',
    /\n$/,
    (text) => text.trim(),
  ),
  takesText(
    'pro',
    'lax-status-index-text',
    'an index in a text is read as a status',
    'status',
    /^0$/,
    () => 'available',
  ),
  takesText(
    'pro',
    'lax-status-null-text',
    'the text null is accepted as no status',
    'status',
    /^null$/,
    () => undefined,
  ),
  takes('pro', 'lax-status-false', 'false is accepted as no status', 'status', is(false), undefined),
  takes('pro', 'lax-status-true', 'true is accepted as the first status', 'status', is(true), 'available'),
  takes('pro', 'lax-status-one', '1 is accepted as the second status', 'status', is(1n), 'pending'),
  takes('pro', 'lax-status-last', '-1 is accepted as the last status', 'status', is(-1n), 'sold'),
  takes(
    'pro',
    'lax-status-empty-object',
    'an empty object is accepted as no status',
    'status',
    isEmptyObject,
    undefined,
  ),
  takes(
    'pro',
    'lax-status-in-array',
    'the status in an array is accepted',
    'status',
    holds((value) => typeof value === 'string'),
    (value) => (Array.isArray(value) ? value[0] : undefined),
  ),
  crashesOn(
    'pro',
    'lax-status-long-crash',
    'a long status is an uncaught error',
    (body) => String(fieldOf(body, 'status') ?? '').length > 1_000,
  ),
];

/** POST /pets: values of a field that a careless reader takes for right ones. */
export const laxFieldFaults: readonly Fault[] = [...nameFaults, ...categoryFaults, ...statusFaults];
