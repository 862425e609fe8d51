import { describe, expect, test } from 'vitest';
import { contract, exchangeOf, judgedOf, probeNamed, responseTo } from '../../test/exchanges/exchanges.ts';
import type { HeaderLine, Received } from '../model/exchange.ts';
import { type Deviation, type Finding, met, notTested, violated } from '../model/finding.ts';
import type { Judged } from './evidence/judged.ts';
import { rootCauseOf } from './root-cause.ts';

const deviationOf = (requirement: string, kind: Deviation['kind'] = 'status'): Deviation => ({
  ...{ requirement, kind, reason: `${requirement} is wrong`, expected: 'this', received: 'that' },
});

/** A judged response to a probe. */
function responded(id: number, name: string, response: Received, deviations: Deviation[] = []): Judged {
  const probe = probeNamed(name);
  return judgedOf(probe, exchangeOf(probe, { id, response }), { deviations });
}

const down: Received = { status: 503, headers: [], body: '' };

describe('where all operations at the base address fail alike', () => {
  /** Two operations that fail, one of them twice, and one at another address that is found wrong in another way. */
  const judged = [
    responded(1, 'listPets:plain', down),
    responded(2, 'createPet:minimal', down),
    responded(3, 'listPets:plain', down),
    responded(4, 'sendMessage:minimal', responseTo('sendMessage'), [deviationOf('shown.elsewhere')]),
  ];
  const fingerprint = (...at: string[]) => ({ what: '', kind: 'meaning', at }) as const;
  const meaning = (requirement: string, ...seen: ReturnType<typeof fingerprint>[]) =>
    violated(deviationOf(requirement, 'meaning'), [1], seen);

  test('what only such responses show is a consequence, and what could not be tested for that', () => {
    const findings: Record<string, Finding> = {
      shown: violated(deviationOf('shown'), [1, 2]),
      'shown.elsewhere': violated(deviationOf('shown.elsewhere'), [1, 2]),
      'shown.by-another': violated(deviationOf('shown.by-another'), [1, 4]),
      'shown.by-none': violated(deviationOf('shown.by-none'), []),
      'told.by-responses': meaning('told.by-responses', fingerprint('listPets:plain 503'), fingerprint()),
      'told.by-none': meaning('told.by-none', fingerprint()),
      'in-order': met([1, 2]),
      consequence: notTested('blocked', '', 'shown'),
      'further.consequence': notTested('blocked', '', 'consequence'),
      'other.consequence': notTested('blocked', '', 'shown.by-another'),
      'not-planned': notTested('not-planned', ''),
    };
    expect(rootCauseOf(judged, findings, contract)?.requirements).toEqual([
      'shown',
      'told.by-responses',
      'consequence',
      'further.consequence',
    ]);
  });

  test('the first exchange of each operation shows it', () => {
    const findings = { shown: violated(deviationOf('shown'), [1]) };
    expect(rootCauseOf(judged, findings, contract)).toMatchObject({ kind: 'status', evidence: [1, 2] });
  });

  test.each<[what: string, names: string[]]>([
    ['nothing was asked', []],
    ['one operation alone was asked', ['listPets:plain']],
    ['one operation alone was asked, in several ways', ['listPets:plain', 'listPets:limit=minimum']],
    ['the others were asked with a wrong key', ['listPets:plain', 'createPet:key-absent']],
    ['only messages were sent', ['sendMessage:minimal', 'sendMessage:key-absent']],
  ])('nothing is said of all operations if %s', (_what, names) => {
    const failing = names.map((name, index) => responded(index + 1, name, down));
    const findings = { shown: violated(deviationOf('shown'), [1]) };
    expect(rootCauseOf(failing, findings, contract)).toBeUndefined();
  });
});

describe('where all operations at the base address lack the same headers', () => {
  const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const [LIMIT = '', REMAINING = '', RESET = ''] = HEADERS;
  const without = (operation: string, status: number, ...lacking: string[]): Received => {
    const response = responseTo(operation, { status });
    const headers = response.headers.filter(([name]: HeaderLine) => !lacking.includes(name));
    return { ...response, headers };
  };
  const violations = (...ids: string[]) =>
    Object.fromEntries(ids.map((id) => [id, violated(deviationOf(id, 'header'), [1, 2])]));
  const causeOf = (findings: Record<string, Finding>, ofMessages: readonly string[], lacking = HEADERS) =>
    rootCauseOf(
      [
        responded(1, 'listPets:plain', without('listPets', 200, ...lacking)),
        responded(2, 'createPet:minimal', without('createPet', 201, ...lacking)),
        responded(3, 'sendMessage:minimal', without('sendMessage', 200, ...ofMessages)),
      ],
      findings,
      contract,
    );

  test.each<[what: string, ofMessages: string[], where: string, evidence: number[]]>([
    ['the others as well', HEADERS, '', [1, 2, 3]],
    ['the others do not', [], ' at the base address', [1, 2]],
    ['the others lack some of them', [LIMIT], ' at the base address', [1, 2]],
  ])('that is said of those that lack all of them: %s', (_what, ofMessages, where, evidence) => {
    expect(causeOf(violations(...HEADERS), ofMessages)).toMatchObject({
      statement: `every operation in this run${where} responds without ${LIMIT}, ${REMAINING} and ${RESET}`,
      ...{ kind: 'headers', evidence, requirements: HEADERS },
    });
  });

  test.each<[what: string, findings: Record<string, Finding>, explained: string[] | undefined]>([
    ['one that is violated', violations(LIMIT, 'Pet.id'), [LIMIT]],
    [
      'one that is violated, not one that could not be tested for another reason',
      { ...violations(LIMIT), [REMAINING]: notTested('inconclusive', 'a 429 came') },
      [LIMIT],
    ],
    [
      'one that is violated, and what could not be tested for it',
      { ...violations(LIMIT), 'rate.window': notTested('blocked', '', LIMIT) },
      [LIMIT, 'rate.window'],
    ],
    ['nothing, if no requirement of these headers is violated', violations('Pet.id'), undefined],
  ])('it explains %s', (_what, findings, explained) => {
    expect(causeOf(findings, HEADERS)?.requirements).toEqual(explained);
  });

  test('nothing is said where each has its headers', () => {
    expect(causeOf(violations('Pet.id'), [], [])).toBeUndefined();
  });
});
