import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { deriveProbes } from '../probes/derive.ts';
import type { Exchange } from '../session/exchange.ts';
import { judgeExchanges } from './exchange.ts';

const contract = loadContract();
const exchange: Exchange = {
  id: 1,
  probe: 'listPets:plain',
  operation: 'listPets',
  address: 'baseUrl',
  stage: 'first',
  key: 'valid',
  method: 'GET',
  url: 'http://127.0.0.1/v1/pets',
  requestHeaders: [],
  sentAt: 0,
  receivedAt: 1,
  inFlight: 1,
  rate: {},
};
const circumstances = { contract, probes: deriveProbes(contract), today: 0, referencesKnown: true };

test('headers that petspec did not read are held against nobody', () => {
  const failure = { kind: 'too-large', phase: 'headers', message: 'larger than petspec reads' } as const;
  const [judged] = judgeExchanges([{ ...exchange, failure }], circumstances);
  expect(judged).toMatchObject({ deviations: [], inconclusive: { reason: 'larger than petspec reads' } });
});

test.each([
  ['reset', 'headers'],
  ['closed', 'body'],
  ['timeout', 'headers'],
] as const)('what a service that goes away leaves behind is held against no operation: %s', (kind, phase) => {
  const failed = { ...exchange, sentAt: 5, receivedAt: 9, failure: { kind, phase, message: 'gone' } };
  const violated = (goneSince?: number) =>
    judgeExchanges([failed], { ...circumstances, ...(goneSince === undefined ? {} : { goneSince }) }).flatMap(
      ({ deviations }) => deviations.map(({ requirement }) => requirement),
    );
  expect(violated(7)).toEqual([]);
  // Another request was sent after it had failed, and was answered: the service was still there.
  expect(violated(12)).toEqual(['service.http']);
  expect(violated()).toEqual(['service.http']);
});
