import { describe, expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import type { Judged } from '../judged.ts';
import { withoutVaried } from './varied.ts';

const WRONG: Deviation = {
  requirement: 'listPets.200',
  kind: 'status',
  reason: 'r',
  expected: 'e',
  received: 'r',
};

const plain = probeNamed('listPets:plain');
const got = (status: number) => ({ response: responseTo('listPets', { status }) });
/** A header of a proxy: how the limiter counts. */
const forwarded = { variation: 'forwarded-for' } as const;
/** What a service may refuse. */
const lenient = { variation: 'origin' } as const;

/** A wrong exchange of a probe; without a response, unless `change` has one. */
function wrong(change: Partial<Exchange>, probe = plain, deviations: readonly Deviation[] = [WRONG]): Judged {
  return judgedOf(probe, exchangeOf(probe, change), { outcome: 'deviant', deviations });
}

describe('a wrong response is held against the service', () => {
  const open = { ...plain, acceptable: [] };

  test.each<[what: string, judged: Judged]>([
    ['to a plain request', wrong(got(400))],
    ['if nothing is wrong', judgedOf(plain, exchangeOf(plain, { ...forwarded, ...got(400) }))],
    [
      'if it is not rejected where every response is right',
      judgedOf(open, exchangeOf(open, { ...forwarded, ...got(399) })),
    ],
    ['if the limit refused it', wrong({ ...forwarded, ...got(429) })],
    ['if the service failed', wrong({ ...forwarded, ...got(500) })],
    ['if it accepted what it may refuse', wrong({ ...lenient, ...got(200) })],
    ['if it redirected what it may refuse', wrong({ ...lenient, ...got(399) })],
    [
      'to what rides along on a request that is due a response',
      wrong({ variations: ['query-order'], ...got(400) }),
    ],
    [
      'to what rides along on a wrong request',
      wrong({ variations: ['query-order'], ...got(400) }, { ...open, validity: 'invalid' }),
    ],
    ['where nothing rides along', wrong(got(400), open)],
  ])('%s', (_what, judged) => {
    expect(withoutVaried(judged)).toBe(judged);
  });
});

describe('a response to a varied request tells nothing', () => {
  const around = 'a request that was varied to get around the limit';
  const open = { ...plain, acceptable: [] };
  const ofLimit = { ...WRONG, requirement: 'service.http' };

  test.each<[what: string, judged: Judged, inconclusive: object]>([
    ['if it is rejected', wrong({ ...forwarded, ...got(400) }), { reason: `the service rejects ${around}` }],
    [
      'if it is answered in another way',
      wrong({ ...forwarded, ...got(302) }),
      { reason: `the service rejects ${around}` },
    ],
    [
      'if nothing came',
      wrong(forwarded, plain, [ofLimit, WRONG]),
      { reason: `no response came to ${around}`, cause: 'service.http' },
    ],
    [
      'if nothing came, whatever the reason',
      wrong(forwarded, plain, []),
      { reason: `no response came to ${around}` },
    ],
    [
      'if a service may refuse it, and does',
      wrong({ ...lenient, ...got(400) }),
      { reason: 'the service rejects a request that was varied' },
    ],
    [
      'if it is rejected where every response is right',
      judgedOf(open, exchangeOf(open, { ...forwarded, ...got(400) })),
      { reason: `the service rejects ${around}` },
    ],
    [
      'if what rides along may be refused',
      wrong({ variations: ['text-length'], ...got(400) }, open),
      { reason: 'the service rejects a request that was varied' },
    ],
  ])('%s', (_what, judged, inconclusive) => {
    expect(withoutVaried(judged)).toMatchObject({ outcome: 'inconclusive', deviations: [], inconclusive });
    expect(withoutVaried(judged)).toHaveProperty('inconclusive', inconclusive);
  });
});

describe('what is wrong with a refusal of a varied request is held against the service if it sent the refusal', () => {
  const probe = probeNamed('listPets:limit=wrong-type');
  const RESET = 'X-RateLimit-Reset';
  const absent: Deviation = {
    ...{ requirement: RESET, kind: 'header', headers: [RESET] },
    ...{ reason: `${RESET} is absent`, expected: RESET, received: `no ${RESET} header` },
  };
  const refused = (headers: [string, string][], change: Partial<Judged> = {}) => {
    const response = { ...responseTo('listPets', { status: 400 }), headers };
    const exchange = exchangeOf(probe, { ...lenient, response });
    return withoutVaried(judgedOf(probe, exchange, { deviations: [absent], ...change }));
  };
  const limited: [string, string][] = [['x-ratelimit-limit', '60']];

  test('it did if a header of each of its responses is there, and still the request was refused', () => {
    expect(refused(limited)).toMatchObject({ outcome: 'inconclusive', deviations: [absent] });
  });

  test.each<[what: string, judged: Judged]>([
    ['without such a header', refused([['Server', 'gateway']])],
    ['if its status is wrong', refused(limited, { outcome: 'deviant' })],
  ])('a gateway may have sent it %s', (_what, judged) => {
    expect(judged).toMatchObject({ outcome: 'inconclusive', deviations: [] });
  });
});
