import { expect, test } from 'vitest';
import { bugLine } from './bugs.ts';
import { keepSecret, withoutSecrets } from './secrets.ts';

test('an error shows no part of a key that may be user and password', () => {
  keepSecret({ apiKey: 'alice:S3cret-Passw0rd', headers: [] });
  expect(withoutSecrets('no alice:S3cret-Passw0rd, S3cret-Passw0rd')).toBe('no [key], [key]');
  expect(bugLine(new Error('lost alice:S3cret-Passw0rd'))).toMatch(/: Error: lost \[key\]$/);
});
