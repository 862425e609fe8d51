import { expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed } from '../../../test/exchanges/exchanges.ts';
import type { Deviation } from '../../model/finding.ts';
import { ownedBy } from './judged.ts';

const probe = probeNamed('getPet:createPet:minimal');
const wrong = (requirement: string): Deviation => ({
  requirement,
  kind: 'status',
  reason: 'another status than is due',
  expected: '200',
  received: '500',
});
const [notFound, success, error] = [wrong('getPet.404'), wrong('getPet.200'), wrong('Error.code')];
const judged = judgedOf(probe, exchangeOf(probe, { id: 1 }), {
  outcome: 'deviant',
  deviations: [notFound],
  hidden: [success, error],
});

test('an exchange is reported by the requirement that owns it, which hides the others', () => {
  expect(ownedBy(judged, 'getPet.200')).toEqual({
    ...judged,
    deviations: [success],
    hidden: [notFound, error],
  });
});

test('a requirement that an exchange does not contradict cannot own it', () => {
  expect(ownedBy(judged, 'getPet.410')).toEqual(judged);
});
