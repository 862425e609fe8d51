import { describe, expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import type { Circumstances, Judged } from '../evidence/judged.ts';
import { attributeToOthers, failingControl, guessedIn } from './controls.ts';

const deviations = [
  { requirement: 'listPets.limit.maximum', kind: 'status', reason: 'a', expected: 'b', received: 'c' },
] as const;

/** A list with a parameter of its own, or with none, that got this status; one that got 2xx is right. */
function listed(
  parameter: string | undefined,
  status: number | undefined,
  id = `listPets:${parameter}`,
): Judged {
  const plain = probeNamed('listPets:plain');
  const probe = { ...plain, id, ...(parameter === undefined ? {} : { parameter }) };
  const response = status === undefined ? {} : { response: responseTo('listPets', { status }) };
  const isRight = status !== undefined && status < 300;
  return judgedOf(probe, exchangeOf(probe, response), isRight ? {} : { outcome: 'deviant', deviations });
}

const all = listed(undefined, 200, 'listPets:all-parameters');

describe('a parameter whose values are all refused without the others', () => {
  test.each([400, 422])('says nothing of its bounds if they get %i', (status) => {
    const hidden = [{ ...deviations[0], requirement: 'Error' }];
    const refused = { ...listed('lat', status), hidden } as Judged;
    expect(attributeToOthers([all, refused])).toEqual([
      all,
      {
        ...refused,
        outcome: 'inconclusive',
        inconclusive: { reason: 'no value of lat was accepted without other parameters' },
        deviations: [],
        hidden: [...deviations, ...hidden],
      },
    ]);
  });

  test.each<[what: string, judged: readonly Judged[]]>([
    ['no request has several parameters', [listed(undefined, 200), listed('lat', 400)]],
    ['one of its values is accepted', [all, listed('lat', 200), listed('lat', 400)]],
    ['it gets another status', [all, listed('lat', 404), listed('lat', undefined)]],
    ['a refusal is what the request is due', [all, { ...listed('lat', 400), outcome: 'answered' } as Judged]],
    ['the request has no parameter', [all, listed(undefined, 400)]],
    [
      'the request has no parameter, and none is accepted',
      [listed(undefined, 400, 'listPets:all-parameters'), listed(undefined, 400)],
    ],
  ])('is judged as any other if %s', (_what, judged) => {
    expect(attributeToOthers(judged)).toEqual(judged);
  });

  test('is told apart from others, also from one of the same name in another operation', () => {
    const orders = {
      ...listed('lat', 200),
      operation: judgedOf(probeNamed('getStoreOrders:plain'), exchangeOf(probeNamed('getStoreOrders:plain')))
        .operation,
    };
    const [, , , refused] = attributeToOthers([all, listed('lng', 200), orders, listed('lat', 400)]);
    expect(refused).toMatchObject({ outcome: 'inconclusive' });
  });
});

test.each<[what: string, referenceOption: string | undefined, advice: string]>([
  ['and with which option to name one', '--category-id', '; name one with --category-id'],
  ['and nothing more without such an option', undefined, ''],
])('a refused guess says what was guessed, %s', (_what, referenceOption, advice) => {
  const probe = probeNamed('createPet:minimal');
  const several = {
    ...probe,
    body: { json: [probe.body, probe.body, { late: 'reference', name: 'ownerId' }] },
  };
  const reasonOf = (each: typeof probe) => guessedIn(each, { referenceOption } as Circumstances).reason;
  expect(reasonOf(probe)).toBe(
    `the list shows no categoryId, and the service refused the one that petspec guessed${advice}`,
  );
  expect(reasonOf(several)).toContain('the list shows no categoryId and ownerId, and');
});

test.each<[what: string, name: string, status: number, isFailing: boolean]>([
  ['a valid request succeeds with another status', 'minimal', 200, false],
  ['a request that may be refused succeeds with another status', 'maximum', 200, false],
  ['a valid request is refused', 'minimal', 400, true],
  ['a valid request is redirected', 'minimal', 303, true],
  ['a wrong request is accepted', 'empty', 200, true],
])('the refusal of a wrong body says nothing if its control fails: %s', (_what, name, status, isFailing) => {
  const control = probeNamed(`createPet:${name}`);
  const response = responseTo('createPet', { status });
  const judged = judgedOf(control, exchangeOf(control, { response }), { outcome: 'deviant', deviations });
  expect(failingControl(probeNamed('createPet:name-missing'), [judged])).toBe(isFailing ? judged : undefined);
});
