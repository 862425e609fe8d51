import { describe, expect, test } from 'vitest';
import { contract, probes } from '../test/exchanges/exchanges.ts';
import { findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

test.each(['authentication.key', 'authentication.scheme', 'authentication.first'])(
  '%s: the requests that are about it',
  (requirement) => {
    const shown = probes.filter(({ rule }) => rule === requirement).map(({ id }) => id);
    expect(shown).not.toEqual([]);
    expect(probesFor(requirement)).toEqual(shown);
  },
);

test('the right key is accepted: the plainest request of each operation, and those that may get any other answer', () => {
  const shown = probesFor('authentication.accepted');
  for (const { id } of contract.operations)
    expect(shown.filter((each) => each.startsWith(`${id}:`))).not.toEqual([]);
  expect(shown).toEqual(
    expect.arrayContaining(['createPet:minimal', 'listPets:limit=above', 'getPet:non-integer']),
  );
  expect(shown).not.toContain('listPets:limit=minimum');
  expect(shown).not.toContain('createPet:name-missing');
  expect(shown.filter((each) => each.includes('key-'))).toEqual([]);
});

describe('a 401 has a challenge (RFC 9110 section 11.6.1)', () => {
  const refused = (more: Partial<Sent> = {}): Sent => ({
    ...{ probe: 'listPets:key-absent', status: 401, body: { code: 'c', message: 'm', status: 401 } },
    ...more,
  });

  test.each<[what: string, sent: Sent, expected: object]>([
    [
      'as it should',
      refused({ headers: [['WWW-Authenticate', 'Bearer']] }),
      { status: 'met', exercised: true },
    ],
    [
      'or has none',
      refused(),
      {
        status: 'violated',
        reason: 'a 401 has no challenge',
        expected: 'WWW-Authenticate: Bearer',
        received: 'no WWW-Authenticate header',
        headers: ['WWW-Authenticate'],
      },
    ],
    ['another status needs none', refused({ status: 200, body: [] }), { status: 'not-tested' }],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('authentication.challenge', [sent])).toMatchObject(expected);
  });

  test('whatever is wrong with the key', () => {
    expect(probesFor('authentication.challenge')).toEqual(
      probes.filter(({ key }) => key !== 'valid').map(({ id }) => id),
    );
  });
});

test.each([
  ['open.key-origin', 'the platform issues keys, outside this interface'],
  ['open.ban', 'petspec sends nothing while a window is closed, so it is never banned'],
])('no response shows %s', (requirement, observed) => {
  expect(findingOf(requirement, [])).toMatchObject({ status: 'observed', observed });
});
