import type { KeyObject } from 'node:crypto';
import type { Contract } from '../model/contract.ts';
import type { Report, RequirementResult } from '../model/report/report.ts';
import type { RunOptions } from '../run/options.ts';
import { shippedProof } from '../selfcheck/proof.ts';
import { seal } from './signing.ts';
import {
  type Certified,
  type CertifiedArtifact,
  type CertifiedTarget,
  type ResourceDescriptor,
  resultsOf,
  STATEMENT_TYPE,
  serialized,
  sha256,
  statementOf,
  subjectsOf,
} from './statement.ts';

/** Ids that a line names. */
const MAX_NAMED = 5;

/** Why a run cannot be certified; undefined if it can. */
export function certificateProblem(report: Report): string | undefined {
  const { verdict, because, requirements, baseline } = report;
  const untested = requirements.filter(({ level, status }) => level === 'must' && status === 'not-tested');
  if (verdict === 'non-conformant') return because;
  if (report.stopped) return report.stopped.message;
  if (baseline) return `the baseline ${baseline.file} is in use`;
  if (untested.length > 0) return `not tested: ${named(untested)}`;
  return verdict === 'conformant' ? undefined : because;
}

function named(requirements: readonly RequirementResult[]): string {
  const ids = requirements.slice(0, MAX_NAMED).map(({ id }) => id);
  const unnamed = requirements.length - ids.length;
  return `${ids.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`;
}

/** What a certificate needs besides the report. */
export interface Issue {
  options: RunOptions;
  subjects: readonly CertifiedArtifact[];
  /** SHA-256 of report.json, hexadecimal. */
  reportDigest: string;
  /** Private Ed25519 key. Without it, the certificate is not signed. */
  key?: KeyObject | undefined;
}

/** The certificate of a run, the target document whose digest it has, and the summary for other verifiers, as files. */
export function certificateOf(
  contract: Contract,
  report: Report,
  { options, subjects, reportDigest, key }: Issue,
): { file: Buffer; target: Buffer; summary: Buffer } {
  const { name: _name, ...suite } = report.suite;
  const target: CertifiedTarget = {
    kind: options.baseUrl === undefined ? 'bundled reference' : 'service',
    ...report.target,
    startedAt: report.startedAt,
    finishedAt: report.finishedAt,
  };
  const { baseline } = report;
  const judgedBy = { ...publicOptions(options), baseline: baseline !== undefined };
  const selfCheck = contract.file === undefined ? shippedProof(suite.version) : undefined;
  const certified = {
    subjects,
    target,
    options: judgedBy,
    suite,
    ...(selfCheck ? { selfCheck } : {}),
    reportDigest,
    ...resultsOf(report),
  };
  const fileOf = (statement: unknown) => {
    const bytes = serialized(statement);
    return key ? serialized(seal(bytes, key)) : bytes;
  };
  const file = fileOf(statementOf(contract, certified));
  const summary = fileOf(summaryOf(certified, { name: 'certificate', digest: { sha256: sha256(file) } }));
  return { file, target: serialized(target), summary };
}

/** The options in a certificate. An option is only listed if its value cannot be a secret. */
const PUBLIC = [
  'plan',
  'limits',
  'categoryId',
  'sharedKey',
  'readOnly',
  'only',
  'exhaust',
  'insecure',
  'strict',
  'set',
  'timeout',
  'maxWait',
  'maxTime',
  'concurrency',
] as const satisfies readonly (keyof RunOptions)[];

/** The listed options, and the names of the headers without their values. */
function publicOptions(options: RunOptions): Record<string, unknown> {
  const named = PUBLIC.map((name) => [name, options[name]] as const);
  return { ...Object.fromEntries(named), headers: options.headers.map(([name]) => name.toLowerCase()) };
}

/**
 * An in-toto statement with the predicate SVR v0.2 (Simple Verification Result): the properties that the certificate proves,
 * for verifiers that do not know petspec.
 */
export function summaryOf(certified: Certified, certificate: ResourceDescriptor) {
  const { suite, target, warned, selfCheck } = certified;
  return {
    _type: STATEMENT_TYPE,
    subject: subjectsOf(certified),
    predicateType: 'https://in-toto.io/attestation/svr/v0.2',
    predicate: {
      verifier: {
        id: `pkg:npm/petspec@${suite.version}`,
        policies: [
          { name: 'interface', digest: { sha256: suite.specDigest } },
          { name: 'requirements', digest: { sha256: suite.set.digest } },
          certificate,
        ],
      },
      timeCreated: target.finishedAt,
      properties: [
        'PETSPEC_CONFORMANT',
        ...(warned.length === 0 ? ['PETSPEC_WITHOUT_ADVISORIES'] : []),
        ...(selfCheck && selfCheck.found === selfCheck.faults && selfCheck.passed === selfCheck.variants
          ? ['PETSPEC_SELF_CHECK_COMPLETE']
          : []),
      ],
    },
  };
}
