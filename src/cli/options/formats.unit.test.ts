import { expect, test } from 'vitest';
import { UsageError } from '../../run/options.ts';
import { formats } from './formats.ts';

test('formats come one by one or with commas, each once', () => {
  expect(formats('junit', formats('har, ctrf,', []))).toEqual(['har', 'ctrf', 'junit']);
  expect(formats('html,html')).toEqual(['html']);
});

test.each(['xml', 'JSON', 'junit,pdf', 'constructor'])('there is no format %s', (name) => {
  expect(() => formats(name)).toThrow(UsageError);
  expect(() => formats(name)).toThrow(/^--format \w+: there is no such format; any of json, html, junit/);
});
