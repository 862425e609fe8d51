import { describe, expect, test } from 'vitest';
import { exchangeOf, probeNamed } from '../../test/exchanges/exchanges.ts';
import { contractOf, operation, requirement, response } from '../../test/operations/operations.ts';
import type { DocumentedResponse, Header } from '../model/contract.ts';
import type { Failure, Received } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { expecting, OPEN } from '../model/http/expectation.ts';
import { whole } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { derivingChecks } from './derived-checks.ts';
import { judgeExchanges } from './judge-exchanges.ts';

const derivedChecks = whole(derivingChecks);

/** A request for the list, and what came back: a status with JSON, unless it says otherwise. */
interface Sent extends Partial<Pick<Probe, 'expectation' | 'stage'>> {
  answer: number | Partial<Received> | Failure;
}

/** What is found about a requirement of a document with these responses to a list, which it may refuse. */
function found(
  id: string,
  responses: readonly DocumentedResponse[],
  sent: readonly Sent[],
): Finding | undefined {
  const listThings = operation({ mayRefuse: true, responses: [...responses] });
  const contract = contractOf([listThings], { requirements: [requirement(id)] });
  const probes = sent.map(
    ({ expectation = expecting(['200']), stage = 'list' }, index): Probe => ({
      ...probeNamed('listPets:plain'),
      ...{ id: `listThings:${index}`, operation: 'listThings', expectation, stage },
    }),
  );
  const exchanges = probes.map((probe, index) => {
    const answer = sent[index]?.answer ?? 200;
    const got = typeof answer === 'number' ? { status: answer } : answer;
    const time = { id: index + 1, sentAt: 10 * index, receivedAt: 10 * index + 5 };
    if ('kind' in got) return exchangeOf(probe, { ...time, failure: got });
    const json = { headers: [['Content-Type', 'application/json'] as const], body: '{}' };
    return exchangeOf(probe, { ...time, response: { status: 200, ...json, ...got } });
  });
  const circumstances = { contract, probes, today: 0, referencesKnown: true };
  const judged = judgeExchanges(exchanges, circumstances);
  const evidence = { ...circumstances, judged, unsent: [], baseUrl: 'http://127.0.0.1/v1', sharedKey: false };
  return derivedChecks(contract)[0]?.judge(evidence);
}

const BODY = {
  mediaType: 'application/json',
  schema: { type: 'object', properties: { code: { type: 'string' } } },
};

/** A response whose body is JSON with a code. */
const listed = (status: string, headers: Header[] = []) =>
  response(status, {
    ...{ requirement: `listThings.${status}`, bodyRequirement: `listThings.${status}.body` },
    ...{ ...BODY, headers },
  });

describe('a field of a body', () => {
  const judged = (status: string, ...answers: Sent['answer'][]) =>
    found(
      `listThings.${status}.body.code`,
      [listed('200'), listed('404')],
      answers.map((answer) => ({ answer })),
    );
  const lost: Failure = { kind: 'refused', phase: 'headers', message: 'connection refused' };
  const page: Partial<Received> = { status: 404, headers: [['Content-Type', 'text/html']], body: '<p>' };

  test('that only errors have is in order where the request was refused in another way', () => {
    expect(judged('404', 403, lost)).toEqual({
      status: 'met',
      exercised: false,
      reason: 'no response could have shown a violation',
      evidence: [1],
    });
  });

  test.each<[what: string, untested: string, status: string, answers: Sent['answer'][]]>([
    ['a success has, and the request was refused', 'inconclusive', '200', [403]],
    ['only errors have, and no response came', 'inconclusive', '404', [lost]],
    ['only errors have, and all that came was the rate limit', 'inconclusive', '404', [429]],
    ['only errors have, and the refusal is a page', 'inconclusive', '404', [page]],
    ['only errors have, and a success came beside no response', 'inconclusive', '404', [200, lost]],
    ['only errors have, and a wrong response may hide it', 'blocked', '404', [403, 500]],
  ])('that %s is not tested: %s', (_what, untested, status, answers) => {
    expect(judged(status, ...answers)).toMatchObject({ status: 'not-tested', untested });
  });
});

describe('a header', () => {
  const schema = { type: 'integer' };
  const header: Header = { name: 'X-Next', required: false, section: '', description: '', schema };
  const judged = (carriers: readonly string[], ...sent: Sent[]) =>
    found('X-Next.schema', [...carriers.map((status) => listed(status, [header])), listed('202')], sent);
  /** A right response that does not have the header. */
  const accepted: Sent = { answer: 202, expectation: expecting(['202']) };

  test.each<[what: string, carriers: string[], wrong: Omit<Sent, 'answer'>]>([
    ['the response that was due', ['200'], {}],
    ['one of the responses that were due', ['200'], { expectation: expecting(['200', '204']) }],
    ['the response that was due, and others', ['200', '404'], {}],
    ['a response to what is not stated', ['200'], { expectation: OPEN }],
    ['all responses of a class', ['4XX'], {}],
    ['all responses that are not listed', ['DEFAULT'], {}],
    ['a 429, when the limit is used up', ['429'], { stage: 'exhaust' }],
    ['a 429, while the limit is used up', ['429'], { stage: 'surplus' }],
  ])('of %s may be hidden by a wrong response', (_what, carriers, wrong) => {
    const finding = judged(carriers, accepted, { answer: 500, ...wrong });
    expect(finding).toMatchObject({ status: 'not-tested', untested: 'blocked' });
  });

  test.each<[what: string, carriers: string[], wrong: Omit<Sent, 'answer'>]>([
    ['another response than the one that was due', ['200'], { expectation: expecting(['404']) }],
    ['a 429, before the limit is used up', ['429'], {}],
    ['a 429, before the limit is used up, to what is not stated', ['429'], { expectation: OPEN }],
  ])('of %s is not hidden by a wrong response', (_what, carriers, wrong) => {
    expect(judged(carriers, accepted, { answer: 500, ...wrong })).toEqual({
      status: 'met',
      exercised: false,
      reason: 'no response could have shown a violation',
      evidence: [1],
    });
  });

  test('that errors alone have is not tested where the request was refused in another way', () => {
    expect(judged(['404'], { answer: 403 })).toMatchObject({
      status: 'not-tested',
      untested: 'inconclusive',
    });
  });
});
