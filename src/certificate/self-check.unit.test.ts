import { describe, expect, test, vi } from 'vitest';
import { criteria, forged, refusals, report, signed } from '../../test/certificates/sealed-certificates.ts';
import { proofOf, shippedProof } from '../selfcheck/proof.ts';
import { summaryOf } from './issue.ts';
import { meaningOf } from './meaning.ts';
import { type Certificate, readCertificate } from './read.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const proof = shippedProof(report.suite.version);
const certificate = readCertificate(signed) as Certificate;

describe('a certificate names the self-check of the petspec that issued it', () => {
  test('verify says what the suite finds, and what that does not prove', () => {
    expect(certificate.certified.selfCheck).toEqual(proof);
    const { proves, doesNot } = meaningOf(certificate, criteria(), []);
    expect(proves.join('\n')).toContain(`finds ${proof?.found} of ${proof?.faults} faults`);
    expect(doesNot.join('\n')).toContain('a changed one can name any digest');
  });

  test.each([
    ['digest', proof?.digest ?? '', 'ab'.repeat(32)],
    ['figure', `"found": ${proof?.found}`, '"found": 1'],
  ])('another %s than that of its version is refused', (_what, from, to) => {
    expect(refusals(forged(from, to)).join('\n')).toContain('its self-check is not that of petspec');
  });

  test('one of a petspec that is not known here proves nothing of its suite', () => {
    const certified = {
      ...certificate.certified,
      suite: { ...certificate.certified.suite, version: '0.2.9' },
    };
    const { proves, doesNot } = meaningOf({ ...certificate, certified }, criteria(), []);
    expect(proves.join('\n')).not.toContain('self-check');
    expect(doesNot.join('\n')).toContain('does not know the self-check of petspec 0.2.9');
  });
});

const trial = (id: string, violated: string[], problems: string[] = []) => ({
  kind: 'fault' as const,
  id,
  names: ['listPets.limit', 'listPets.page'],
  violated,
  problems,
});

describe('the digest of a self-check', () => {
  const trials = [trial('one', ['listPets.limit']), trial('two', ['listPets.page'])];
  const { digest } = proofOf('0.3.0', 2, trials);

  test('is the same in whichever order the faults were tried', () => {
    expect(proofOf('0.3.0', 2, trials.toReversed()).digest).toBe(digest);
  });

  test.each([
    ['version', proofOf('0.3.1', 2, trials)],
    ['seed', proofOf('0.3.0', 3, trials)],
    [
      'requirement that found a fault',
      proofOf(
        '0.3.0',
        2,
        [trials[0], trial('two', ['listPets.limit'])].flatMap((each) => each ?? []),
      ),
    ],
    ['fault that was not found', proofOf('0.3.0', 2, [trial('one', [], ['not found']), ...trials.slice(1)])],
  ])('differs with another %s', (_what, other) => {
    expect(other.digest).not.toBe(digest);
  });

  test('counts what was found', () => {
    const { faults, found } = proofOf('0.3.0', 2, [trial('one', [], ['not found']), ...trials.slice(1)]);
    expect([faults, found]).toEqual([2, 1]);
  });
});

test('the summary for other verifiers is an in-toto SVR that points to the certificate and lists only what holds', () => {
  const pointer = { name: 'certificate', digest: { sha256: 'cd'.repeat(32) } };
  const summary = summaryOf(certificate.certified, pointer);
  expect(summary._type).toBe('https://in-toto.io/Statement/v1');
  expect(summary.predicateType).toBe('https://in-toto.io/attestation/svr/v0.2');
  expect(summary.subject).toEqual(certificate.certified.subjects);
  expect(summary.predicate.verifier.id).toBe(`pkg:npm/petspec@${report.suite.version}`);
  expect(summary.predicate.verifier.policies).toContainEqual(pointer);
  expect(summary.predicate.properties).toContain('PETSPEC_SELF_CHECK_COMPLETE');
  const incomplete = { ...certificate.certified, selfCheck: proof && { ...proof, found: 1 } };
  expect(summaryOf(incomplete, pointer).predicate.properties).not.toContain('PETSPEC_SELF_CHECK_COMPLETE');
});
