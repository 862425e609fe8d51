import { generateKeyPairSync } from 'node:crypto';
import { certificateOf } from '../../src/certificate/issue.ts';
import { readCertificate } from '../../src/certificate/read.ts';
import { seal } from '../../src/certificate/signing.ts';
import {
  type CertifiedArtifact,
  type Statement,
  serialized,
  sha256,
} from '../../src/certificate/statement.ts';
import { type Criteria, problemsOf } from '../../src/certificate/verify.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { contract, sampleRun } from '../reports/sample-runs.ts';

export const { privateKey, publicKey } = generateKeyPairSync('ed25519');
export const stranger = generateKeyPairSync('ed25519');
export const image: CertifiedArtifact = {
  name: 'registry.example.com/store',
  digest: { sha256: 'ab'.repeat(32) },
};
export const options = {
  ...DEFAULT_OPTIONS,
  baseUrl: 'https://staging.example.com/v1',
  apiUrl: 'https://messages.example.com',
  apiKey: 'a-secret-key',
  headers: [['X-Gateway', 'a-secret-header']] as const,
  // Whatever options there will be: none is public until it is said to be.
  network: { client: { certificate: 'mine', key: 'a-secret-key' } },
};
export const { report } = await sampleRun();
export const reportFile = serialized(report);
const wanted = { options, subjects: [image], reportDigest: sha256(reportFile) };
export const signed = certificateOf(contract, report, { ...wanted, key: privateKey }).file;
export const unsigned = certificateOf(contract, report, wanted).file;

export function criteria(more: Partial<Criteria> = {}): Criteria {
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
export function refusals(file: Buffer, more: Partial<Criteria> = {}): string[] {
  const certificate = readCertificate(file);
  return typeof certificate === 'string' ? [certificate] : problemsOf(certificate, criteria(more));
}

export const parsed = (file: Buffer) => JSON.parse(file.toString());
export const statementIn = (file: Buffer): Statement => parsed(Buffer.from(parsed(file).payload, 'base64'));

/** A certificate whose statement was changed before it was signed by whoever has the key. */
export function forged(from: string | RegExp, to: string): Buffer {
  const text = Buffer.from(parsed(signed).payload, 'base64').toString();
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`the statement has no ${from}`);
  return serialized(seal(Buffer.from(changed), privateKey));
}
