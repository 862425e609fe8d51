import { expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed } from '../../test/exchanges/exchanges.ts';
import { shown } from '../../test/limiters/limited-runs.ts';
import { ownedCheck } from './derived-checks.ts';
import type { Judged } from './evidence/judged.ts';

const BODY = 'createPet.body';

interface Wrong {
  title: string;
  rule?: string;
  /** Whether the document does not say of all responses when they come. */
  isOfUser?: boolean;
}

/** What is found about a requirement that each of these requests violates. */
function reasonOf(requirement: string, wrong: readonly Wrong[]): string {
  const judged = wrong.map(({ title, rule = BODY, isOfUser = true }, index): Judged => {
    const probe = { ...probeNamed('createPet:name-missing'), title, rule };
    const deviation = { kind: 'status', reason: 'accepted', expected: '', received: '' } as const;
    const result = judgedOf(probe, exchangeOf(probe, { id: index + 1 }), {
      ...{ outcome: 'deviant', deviations: [{ ...deviation, requirement }] },
    });
    return isOfUser ? { ...result, operation: { ...result.operation, mayRefuse: true } } : result;
  });
  return ownedCheck(requirement, () => true).judge({ ...shown([]), judged }).reason;
}

const bodies = (...titles: string[]) => titles.map((title) => ({ title }));

test.each<[what: string, wrong: Wrong[], also: string]>([
  ['none, if it is the only one', bodies('no name'), ''],
  ['each in its own words', bodies('no name', 'no id', 'null'), '; also no id, null'],
  [
    'each once, and not the one that is shown',
    bodies('no name', 'no id', 'no name', 'no id'),
    '; also no id',
  ],
  ['none, if all are alike', bodies('no name', 'no name'), ''],
  ['all of a few', bodies('1', '2', '3', '4', '5', '6'), '; also 2, 3, 4, 5, 6'],
  ['the first of many', bodies('1', '2', '3', '4', '5', '6', '7'), '; also 2, 3, 4, 5, 6, ...'],
  [
    'none of what is sent for another requirement',
    [{ title: 'no name' }, { title: 'no key', rule: 'createPet.key' }, { title: 'no id' }],
    '; also no id',
  ],
  [
    'none of an interface whose fields have requirements of their own',
    [
      { title: 'no name', isOfUser: false },
      { title: 'no id', isOfUser: false },
    ],
    '',
  ],
])('a finding about wrong bodies names the others: %s', (_what, wrong, also) => {
  expect(reasonOf(BODY, wrong)).toBe(`accepted${also}`);
});

test('a finding about anything else names no other requests', () => {
  const rule = 'createPet.limit.maximum';
  const wrong = [
    { title: '101', rule },
    { title: '102', rule },
  ];
  expect(reasonOf(rule, wrong)).toBe('accepted');
});
