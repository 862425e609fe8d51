import { describe, expect, test, vi } from 'vitest';
import {
  criteria,
  forged,
  parsed,
  publicKey,
  refusals,
  report,
  reportFile,
  signed,
  stranger,
  unsigned,
} from '../../test/certificates/sealed-certificates.ts';
import { contract } from '../../test/reports/sample-runs.ts';
import { loadContract, readSources } from '../contract/load.ts';
import { meaningOf } from './meaning.ts';
import { readCertificate } from './read.ts';
import { fingerprintOf, seal } from './signing.ts';
import { serialized } from './statement.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

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
    const isWithinPayload = byte > from && byte < to - 1;
    // The signature covers the payload, so a bit here and there will do.
    if (isWithinPayload && byte % 7 > 0) continue;
    const bits = isWithinPayload ? [byte % 8] : [0, 1, 2, 3, 4, 5, 6, 7];
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
    'it is 31 days old; the maximum age is 30 days',
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
  expect(meaningOf(certificate, criteria(later), newer).doesNot.join('\n')).toContain('listPets.sorted');
});
