import type { KeyObject } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { describe, expect, test, vi } from 'vitest';
import {
  criteria,
  image,
  options,
  parsed,
  publicKey,
  refusals,
  report,
  reportFile,
  signed,
  statementIn,
  stranger,
  unsigned,
} from '../../test/certificates/sealed-certificates.ts';
import { contract, sampleRun } from '../../test/reports/sample-runs.ts';
import { throughInToto } from '../../test/schemas/in-toto.ts';
import { certificateOf, certificateProblem } from './issue.ts';
import { meaningOf } from './meaning.ts';
import { readCertificate } from './read.ts';
import { fingerprintOf } from './signing.ts';
import { serialized, sha256 } from './statement.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Sigstore's verifier, given the public key alone. */
function bySigstore(file: Buffer, key: KeyObject = publicKey) {
  const bundle = bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: 'key' }, tlogEntries: [] },
    dsseEnvelope: parsed(file),
  });
  const roots = {
    mediaType: '',
    tlogs: [],
    certificateAuthorities: [],
    ctlogs: [],
    timestampAuthorities: [],
  };
  const trust = toTrustMaterial(roots, {
    key: { rawBytes: key.export({ type: 'spki', format: 'der' }), keyDetails: 0 } as never,
  });
  const thresholds = { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 };
  return new Verifier(trust, thresholds).verify(toSignedEntity(bundle));
}

test('a DSSE verifier that is not ours accepts the envelope, and refuses it by another key', () => {
  expect(() => bySigstore(signed)).not.toThrow();
  expect(() => bySigstore(signed, stranger.publicKey)).toThrow('signature verification failed');
});

test('a parser of in-toto that is not ours reads the statement, and finds nothing in it that it does not know', () => {
  const statement = statementIn(signed);
  const { failedTests, warnedTests, ...predicate } = statement.predicate;
  // Protobuf leaves out lists that are empty.
  expect({ failedTests, warnedTests }).toEqual({ failedTests: [], warnedTests: [] });
  expect(throughInToto(statement)).toEqual({ ...statement, predicate });
  expect(() => throughInToto({ ...statement, extra: 1 } as never)).toThrow();
});

test('the statement says what was certified, by what, and of how many requirements', () => {
  const statement = statementIn(signed);
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [image],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: { result: 'PASSED', failedTests: [] },
  });
  const { configuration, passedTests, warnedTests } = statement.predicate;
  const named = Object.fromEntries(configuration.map((each) => [each.name, each]));
  expect(named.interface?.digest).toEqual({ sha256: report.suite.specDigest });
  expect(named['report.json']?.digest).toEqual({ sha256: sha256(reportFile) });
  expect(named.requirements?.annotations).toMatchObject({
    version: contract.set,
    count: contract.requirements.length,
  });
  const judged = contract.requirements.filter(({ level }) => level !== 'open').map(({ id }) => id);
  expect([...passedTests, ...warnedTests].sort()).toEqual(judged.sort());
  expect(unsigned.equals(serialized(statement))).toBe(true);
});

test('without a subject the target stands for itself, in a file that has its digest', () => {
  const { file, target } = certificateOf(contract, report, {
    options,
    subjects: [],
    reportDigest: sha256(reportFile),
  });
  expect(parsed(file).subject).toEqual([
    { name: report.target.baseUrl, uri: report.target.baseUrl, digest: { sha256: sha256(target) } },
  ]);
  expect(parsed(target)).toMatchObject({ ...report.target, kind: 'service', startedAt: report.startedAt });
  expect(refusals(file, { keys: [] })).toEqual([]);
});

test('neither the key, nor values of headers, nor options that nobody said are public, are in it', () => {
  for (const file of [unsigned, Buffer.from(parsed(signed).payload, 'base64')]) {
    const contents =
      file.toString() +
      statementIn(signed)
        .predicate.configuration.map(({ content = '' }) => Buffer.from(content, 'base64'))
        .join('');
    expect(contents).not.toContain('a-secret');
    expect(contents).toContain('x-gateway');
  }
});

test('advice is a warning', async () => {
  const advised = await sampleRun({ faults: ['fetch-sunset-month'] });
  expect(advised.report.summary.advisory).toBe(1);
  const { file } = certificateOf(contract, advised.report, { options, subjects: [], reportDigest: 'aa' });
  expect(parsed(file).predicate).toMatchObject({ result: 'WARNED', warnedTests: [expect.any(String)] });
  const now = Date.parse(advised.report.startedAt) + 1000;
  expect(refusals(file, { keys: [], now })).toEqual([]);
});

test('what it proves, and what it does not', () => {
  const certificate = readCertificate(signed);
  if (typeof certificate === 'string') throw new Error(certificate);
  const { proves, doesNot } = meaningOf(certificate, criteria({ report: reportFile }), []);
  expect(proves[0]).toContain(`the holder of the key ${fingerprintOf(publicKey)} says`);
  expect(proves.join('\n')).toContain(`${image.name}@sha256:${image.digest.sha256}`);
  expect(doesNot.join('\n')).toContain('you must trust whoever certified it');
  const unchecked = meaningOf(certificate, criteria({ keys: [] }), []);
  expect(unchecked.proves[0]).toContain('somebody, whose signature was not checked, says');
  expect(unchecked.doesNot.join('\n')).toContain('anybody can write such a file');
});

describe('no certificate', () => {
  test.each([
    ['a violation', { faults: ['list-one-too-many'] }, '1 requirement violated'],
    ['an interruption', { interruptAfter: 20 }, 'the run was interrupted'],
    ['a narrowed run', { options: { readOnly: true } }, 'not tested: '],
  ])('of %s', async (_, sample, why) => {
    const { report: run } = await sampleRun(sample);
    expect(certificateProblem(run)).toContain(why);
  });

  test('of a run with a baseline', () => {
    const baseline = {
      file: 'known.yaml',
      outcome: 'exact' as const,
      known: [],
      stale: [],
      unjudged: [],
      unknown: [],
    };
    expect(certificateProblem(report)).toBeUndefined();
    expect(certificateProblem({ ...report, baseline })).toBe('the baseline known.yaml is in use');
  });

  test('of a requirement that was not tested, for whatever reason', () => {
    const untested = report.requirements.map((each) =>
      each.id === 'listPets.page' ? { ...each, status: 'not-tested' as const } : each,
    );
    expect(certificateProblem({ ...report, requirements: untested })).toBe('not tested: listPets.page');
  });
});
