import { expect, test } from 'vitest';
import { quote } from './quote.ts';

const EMOJI = '\u{1F600}';

test.each([
  ['nothing', '', ''],
  ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
  ['201', 'x'.repeat(201), `${'x'.repeat(200)}…`],
  ['a hundred thousand', 'x'.repeat(100_000), `${'x'.repeat(200)}…`],
  ['200 that are two units each', EMOJI.repeat(200), EMOJI.repeat(200)],
  ['201 that are two units each', EMOJI.repeat(201), `${EMOJI.repeat(200)}…`],
  ['200 of one unit and two', `${'x'.repeat(199)}${EMOJI}`, `${'x'.repeat(199)}${EMOJI}`],
  ['201 of one unit and two', `${'x'.repeat(200)}${EMOJI}`, `${'x'.repeat(200)}…`],
])('a quotation has at most 200 characters, and none is halved: %s', (_, text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
