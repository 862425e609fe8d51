import { expect, test } from 'vitest';
import { type SentByClient, scenarioOf } from '../../test/exchanges/client-requests.ts';
import { contract } from '../../test/exchanges/exchanges.ts';
import { documentChecks, forDocuments } from './documents.ts';
import { keyChecks } from './keys.ts';
import { rateLimitChecks } from './rate-limits.ts';

const ENDED = { kind: 'ended', words: 'exit status 0' } as const;
const FAILED = { kind: 'failed', words: 'exit status 1' } as const;
const STOPPED = { kind: 'stopped', words: 'it was ended after the time limit' } as const;

type End = typeof ENDED | typeof FAILED | typeof STOPPED;

/** What is found of a client that ends like this in each scenario. */
function foundOf(ends: Readonly<Record<string, End>>) {
  const scenarios = Object.entries(ends).map(([name, end], index) =>
    scenarioOf([{}], { name, end, from: index + 1 }),
  );
  return documentChecks[0]?.judge({ contract, scenarios });
}

const untested = (reason: string) => ({ status: 'not-tested', untested: 'no-traffic', reason });
const NOT_SOUND = untested('the scenario plain did not run, or the client did not end well in it');

test.each<[what: string, ends: Record<string, End>, expected: object]>([
  ['ends well', { plain: ENDED, slow: ENDED }, { status: 'met', evidence: [2] }],
  ['fails', { plain: ENDED, slow: FAILED }, { status: 'advisory', received: 'exit status 1' }],
  ['does not end', { plain: ENDED, slow: STOPPED }, { status: 'not-tested', untested: 'no-traffic' }],
  [
    'ends well in one of two',
    { plain: ENDED, slow: STOPPED, 'large-ids': ENDED },
    { status: 'met', evidence: [3] },
  ],
  ['meets nothing harmless', { plain: ENDED, unavailable: ENDED }, { status: 'not-tested' }],
  ['fails anyway', { plain: FAILED, slow: FAILED }, NOT_SOUND],
  ['does not end anyway', { plain: STOPPED, slow: ENDED }, NOT_SOUND],
  ['did not run where all is well', { slow: FAILED }, NOT_SOUND],
])('a client that %s', (_what, ends, expected) => {
  expect(foundOf(ends)).toMatchObject(expected);
});

test('a client that fails with an id that lost digits has one mistake', () => {
  const requests = [
    { answer: [{ id: 9007199254740995n }] },
    { call: 'GET http://a.example/v1/pets/9007199254740996', status: 404 },
  ];
  const scenarios = [
    scenarioOf([{}], { end: ENDED }),
    scenarioOf(requests, { name: 'large-ids', end: FAILED, from: 2 }),
  ];
  expect(documentChecks[0]?.judge({ contract, scenarios })).toMatchObject({ status: 'not-tested' });
});

test('nothing leads a client of a document to another origin, so it is not asked about its key there', () => {
  const ids = forDocuments(keyChecks).map(({ requirement }) => requirement.id);
  expect(ids).toEqual(['client.key.sent', 'client.key.form', 'client.key.place']);
});

const refused: SentByClient = { status: 429, retryAfter: '10', at: 0, answer: {} };

test.each<[what: string, id: string, sent: SentByClient[], expected: object]>([
  [
    'does not wait is advised, as RFC 9110 only says that it ought to',
    'client.retry-after',
    [refused, { at: 3_000 }],
    { status: 'advisory', evidence: [2], expected: 'no request with the key for 10.00 s after the 429' },
  ],
  [
    'waits does as it should',
    'client.retry-after',
    [refused, { at: 10_000 }],
    { status: 'met', evidence: [1] },
  ],
  [
    'sends a wrong key does what it must not',
    'client.key.form',
    [{ key: 'unknown' }],
    { status: 'violated' },
  ],
  ['sends the right key does as it must', 'client.key.form', [{}], { status: 'met' }],
])('a client of a document that %s', (_what, id, sent, expected) => {
  const check = forDocuments([...rateLimitChecks, ...keyChecks]).find(
    ({ requirement }) => requirement.id === id,
  );
  expect(check?.judge({ contract, scenarios: [scenarioOf(sent)] })).toMatchObject(expected);
});
