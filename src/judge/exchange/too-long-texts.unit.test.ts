import { expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import type { Exchange, TakenApart } from '../../model/exchange.ts';
import { violated } from '../../model/finding.ts';
import type { Probe } from '../../model/probe.ts';
import { inconclusiveOf, type Judged } from '../evidence/judged.ts';
import { takenTogether, withVariation } from './taken-apart.ts';

const probe: Probe = {
  ...probeNamed('createPet:full-1'),
  variations: [{ id: 'text:a', kind: 'text', text: 'a' }],
};
const TOO_LONG = 'a refused text may be too long; how long it may be is not stated';
const LONG = 'x'.repeat(60);
const PLAIN = ['text:as-long'];

/** A request with this name; without a status, no response came. */
function sent(id: number, status: number | undefined, name = LONG, change: Partial<Exchange> = {}): Judged {
  const response = status === undefined ? {} : { response: responseTo('createPet', { status }) };
  const requestBody = JSON.stringify({ name });
  return judgedOf(
    probe,
    exchangeOf(probe, { id, variations: ['text:a'], requestBody, ...response, ...change }),
  );
}

const taken = (change: Partial<TakenApart> = {}): TakenApart[] => [
  { shownBy: 7, variations: ['text:a'], others: [], requirement: 'createPet.201', ...change },
];

/** Why the exchanges tell nothing, where the seventh shows that a text is refused. */
const reasonsOf = (judged: readonly Judged[], change: Partial<TakenApart> = {}) =>
  takenTogether(judged, taken(change)).map((each) => inconclusiveOf(each)?.reason);

test('plain letters that are refused show that a text is too long, though another request took as many', () => {
  const judged = [sent(7, 400), sent(8, 400, LONG, { variations: PLAIN }), sent(9, 201)];
  expect(reasonsOf(judged)).toEqual([TOO_LONG, TOO_LONG, undefined]);
});

test.each<[accepted: string, reason: string | undefined]>([
  ['猫'.repeat(59), TOO_LONG],
  ['猫'.repeat(60), undefined],
])('a text of more bytes and fewer characters that is accepted is not as long: %s', (accepted, reason) => {
  expect(reasonsOf([sent(7, 400), sent(8, 201, accepted)])).toEqual([reason, undefined]);
});

test.each([
  ['null', LONG],
  ['x'.repeat(99), LONG],
  ['[]', 'Zoë'],
])('an accepted body that is no object has no text: %s', (requestBody, refused) => {
  const judged = [sent(7, 400, refused), sent(8, 201, '', { requestBody })];
  expect(reasonsOf(judged)).toEqual([TOO_LONG, undefined]);
});

test.each([302, 400, 499, 500])('only a 4xx refuses a text, also where the document lists a %i', (status) => {
  const judged = sent(7, status);
  const { operation } = judged;
  const others = operation.responses.slice(0, 1).map((first) => ({ ...first, status: String(status) }));
  const listed = { ...operation, responses: [...operation.responses, ...others] };
  const isRefusal = status >= 400 && status <= 499;
  expect(reasonsOf([{ ...judged, operation: listed }])).toEqual([isRefusal ? TOO_LONG : undefined]);
});

test('a request that was not varied has none of the texts', () => {
  const { variations: _, ...plain } = sent(7, 400).exchange;
  expect(reasonsOf([judgedOf(probe, plain)])).toEqual([undefined]);
});

test('a request that gets no response says nothing of the length of a text', () => {
  const unanswered = sent(8, undefined, LONG, { variations: PLAIN });
  expect(reasonsOf([sent(7, 400), unanswered, sent(9, 201)])).toEqual([undefined, undefined, undefined]);
});

test('what failed otherwise with a text that is too long tells as little', () => {
  const judged = [sent(7, 400), sent(8, undefined), sent(9, 400, LONG, { variations: PLAIN })];
  expect(reasonsOf(judged, { others: [8] })).toEqual([TOO_LONG, TOO_LONG, TOO_LONG]);
});

test.each<[what: string, inconclusive: { reason: string; cause?: string }, reason: string]>([
  [
    'a reason of its own',
    { reason: 'the rate limit refused the request' },
    'the rate limit refused the request',
  ],
  [
    'another violation',
    { reason: 'the request before it failed', cause: 'createPet.responses' },
    'another exchange shows the same failure better',
  ],
])('what tells nothing for %s', (_what, inconclusive, reason) => {
  const other = { ...sent(8, 500), outcome: 'inconclusive', inconclusive } as Judged;
  expect(reasonsOf([sent(7, 500), other], { others: [8] })).toEqual([undefined, reason]);
});

test('a finding of an older version, which has no kinds of violations, names what is to blame', () => {
  const deviation = { kind: 'status', reason: 'returned 500', expected: 'a', received: 'b' } as const;
  const { seen: _, ...older } = violated(deviation, [7]);
  expect(withVariation(older, taken())).toMatchObject({ variation: ['text:a'], seen: undefined });
});
