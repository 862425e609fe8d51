import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCertificate } from '../src/certificate/read.ts';
import { problemsOf } from '../src/certificate/verify.ts';
import { loadContract } from '../src/contract/load.ts';
import { packageRoot, packageVersion } from '../src/model/package-root.ts';
import { rejudge } from '../src/run/rejudge.ts';
import { checks, contract } from './sample-runs.ts';

/** Files of a petspec whose reasons and statements had other words. Users have files like these. */
const read = (name: string) =>
  readFileSync(join(packageRoot, 'test', 'data', '0.2.0-before-rewording', name));

test('an old ledger is judged as it was', () => {
  const lines = read('ledger.jsonl')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { findings } = rejudge(contract, checks, lines);
  const statuses = Object.entries(findings).map(([id, { status }]) => [id, status]);
  expect(Object.fromEntries(statuses)).toEqual(JSON.parse(read('statuses.json').toString()));
});

test('an old certificate holds', () => {
  const certificate = readCertificate(read('certificate.json'));
  if (typeof certificate === 'string') throw new Error(certificate);
  const yardstick = {
    keys: [createPublicKey(read('verify.pem'))],
    subjects: [],
    allowsReference: true,
    maxAge: 30,
    now: Date.parse(certificate.certified.target.finishedAt) + 1000,
    version: packageVersion,
    contractOf: (set: string) => loadContract(undefined, set),
  };
  expect(problemsOf(certificate, yardstick)).toEqual([]);
});
