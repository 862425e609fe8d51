import { describe, expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Deviation, DeviationKind } from '../../model/finding.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import type { Judged } from '../evidence/judged.ts';
import { attributeIntermittent, attributeOpen } from './failed-reads.ts';

const attributeRare = (judged: readonly Judged[]) => attributeOpen(attributeIntermittent(judged));

const RULE = 'listPets.limit.minimum';
const DUE = 'listPets.200';
const RESPONSES = 'listPets.responses';

const wrong = (requirement: string, kind: DeviationKind = 'status'): Deviation => ({
  requirement,
  kind,
  reason: 'it failed',
  expected: 'status 200',
  received: 'status 500',
});

const FAILING = { outcome: 'deviant', deviations: [wrong(RULE)], hidden: [wrong(DUE), wrong(RESPONSES)] };

interface Read {
  probe?: Partial<Probe>;
  exchange?: Partial<Exchange>;
  /** 200 unless told otherwise; no response if undefined. */
  status?: number | undefined;
  judged?: object;
}

/** A read of the list by its least limit: a 200 is sound, another status violates the rule about the limit. */
function read({ probe = {}, exchange = {}, judged = {}, ...rest }: Read = {}): Judged {
  const status = 'status' in rest ? rest.status : 200;
  const sent = { ...probeNamed('listPets:limit=minimum'), ...probe };
  const response = status === undefined ? {} : { response: responseTo('listPets', { status }) };
  const outcome = status === 200 ? {} : FAILING;
  return judgedOf(sent, exchangeOf(sent, { url: '/pets?limit=1', ...response, ...exchange }), {
    ...outcome,
    ...judged,
  });
}

const failing = (change: Read = {}) => read({ status: 500, ...change });

describe('a read that fails although the same request succeeds as well', () => {
  test('lacks its success; what else is wrong with it is still known', () => {
    const [failed, succeeded] = attributeRare([failing(), read()]);
    expect(failed?.deviations).toEqual([wrong(DUE)]);
    expect(failed?.hidden).toEqual([wrong(RULE), wrong(RESPONSES)]);
    expect(succeeded).toEqual(read());
  });

  test.each<[what: string, failed: Read, other: Read]>([
    ['the service refuses it, and does not break', { status: 404 }, {}],
    ['only another address succeeds', {}, { exchange: { url: '/pets?limit=2' } }],
    ['the other response has the wrong shape', {}, { judged: { isSound: false } }],
    ['it is no read', { exchange: { method: 'POST' } }, {}],
    ['it was sent with another key', { probe: { key: 'unknown' } }, {}],
    ['only a wrong key succeeds', {}, { probe: { key: 'unknown' } }],
    ['what it gets is open', { probe: { expectation: OPEN } }, {}],
    ['a control explains it', { judged: { outcome: 'inconclusive', deviations: [] } }, {}],
    ['something else owns it', { judged: { deviations: [wrong(RESPONSES)], hidden: [wrong(DUE)] } }, {}],
  ])('is left as it is if %s', (_what, failed, other) => {
    expect(attributeRare([failing(failed), read(other)])[0]).toEqual(failing(failed));
  });
});

describe('a request that uses up the limit, about which the interface says nothing, and that fails', () => {
  const SURPLUS = {
    probe: { stage: 'surplus', expectation: OPEN },
    judged: { deviations: [wrong(RESPONSES)] },
  } as const;
  const open = (change: Read = {}) =>
    failing({
      ...change,
      probe: { ...SURPLUS.probe, ...change.probe },
      judged: { ...SURPLUS.judged, hidden: [wrong('X-RateLimit-Limit', 'header')], ...change.judged },
    });
  /** Reads that succeed, each at an address of its own. */
  const sound = (count: number, change: Read = {}) =>
    Array.from({ length: count }, (_, index) =>
      read({ exchange: { url: `/pets?limit=${index + 2}` }, ...change }),
    );

  test.each(['exhaust', 'surplus'] as const)(
    'belongs to the reads that rarely fail in the same way: %s',
    (stage) => {
      const [, judged] = attributeRare([failing(), open({ probe: { stage } }), ...sound(4)]);
      expect(judged).toMatchObject({
        outcome: 'inconclusive',
        inconclusive: { reason: 'the operation fails now and then, whatever is asked for', cause: RULE },
        met: [],
        deviations: [],
        hidden: [wrong(RESPONSES), wrong('X-RateLimit-Limit', 'header')],
      });
    },
  );

  test('belongs to them also if it was sent first, after requests of its kind, and others failed in other ways', () => {
    const others = [
      failing({ judged: { outcome: 'inconclusive', deviations: [] } }),
      failing({ status: undefined, judged: { deviations: [wrong('service.http', 'transport')] } }),
      failing({ judged: { deviations: [wrong(RULE, 'header')] } }),
    ];
    const judged = attributeRare([open(), open(), ...others, failing(), ...sound(4)]);
    expect(judged.slice(0, 2)).toMatchObject([
      { inconclusive: { cause: RULE } },
      { inconclusive: { cause: RULE } },
    ]);
  });

  test.each<[what: string, judged: Judged, others: Judged[]]>([
    ['no read fails', open(), sound(4)],
    ['a quarter of the reads fails, and more', open(), [failing(), ...sound(3)]],
    [
      'the reads that succeed have the wrong shape',
      open(),
      [failing(), ...sound(4, { judged: { isSound: false } })],
    ],
    ['the reads fail with another status', open(), [failing({ status: 503 }), ...sound(4)]],
    [
      'the read was cut off',
      open(),
      [failing({ judged: { deviations: [wrong('service.http', 'transport')] } }), ...sound(4)],
    ],
    ['only a wrong key fails so', open(), [failing({ probe: { key: 'unknown' } }), ...sound(4)]],
    ['only what is no read fails so', open(), [failing({ exchange: { method: 'POST' } }), ...sound(4)]],
    [
      'its status is not what is wrong',
      open({ judged: { deviations: [wrong(RESPONSES, 'json')] } }),
      [failing(), ...sound(4)],
    ],
    ['nothing is wrong with it', open({ judged: { deviations: [] } }), [failing(), ...sound(4)]],
    ['it does not use up the limit', open({ probe: { stage: 'invalid' } }), [failing(), ...sound(4)]],
    [
      'the interface says what it gets',
      open({ probe: { expectation: expecting(['200']) } }),
      [failing(), ...sound(8)],
    ],
    [
      'it has the same owner anyway',
      open(),
      [failing({ judged: { deviations: [wrong(RESPONSES)] } }), ...sound(4)],
    ],
    [
      'neither it nor the read got a response',
      open({ status: undefined }),
      [failing({ status: undefined, judged: { deviations: [wrong(RESPONSES)] } }), ...sound(4)],
    ],
  ])('is left as it is if %s', (_what, judged, others) => {
    expect(attributeRare([...others, judged]).at(-1)).toEqual(judged);
  });

  test('is left as it is if only another operation rarely fails, or if only another one succeeds', () => {
    const elsewhere = (each: Judged) => ({ ...each, operation: { ...each.operation, id: 'getStoreOrders' } });
    expect(attributeRare([open(), elsewhere(failing()), ...sound(8)])[0]).toEqual(open());
    expect(attributeRare([open(), failing(), ...sound(8).map(elsewhere)])[0]).toEqual(open());
  });
});
