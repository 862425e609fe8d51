import { expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import type { TakenApart } from '../../model/exchange.ts';
import { met, violated } from '../../model/finding.ts';
import type { RequestVariation } from '../../model/probe.ts';
import { inconclusiveOf, type Judged } from '../evidence/judged.ts';
import { takenTogether, withVariation } from './taken-apart.ts';

const wrong = violated(
  { kind: 'status', reason: 'returned 500', expected: 'status 200', received: 'status 500' },
  [7],
);
const taken = (change: Partial<TakenApart>): TakenApart[] => [
  { shownBy: 7, variations: [], others: [], requirement: 'listPets.200', ...change },
];

test.each<[what: string, change: Partial<TakenApart>, reason: string]>([
  ['nothing is known of a simpler request', {}, 'returned 500'],
  ['another exchange was taken apart', { shownBy: 8, variations: ['name:long'] }, 'returned 500'],
  [
    'the plain request is right',
    { variations: ['name:long', 'header:case'] },
    'returned 500; only with name:long, header:case, the plain request is fine',
  ],
  [
    'the search for a simpler request ended early',
    { isUnfinished: true },
    'returned 500; no request was left to look for a simpler one',
  ],
])('a finding says what of its request is to blame: %s', (_what, change, reason) => {
  expect(withVariation(wrong, taken(change)).reason).toBe(reason);
});

test('what is met has no variation to blame', () => {
  expect(withVariation(met([7]), taken({ variations: ['name:long'] }))).toEqual(met([7]));
});

test('an advisory has one as well as a violation', () => {
  const advisory = { ...wrong, status: 'advisory' } as const;
  expect(withVariation(advisory, taken({ variations: ['name:long'] }))).toMatchObject({
    status: 'advisory',
    variation: ['name:long'],
    reason: 'returned 500; only with name:long, the plain request is fine',
  });
});

test('the exchange that shows a failure best names what owns the others', () => {
  const probe = probeNamed('listPets:plain');
  const failed = (id: number, requirement: string) => {
    const deviation = { requirement, kind: 'status', reason: 'a', expected: 'b', received: 'c' } as const;
    return judgedOf(probe, exchangeOf(probe, { id }), { outcome: 'deviant', deviations: [deviation] });
  };
  const judged = [failed(7, 'listPets.limit.maximum'), failed(8, 'listPets.200'), failed(9, 'listPets.200')];
  const [shown, other, stranger] = takenTogether(judged, taken({ others: [8] }));
  expect([shown, stranger]).toEqual([judged[0], judged[2]]);
  expect(other).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: {
      reason: 'another exchange shows the same failure better',
      cause: 'listPets.limit.maximum',
    },
    deviations: [],
    hidden: judged[1]?.deviations,
  });
});

const texts = (...names: string[]): RequestVariation[] =>
  names.map((name) => ({ id: `text:${name}`, kind: 'text', text: name }));

test.each<[what: string, variations: string[], status: number, reason: string | undefined]>([
  [
    'several texts that are refused',
    ['text:a', 'text:b'],
    400,
    'a refused text may be too long; how long it may be is not stated',
  ],
  [
    'texts and another variation',
    ['text:a', 'header', 'text:b'],
    400,
    'a refused text may be too long; how long it may be is not stated',
  ],
  [
    'one text that is refused',
    ['text:a'],
    400,
    'a refused text may be too long; how long it may be is not stated',
  ],
  ['another variation that is refused', ['header'], 400, undefined],
  ['several texts at which the service fails', ['text:a', 'text:b'], 500, undefined],
  ['several texts that are accepted', ['text:a', 'text:b'], 201, undefined],
  ['a refusal that is not documented', ['text:a', 'text:b'], 418, undefined],
])('what may be too long tells nothing: %s', (_what, variations, status, reason) => {
  const probe = probeNamed('createPet:full-1');
  const varied = {
    ...probe,
    variations: [...texts('a', 'b'), { id: 'header', kind: 'field-order' } as const],
  };
  const deviation = {
    requirement: 'createPet.201',
    kind: 'status',
    reason: 'a',
    expected: 'b',
    received: 'c',
  } as const;
  const judged = [7, 8, 9].map((id) =>
    judgedOf(varied, exchangeOf(varied, { id, variations, response: responseTo('createPet', { status }) }), {
      outcome: 'deviant',
      deviations: [deviation],
    }),
  );
  const [shown, other, stranger] = takenTogether(judged, taken({ variations, others: [8] }));
  expect(inconclusiveOf(shown as Judged)?.reason).toBe(reason);
  expect(inconclusiveOf(other as Judged)?.reason).toBe(
    reason ?? 'another exchange shows the same failure better',
  );
  expect(stranger).toBe(judged[2]);
});

test('texts of rounds may be too long as well, but not where the document says how long texts may be', () => {
  const probe = { ...probeNamed('createPet:full-1'), rounds: [texts('a'), texts('b')] };
  const variations = ['text:a', 'text:b'];
  const response = responseTo('createPet', { status: 400 });
  const refused = judgedOf(probe, exchangeOf(probe, { id: 7, variations, response }));
  const reasonOf = (judged: Judged) =>
    inconclusiveOf(takenTogether([judged], taken({ variations }))[0] as Judged)?.reason;
  expect(reasonOf(refused)).toContain('how long it may be is not stated');
  const { operation } = refused;
  const { body } = operation;
  const schema = { ...body?.schema, properties: { name: { type: 'string', maxLength: 9 }, age: {} } };
  const stated = { ...operation, body: { ...body, schema } } as Judged['operation'];
  expect(reasonOf({ ...refused, operation: stated })).toBeUndefined();
});

test('a text is not too long if one as long was accepted', () => {
  const probe = { ...probeNamed('createPet:full-1'), variations: texts('a', 'b') };
  const variations = ['text:a', 'text:b'];
  const sent = (id: number, status: number, name: string) =>
    judgedOf(
      probe,
      exchangeOf(probe, {
        id,
        variations,
        requestBody: JSON.stringify({ name, categoryId: 1 }),
        response: responseTo('createPet', { status }),
      }),
    );
  const reasonWith = (accepted: string) => {
    const judged = [sent(7, 400, '猫'.repeat(60)), sent(8, 201, accepted)];
    return inconclusiveOf(takenTogether(judged, taken({ variations }))[0] as Judged)?.reason;
  };
  // A service may count characters or bytes.
  expect(reasonWith('猫'.repeat(59))).toContain('how long it may be is not stated');
  expect(reasonWith('x'.repeat(179))).toContain('how long it may be is not stated');
  expect(reasonWith('猫'.repeat(60))).toBeUndefined();
  expect(reasonWith('x'.repeat(180))).toBeUndefined();
});

test('a long text that another operation accepted says nothing', () => {
  const probe = { ...probeNamed('createPet:full-1'), variations: texts('a', 'b') };
  const message = probeNamed('sendMessage:minimal');
  const variations = ['text:a', 'text:b'];
  const requestBody = JSON.stringify({ name: 'x'.repeat(60) });
  const judged = [
    judgedOf(
      probe,
      exchangeOf(probe, {
        ...{ id: 7, variations, requestBody },
        response: responseTo('createPet', { status: 400 }),
      }),
    ),
    judgedOf(
      message,
      exchangeOf(message, { id: 8, requestBody, response: responseTo('sendMessage', { status: 201 }) }),
    ),
  ];
  const [refused] = takenTogether(judged, taken({ variations }));
  expect(inconclusiveOf(refused as Judged)?.reason).toContain('how long it may be is not stated');
});

test('a text is too long where plain letters of its length are refused alike, and not where they are accepted', () => {
  const probe = { ...probeNamed('createPet:full-1'), variations: texts('a') };
  const sent = (id: number, status: number, variations: string[], of = probe) =>
    judgedOf(of, exchangeOf(of, { id, variations, response: responseTo('createPet', { status }) }));
  const reasonsWith = (plain: Judged) =>
    takenTogether([sent(7, 400, ['text:a']), plain], taken({ variations: ['text:a'] })).map(
      (each) => inconclusiveOf(each)?.reason,
    );
  const reason = expect.stringContaining('how long it may be is not stated');
  expect(reasonsWith(sent(8, 400, ['text:as-long']))).toEqual([reason, reason]);
  expect(reasonsWith(sent(8, 201, ['text:as-long']))).toEqual([undefined, undefined]);
  // What else is refused shows nothing of the length.
  for (const other of [
    sent(8, 422, ['text:as-long']),
    sent(8, 400, ['text:b']),
    sent(8, 400, ['text:as-long'], { ...probe, id: 'createPet:full-2' }),
  ])
    expect(reasonsWith(other)).toEqual([reason, undefined]);
});
