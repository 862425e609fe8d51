import { describe, expect, test } from 'vitest';
import { type Attested, attestationOf, trustedRoot } from '../../test/certificates/attested.ts';
import { newKey } from '../../test/certificates/certificates.ts';
import { attestedBy, type Identity, identityProblems, jsonValues } from './identity.ts';

const FILE = Buffer.from('{"a": "certificate"}\n');
const HOUR = 3_600_000;
const MAIN = 'https://github.com/example/store/.github/workflows/certify.yml@refs/heads/main';

const attested = (said: Attested = {}, file: Buffer = FILE) =>
  attestedBy(file, [attestationOf(FILE, said)], [trustedRoot]);

/** What is wrong with an attestation, for a repository. */
async function problems(
  said: Attested,
  repository = 'example/store',
  finishedAt = Date.now(),
): Promise<string[]> {
  const target = { finishedAt: new Date(finishedAt).toISOString() };
  return identityProblems({ target } as never, { repository, attested: await attested(said) });
}

test('the certificate of the signature says what ran, and where', async () => {
  expect(await attested()).toEqual({
    issuer: 'https://token.actions.githubusercontent.com',
    workflow: MAIN,
    repository: 'https://github.com/example/store',
    ref: 'refs/heads/main',
    commit: 'c0ffee'.padEnd(40, '0'),
    runner: 'github-hosted',
    until: expect.any(Number),
    predicateType: 'https://slsa.dev/provenance/v1',
  } satisfies Identity);
});

describe('not attested', () => {
  test.each<[what: string, said: Attested, file: Buffer, why: RegExp]>([
    ['another file', {}, Buffer.from('other'), /^it is about another file$/],
    ['a file of another digest', { about: Buffer.from('other') }, FILE, /^it is about another file$/],
    ['a workflow of an unknown authority', { authority: newKey() }, FILE, /certificate chain/],
    ['an entry that the log does not have', { log: newKey() }, FILE, /inclusion promise/],
  ])('%s', async (_what, said, file, why) => {
    expect(await attested(said, file)).toMatch(why);
  });

  test.each<[what: string, change: (bundle: ReturnType<typeof attestationOf>) => unknown]>([
    ['nothing', () => undefined],
    ['text', () => 'a bundle'],
    [
      'no entry in a log',
      (bundle) => ({ ...bundle, verificationMaterial: { ...bundle.verificationMaterial, tlogEntries: [] } }),
    ],
    [
      'another payload',
      (bundle) => ({
        ...bundle,
        dsseEnvelope: { ...bundle.dsseEnvelope, payload: Buffer.from('{}').toString('base64') },
      }),
    ],
    [
      'a file that is not a certificate',
      ({ verificationMaterial, ...rest }) => ({
        ...rest,
        verificationMaterial: {
          ...verificationMaterial,
          x509CertificateChain: { certificates: [{ rawBytes: 'AAAA' }] },
        },
      }),
    ],
    [
      'a bare key',
      ({ verificationMaterial: { tlogEntries }, ...rest }) => ({
        ...rest,
        verificationMaterial: { publicKey: { hint: 'x' }, tlogEntries },
      }),
    ],
  ])('by a bundle with %s', async (_what, change) => {
    expect(await attestedBy(FILE, [change(attestationOf(FILE))], [trustedRoot])).toEqual(expect.any(String));
  });

  test('by no bundle, or by no root', async () => {
    expect(await attestedBy(FILE, [], [trustedRoot])).toEqual(expect.any(String));
    expect(await attestedBy(FILE, [attestationOf(FILE)], [])).toEqual(expect.any(String));
    expect(await attestedBy(FILE, [attestationOf(FILE)], [{}])).toEqual(expect.any(String));
  });
});

test('one of several bundles, and one of several roots, is enough', async () => {
  const other = { ...trustedRoot, certificateAuthorities: [], tlogs: [] };
  const bundles = [attestationOf(FILE, { about: Buffer.from('other') }), attestationOf(FILE)];
  expect(await attestedBy(FILE, bundles, [other, trustedRoot, other])).toMatchObject({ workflow: MAIN });
});

test.each<[what: string, said: Attested, repository: string | undefined, why: RegExp | undefined]>([
  ['a workflow of the repository', {}, undefined, undefined],
  ['its name in other letters', {}, 'Example/Store', undefined],
  [
    'another repository',
    {},
    'example/other',
    /^it was attested for https:\/\/github\.com\/example\/store, not for example\/other$/,
  ],
  ['a repository whose name begins alike', {}, 'example/sto', /not for example\/sto$/],
  [
    'a workflow of another repository, for this one',
    { workflow: 'https://github.com/stranger/tools/.github/workflows/x.yml@refs/heads/main' },
    undefined,
    /is not a workflow of example\/store$/,
  ],
  [
    'a person',
    { workflow: 'https://github.com/example/store', issuer: 'https://accounts.example.test' },
    undefined,
    /^its attestation is not from GitHub Actions/,
  ],
  [
    'a statement about something else',
    { predicateType: 'https://in-toto.io/attestation/vulns/v0.1' },
    undefined,
    /does not say where the file comes from/,
  ],
])('the repository: %s', async (_what, said, repository, why) => {
  const [first, ...others] = (await problems(said, repository)).filter(
    (each) => !/is not a workflow of example\/(?:other|sto)$/.test(each),
  );
  expect(others).toEqual([]);
  if (why) expect(first).toMatch(why);
  else expect(first).toBeUndefined();
});

test('a run that ended after it was attested', async () => {
  expect(await problems({}, 'example/store', Date.now() + 49 * HOUR)).toEqual([
    expect.stringMatching(/^its run ended at .*, after it was attested$/),
  ]);
});

test.each<[text: string, values: unknown[] | undefined]>([
  ['{"a": 1}', [{ a: 1 }]],
  ['{\n  "a": 1\n}\n', [{ a: 1 }]],
  ['{"a":1}\n\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
  ['', undefined],
  ['{"a":1}\nno', undefined],
  ['0\n'.repeat(21), undefined],
  [`[${'0,'.repeat(20)}0]`, undefined],
])('JSON, or JSON on each line: %j', (text, values) => {
  expect(jsonValues(Buffer.from(text))).toEqual(values);
});
