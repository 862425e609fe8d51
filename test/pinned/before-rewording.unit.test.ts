import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readCertificate } from '../../src/certificate/read.ts';
import { type Criteria, problemsOf } from '../../src/certificate/verify.ts';
import { loadContract, readSources } from '../../src/contract/load.ts';
import type { Contract } from '../../src/model/contract.ts';
import { packageVersion } from '../../src/model/package-root.ts';
import type { Report } from '../../src/model/report/report.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { compareReports } from '../../src/report/compare/compare.ts';
import { ledgerOptions, planAgain, rejudge } from '../../src/run/judging/rejudge.ts';
import { exchangesOf, readLedger } from '../../src/session/ledger/ledger.ts';
import { allChecks } from '../../suites/index.ts';
import { sampleRun } from '../reports/sample-runs.ts';

// Users have files from before the requirements were reworded. They remain valid.

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../data/0.2.0-before-rewording/${name}`, import.meta.url));
const dataOf = (name: string) => JSON.parse(readFileSync(pathOf(name), 'utf8'));
const contract = loadContract();

const ledger = pathOf('ledger.jsonl');

/** What a contract says about the run: the status of each requirement. */
function statusesBy(by: Contract): Record<string, string> {
  const checks = allChecks(by).filter(({ requirement }) =>
    by.requirements.some(({ id }) => id === requirement),
  );
  const report = assemble(
    { contract: by, checks },
    rejudge(by, checks, readLedger(ledger)),
    exchangesOf(ledger),
    planAgain(by, checks, ledgerOptions(readLedger(ledger))),
  );
  return Object.fromEntries(report.requirements.map(({ id, status }) => [id, status]));
}

test('a ledger is judged as it was by its own set', () => {
  expect(statusesBy(loadContract(readSources(), '0.2.0'))).toEqual(dataOf('statuses.json'));
});

test('a ledger is also judged by newer requirements, and by the others as it was', () => {
  // Remaining is above the limit in this run, so it cannot be compared with what is left.
  const newer = { 'rate-limit.count': 'not-tested' };
  expect(statusesBy(contract)).toMatchObject({ ...dataOf('statuses.json'), ...newer });
});

test('a ledger of another interface is rejected', () => {
  const [header, ...rest] = [...readLedger(ledger)] as Record<string, unknown>[];
  const other = [{ ...header, specDigest: 'ab'.repeat(32) }, ...rest];
  expect(() => rejudge(contract, allChecks(contract), other)).toThrow('another version of the interface');
});

test('a signed certificate holds', () => {
  const certificate = readCertificate(readFileSync(pathOf('certificate.json')));
  if (typeof certificate === 'string') throw new Error(certificate);
  const criteria: Criteria = {
    keys: [createPublicKey(readFileSync(pathOf('verify.pem')))],
    subjects: [],
    allowsReference: true,
    maxAge: 1,
    now: Date.parse(certificate.certified.target.startedAt),
    version: packageVersion,
    contractOf: (set) => loadContract(readSources(), set),
  };
  expect(certificate.certified.suite.specDigest).not.toBe(contract.digest);
  expect(problemsOf(certificate, criteria)).toEqual([]);
});

test('a report that differs only in the wording is the same', async () => {
  const { report } = await sampleRun();
  const pinned = new Map(
    dataOf('../../pinned/pinned-requirements.json').map(
      ({ id, statement }: { id: string; statement: string }) => [id, statement],
    ),
  );
  const before = {
    ...report,
    requirements: report.requirements.map((each) => ({ ...each, statement: pinned.get(each.id) })),
  } as Report;
  const { rows } = compareReports([
    { name: 'before', report: before },
    { name: 'after', report },
  ]);
  expect(rows.filter(({ difference }) => difference !== 'same')).toEqual([]);
});
