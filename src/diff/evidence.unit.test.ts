import { expect, test } from 'vitest';
import { harText } from '../../test/recordings/entries.ts';
import { entry } from '../../test/reports/history.ts';
import { kindOfEvidence } from './evidence.ts';

test.each([
  ['a HAR', 'recording', harText([])],
  ['a HAR entry on each line', 'recording', '{"startedDateTime":"2026-11-28T12:00:00Z"}\n'],
  ['a packed file', 'recording', '\u001f\ufffd\b'],
  ['nothing', 'recording', ''],
  ['a history', 'history', `${JSON.stringify(entry(0, { a: 'met' }))}\n`],
  ['a signed certificate', 'certificate', '{\n  "payloadType": "application/vnd.in-toto+json",'],
  ['a statement', 'certificate', '{"_type":"https://in-toto.io/Statement/v1",'],
  ['a baseline', 'baseline', '# known\nrequests: 0123\nviolations:\n  - requirement: a\n'],
  ['an empty baseline', 'baseline', 'violations:\n'],
  ['JSON with a line like that of a baseline', 'recording', '{\nviolations: 1 }'],
])('%s is a %s', (_what, kind, text) => {
  expect(kindOfEvidence(text)).toBe(kind);
  expect(kindOfEvidence(`\ufeff${text}`)).toBe(kind);
});
