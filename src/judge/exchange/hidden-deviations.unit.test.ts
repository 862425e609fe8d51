import { describe, expect, test } from 'vitest';
import { JSON_HEADERS, RATE_HEADERS } from '../../../test/exchanges/exchanges.ts';
import { type Answers, judge } from '../../../test/exchanges/judged-answers.ts';
import type { Circumstances } from '../evidence/judged.ts';

describe('what is wrong behind what owns an exchange is hidden, and still known', () => {
  const hiddenIn = (answers: Answers, change: Partial<Circumstances> = {}) =>
    judge(answers, change)
      .at(-1)
      ?.hidden.map(({ requirement }) => requirement);
  const page = { headers: RATE_HEADERS.slice(1), body: '<p>' };

  test.each<[what: string, answers: Answers, hidden: string[]]>([
    ['nothing', { 'listPets:plain': 200 }, []],
    [
      'behind a status that was not due: headers and body',
      { 'createPet:minimal': { response: { status: 400, ...page } } },
      ['X-RateLimit-Limit', 'service.content-type', 'service.json', 'Error'],
    ],
    [
      'behind a wrong key that is let in: the list that it gets',
      { 'listPets:key-unknown': { response: { status: 200, body: '[{"id":1}]' } } },
      ['Unauthorized', 'Pet.name', 'Pet.categoryId'],
    ],
    [
      'behind what a control got: the status, too',
      {
        'createPet:minimal': 403,
        'createPet:full-1': { response: { status: 500, headers: JSON_HEADERS.slice(0, 3) } },
      },
      ['createPet.201', 'createPet.responses', 'X-RateLimit-Reset'],
    ],
    [
      'behind a body that is not declared: its shape',
      {
        'getPet:createPet:minimal': { response: { status: 200, headers: RATE_HEADERS, body: '{"id":"1"}' } },
      },
      ['Pet.name', 'Pet.categoryId', 'Pet.id'],
    ],
    [
      'behind no answer: what was due',
      { 'listPets:limit=maximum': { failure: { kind: 'reset', phase: 'headers', message: 'reset' } } },
      ['listPets.limit.maximum', 'listPets.200'],
    ],
    [
      'nothing of what may get this or that, behind no answer',
      { 'createPet:maximum': { failure: { kind: 'reset', phase: 'headers', message: 'reset' } } },
      [],
    ],
  ])('%s', (_what, answers, hidden) => {
    expect(hiddenIn(answers)).toEqual(hidden);
  });

  test('over the limit, all that is wrong with what is not a 429', () => {
    const broken = { response: { status: 503, headers: JSON_HEADERS } };
    const answers = { 'listPets:exhaust': [200, broken] };
    expect(hiddenIn(answers, { limits: { minute: 1 } })).toEqual([
      'listPets.limit.minimum',
      'listPets.200',
      'listPets.responses',
    ]);
  });

  test('what comes instead of a recovery', () => {
    expect(hiddenIn({ 'listPets:recover': 403 })).toEqual(['listPets.limit.minimum', 'listPets.200']);
  });

  test('an animal that is lost though it is listed is not found as it should be: its Error is wrong all the same', () => {
    const list = { response: { body: '[{"id":1,"name":"Rex","categoryId":1}]' } };
    const lost = { response: { status: 404, body: '{"code":"c","message":"m","status":400}' } };
    const read = judge({
      'listPets:plain': list,
      'getPet:listPets:plain': lost,
      'listPets:limit=maximum': list,
    })[1];
    expect(read?.deviations).toMatchObject([{ requirement: 'getPet.200' }]);
    expect(read?.hidden).toMatchObject([{ requirement: 'Error.status' }]);
  });
});
