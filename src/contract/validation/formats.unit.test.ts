import { expect, test } from 'vitest';
import { schemaErrors } from './schema-validator.ts';

const LONG = 1_000_000;

// With two ways to match each blank or sign, they would take minutes.
test.each<[format: string, text: string]>([
  ['byte', `${' '.repeat(LONG)}!`],
  ['byte', `=${' '.repeat(LONG)}!`],
  ['byte', `${'a'.repeat(LONG)}===`],
  ['duration', `P${'1'.repeat(LONG)}`],
  ['email', `${'a.'.repeat(LONG)}@`],
  ['email', `"${'\\"'.repeat(LONG)}@b`],
  ['email', `a@${'b-'.repeat(LONG)}`],
])('whether a long text is a %s is told at once', (format, text) => {
  expect(schemaErrors({ type: 'string', format }, text)).toMatchObject([{ keyword: 'format' }]);
});
