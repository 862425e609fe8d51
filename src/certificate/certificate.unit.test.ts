import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { contract, sampleRun } from '../../test/sample-runs.ts';
import { throughInToto } from '../../test/schemas/in-toto.ts';
import { loadContract, readSources } from '../contract/load.ts';
import type { Report } from '../model/report/report.ts';
import { DEFAULT_OPTIONS } from '../run/options.ts';
import { seal } from './envelope.ts';
import { certificateOf, certificateProblem } from './issue.ts';
import { fingerprintOf } from './keys.ts';
import { meaningOf } from './meaning.ts';
import { readCertificate } from './read.ts';
import { type Statement, type Subject, serialized, sha256 } from './statement.ts';
import { problemsOf, type Yardstick } from './verify.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const image: Subject = { name: 'registry.example.com/store', digest: { sha256: 'ab'.repeat(32) } };
const options = {
  ...DEFAULT_OPTIONS,
  baseUrl: 'https://staging.example.com/v1',
  apiUrl: 'https://messages.example.com',
  apiKey: 'a-secret-key',
  headers: [['X-Gateway', 'a-secret-header']] as const,
  // Whatever options there will be: none is public until it is said to be.
  network: { client: { certificate: 'mine', key: 'a-secret-key' } },
};
let report: Report;
let reportFile: Buffer;
let signed: Buffer;
let unsigned: Buffer;

beforeAll(async () => {
  ({ report } = await sampleRun());
  reportFile = serialized(report);
  const wanted = { options, subjects: [image], reportDigest: sha256(reportFile) };
  signed = certificateOf(contract, report, { ...wanted, key: privateKey }).file;
  unsigned = certificateOf(contract, report, wanted).file;
}, 60_000);

function yardstick(more: Partial<Yardstick> = {}): Yardstick {
  return {
    keys: [publicKey],
    subjects: [],
    allowsReference: false,
    maxAge: 30,
    now: Date.parse(report.startedAt) + 1000,
    version: report.suite.version,
    contractOf: (set) => (set === contract.set ? contract : undefined),
    ...more,
  };
}

/** Why a file is refused; nothing where it holds. */
function refusals(file: Buffer, more: Partial<Yardstick> = {}): string[] {
  const certificate = readCertificate(file);
  return typeof certificate === 'string' ? [certificate] : problemsOf(certificate, yardstick(more));
}

const parsed = (file: Buffer) => JSON.parse(file.toString());
const statementIn = (file: Buffer): Statement => parsed(Buffer.from(parsed(file).payload, 'base64'));

/** A certificate whose statement was changed before it was signed by whoever has the key. */
function forged(from: string | RegExp, to: string): Buffer {
  const text = Buffer.from(parsed(signed).payload, 'base64').toString();
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  return serialized(seal(Buffer.from(changed), privateKey));
}

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
  expect(refusals(file, { keys: [] })).toEqual([]);
});

/** A copy with one bit changed. */
function flipped(file: Buffer, byte: number, bit: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8((copy[byte] ?? 0) ^ (1 << bit), byte);
  return copy;
}

test('a flipped bit anywhere in a signed certificate is refused, by the public key alone', () => {
  const held: string[] = [];
  const from = signed.indexOf(parsed(signed).payload);
  const to = from + parsed(signed).payload.length;
  for (let byte = 0; byte < signed.length; byte += 1) {
    // Of the payload, which the signature covers, a bit of each byte will do.
    const bits = byte > from && byte < to - 1 ? [byte % 8] : [0, 1, 2, 3, 4, 5, 6, 7];
    for (const bit of bits)
      if (refusals(flipped(signed, byte, bit)).length === 0) held.push(`bit ${bit} of byte ${byte}`);
  }
  expect(held).toEqual([]);
  expect(refusals(signed)).toEqual([]);
});

test('a flipped bit anywhere in an unsigned certificate does not fit the report or the rest of it', () => {
  const held: string[] = [];
  const by = { keys: [], report: reportFile };
  for (let byte = 0; byte < unsigned.length; byte += 1)
    if (refusals(flipped(unsigned, byte, byte % 8), by).length === 0) held.push(`byte ${byte}`);
  expect(held).toEqual([]);
  expect(refusals(unsigned, by)).toEqual([]);
});

test('a flipped bit in the report is refused', () => {
  for (const byte of [0, 1000, reportFile.length - 1])
    expect(refusals(signed, { report: flipped(reportFile, byte, 1) })).toEqual([
      expect.stringContaining('the report'),
    ]);
});

describe('who signed', () => {
  const envelope = () => parsed(signed);
  const other = () =>
    parsed(serialized(seal(Buffer.from(envelope().payload, 'base64'), stranger.privateKey)));

  test('another key, or nobody, is refused', () => {
    expect(refusals(signed, { keys: [stranger.publicKey] })).toEqual([
      expect.stringContaining('did not sign it'),
    ]);
    expect(refusals(unsigned)).toEqual([expect.stringContaining('it is not signed')]);
  });

  test('several may sign; each key that is named has to be among them', () => {
    const both = serialized({ ...envelope(), signatures: [...other().signatures, ...envelope().signatures] });
    expect(refusals(both, { keys: [publicKey, stranger.publicKey] })).toEqual([]);
    expect(refusals(both)).toEqual([]);
    expect(refusals(signed, { keys: [publicKey, stranger.publicKey] })).toEqual([
      expect.stringContaining(fingerprintOf(stranger.publicKey)),
    ]);
  });

  test('both alphabets of base64 are read, and a signature without a keyid', () => {
    const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');
    const [{ sig }] = envelope().signatures;
    const file = { ...envelope(), payload: urlSafe(envelope().payload), signatures: [{ sig: urlSafe(sig) }] };
    expect(refusals(serialized(file))).toEqual([]);
  });

  test.each([
    [
      'base64 that ends otherwise',
      (file: { signatures: { sig: string }[] }) => {
        const [first] = file.signatures;
        // Two padded characters: the last digit before them has four bits that mean nothing.
        if (first)
          first.sig = first.sig.replace(/.==$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`);
      },
    ],
    [
      'another type of payload',
      (file: Record<string, unknown>) => {
        file.payloadType = 'application/json';
      },
    ],
    [
      'a name that DSSE does not have',
      (file: Record<string, unknown>) => {
        file.extra = 1;
      },
    ],
    [
      'no signatures',
      (file: Record<string, unknown>) => {
        file.signatures = [];
      },
    ],
    [
      'no payload',
      (file: Record<string, unknown>) => {
        file.payload = '';
      },
    ],
  ])('%s is refused', (_, spoil) => {
    const file = envelope();
    spoil(file);
    expect(refusals(serialized(file))).not.toEqual([]);
  });
});

/** The set that these certificates are of. */
const { set } = contract;

describe('what whoever holds the key cannot make it say', () => {
  const WITHIN = '[^}]*"sha256": ")[0-9a-f]+';

  test.each<[what: string, from: string | RegExp, to: string, problem: string]>([
    ['that a requirement does not exist', '"listPets.200",', '', 'no result for listPets.200'],
    [
      'one that does not exist',
      '"listPets.200"',
      '"listPets.299"',
      'unknown or duplicate requirements: listPets.299',
    ],
    [
      'one twice',
      '"warnedTests": []',
      '"warnedTests": ["listPets.200"]',
      'unknown or duplicate requirements: listPets.200',
    ],
    ['a smaller set', /"count": \d+/, '"count": 10', `are not those of petspec ${set}`],
    ['another set', new RegExp(`("requirements",${WITHIN}`), '$1aa', `are not those of petspec ${set}`],
    ['a set of the future', `"version": "${set}"`, '"version": "9.9.9"', 'with a newer petspec'],
    ['another interface', new RegExp(`("interface",${WITHIN}`), '$1aa', 'the interface is not that of'],
    [
      'a violation',
      '"failedTests": []',
      '"failedTests": ["listPets.200"]',
      'its result says that requirements are violated',
    ],
    ['another result', '"PASSED"', '"FAILED"', 'its result says that requirements are violated'],
    ['another subject than its options', 'ab'.repeat(32), 'cd'.repeat(32), 'it was changed afterwards'],
    [
      'another target than its digest',
      new RegExp(`("target",${WITHIN}`),
      '$1aa',
      'does not match its digest',
    ],
    ['nothing of what judged', 'pkg:npm/petspec@', 'pkg:npm/other@', 'does not say which petspec'],
    ['another predicate', '/test-result/v0.1', '/test-result/v0.2', 'not a certificate of petspec'],
  ])('%s', (_, from, to, problem) => {
    expect(refusals(forged(from, to)).join('\n')).toContain(problem);
  });

  test.each(['', '{}', '[]', 'null', '{"payload":1}', '\uFEFF{}'])('%j is no certificate', (text) => {
    expect(refusals(Buffer.from(text))).toEqual([expect.any(String)]);
  });
});

test('its age: too old, or of the future, is refused', () => {
  const started = Date.parse(report.startedAt);
  const day = 24 * 60 * 60 * 1000;
  expect(refusals(signed, { now: started + 30 * day })).toEqual([]);
  expect(refusals(signed, { now: started + 31 * day })).toEqual([
    'it is 31 days old; the maximum is 30 (--max-age)',
  ]);
  expect(refusals(signed, { now: started - day })).toEqual([expect.stringContaining('in the future')]);
});

test('a certificate of an older set is verified by a later petspec, whose interface says more', () => {
  const sources = readSources();
  const requirements = `${sources.requirements}\n  - { id: listPets.sorted, level: must, since: 9.0.0, section: a, statement: b }\n`;
  const later = {
    version: '9.0.0',
    contractOf: (asked: string) => loadContract({ ...sources, requirements }, asked),
  };
  expect(refusals(signed, later)).toEqual([]);
  const certificate = readCertificate(signed);
  if (typeof certificate === 'string') throw new Error(certificate);
  const { newer } = later.contractOf(set);
  expect(meaningOf(certificate, yardstick(later), newer).doesNot.join('\n')).toContain('listPets.sorted');
});

test('what it proves, and what it does not', () => {
  const certificate = readCertificate(signed);
  if (typeof certificate === 'string') throw new Error(certificate);
  const { proves, doesNot } = meaningOf(certificate, yardstick({ report: reportFile }), []);
  expect(proves[0]).toContain(`the holder of the key ${fingerprintOf(publicKey)} says`);
  expect(proves.join('\n')).toContain(`${image.name}@sha256:${image.digest.sha256}`);
  expect(doesNot.join('\n')).toContain('you must trust whoever certified it');
  const unchecked = meaningOf(certificate, yardstick({ keys: [] }), []);
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
