import { expect, test } from 'vitest';
import { contract } from '../../../test/exchanges/exchanges.ts';
import { judge } from '../../../test/exchanges/judged-answers.ts';

/** An operation that the interface removes on 2030-12-05 says that there is nothing. */
const outcomeOf = (today: string, asOf?: string) => {
  const of = asOf === undefined ? contract : { ...contract, asOf };
  const [gone] = judge({ 'getPet:createPet:minimal': 404 }, { contract: of, today: Date.parse(today) });
  return gone?.outcome;
};

test.each<[today: string, asOf: string | undefined, outcome: string]>([
  ['2030-12-05', undefined, 'removed'],
  ['2030-12-01', undefined, 'deviant'],
  ['2030-12-05', '2030-12-01', 'deviant'],
  ['2030-12-01', '2030-12-05', 'removed'],
])('on %s, by the interface as of %s, an operation without a response is %s', (today, asOf, outcome) => {
  expect(outcomeOf(today, asOf)).toBe(outcome);
});
