import { expect, test } from 'vitest';
import { UsageError } from '../../model/usage-error.ts';
import { formats } from './option-values.ts';

test('formats are given one by one or comma-separated, and kept once', () => {
  expect(formats('junit', formats('har, ctrf,', []))).toEqual(['har', 'ctrf', 'junit']);
  expect(formats('html,html')).toEqual(['html']);
});

test.each(['', ' ', ','])('no format is named by %j', (text) => {
  expect(() => formats(text)).toThrow(/^--format: no name; expected one of json, html, junit/);
});

test.each(['xml', 'JSON', 'junit,pdf', 'constructor'])('%s is not a format', (name) => {
  expect(() => formats(name)).toThrow(UsageError);
  expect(() => formats(name)).toThrow(/^--format: unknown format '\w+'; expected one of json, html, junit/);
});
