import { expect, test } from 'vitest';
import { contract, exchangeOf, judgedOf, probeNamed } from '../../test/exchanges/exchanges.ts';
import type { Exchange, HeaderLine } from '../model/exchange.ts';
import { type Deviation, violated } from '../model/finding.ts';
import { rootCauseOf } from './root-cause.ts';

const deviation: Deviation = {
  requirement: 'service.http',
  kind: 'transport',
  reason: 'a',
  expected: 'b',
  received: 'c',
};

/** The root cause of two operations that fail in these ways. */
function causeOf(...failing: readonly Partial<Exchange>[]) {
  const names = ['listPets:plain', 'createPet:minimal'];
  const judged = failing.map((change, index) => {
    const probe = probeNamed(names[index] ?? '');
    const deviant = { outcome: 'deviant', deviations: [deviation] };
    return judgedOf(probe, exchangeOf(probe, { id: index + 1, ...change }), deviant);
  });
  const findings = { 'service.http': violated(deviation, [1, 2]) };
  return rootCauseOf(judged, findings, contract);
}

const failed = (kind: 'reset' | 'timeout'): Partial<Exchange> => ({
  failure: { kind, phase: 'headers', message: 'nothing came' },
});
const returned = (...headers: HeaderLine[]): Partial<Exchange> => ({
  response: { status: 503, headers, body: 'x' },
});
const typed = (type: string) => returned(['Content-Type', type]);

test.each<[what: string, failing: Partial<Exchange>[], statement: string]>([
  ['no response', [failed('reset'), failed('reset')], 'failed to respond: nothing came'],
  ['no response in time', [failed('timeout'), failed('timeout')], 'timed out: nothing came'],
  [
    'one status of one type',
    [typed('text/plain; charset=utf-8'), typed('text/plain')],
    'returned 503 text/plain',
  ],
  ['one status of several types', [typed('text/plain'), typed('text/css')], 'returned 503'],
  ['one status of no type', [returned(), returned()], 'returned 503'],
])('the same failure in words: %s', (_what, failing, statement) => {
  expect(causeOf(...failing)?.statement).toBe(`every operation in this run ${statement}`);
});

test.each<[what: string, body: string, line: string | undefined]>([
  ['the only one', 'Down', 'Down'],
  ['without the spaces around it', '\n\n  Down for a while  \r\nCome back', 'Down for a while'],
  ['with words between tags', '<html>\n<b> </b>\n<p>Down</p>', '<p>Down</p>'],
  ['of tags alone, if there are no words', '\n <br>\n<hr>', '<br>'],
  ['of tags alone, if words come thousands of characters later', `${'<br>\n'.repeat(2_000)}Down`, '<br>'],
  ['of nothing', '', undefined],
  ['of spaces', ' \n ', undefined],
])('the first line of a body: %s', (_what, body, line) => {
  const response = { status: 503, headers: [], body };
  expect(causeOf({ response }, { response })?.firstLine).toBe(line);
});

test('a redirect has no first line, whatever its body', () => {
  const response = { status: 302, headers: [['Location', '/login']], body: 'Found' } as const;
  const cause = causeOf({ response }, { response });
  expect(cause?.kind).toBe('redirect');
  expect(cause?.firstLine).toBeUndefined();
});
