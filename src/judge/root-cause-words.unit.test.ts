import { expect, test } from 'vitest';
import { contract, exchangeOf, judgedOf, probeNamed } from '../../test/exchanges.ts';
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

/** What is said of two operations that fail in these ways. */
function statementOf(...failing: readonly Partial<Exchange>[]): string | undefined {
  const names = ['listPets:plain', 'createPet:minimal'];
  const judged = failing.map((change, index) => {
    const probe = probeNamed(names[index] ?? '');
    const deviant = { outcome: 'deviant', deviations: [deviation] };
    return judgedOf(probe, exchangeOf(probe, { id: index + 1, ...change }), deviant);
  });
  const findings = { 'service.http': violated(deviation, [1, 2]) };
  return rootCauseOf(judged, findings, contract)?.statement;
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
  expect(statementOf(...failing)).toBe(`every operation in this run ${statement}`);
});
