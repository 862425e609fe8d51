import { createHash } from 'node:crypto';
import type { Contract, Requirement } from '../model/contract.ts';
import type { Report } from '../model/report/report.ts';
import type { SelfCheckProof } from '../selfcheck/proof.ts';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/** The part of in-toto's ResourceDescriptor v1 that petspec uses. */
export interface ResourceDescriptor {
  name: string;
  uri?: string;
  mediaType?: string;
  digest?: Readonly<Record<string, string>>;
  /** Base64. */
  content?: string;
  annotations?: Readonly<Record<string, unknown>>;
}

/** In-toto Statement v1 with the predicate test-result v0.1. */
export interface Statement {
  _type: typeof STATEMENT_TYPE;
  subject: readonly (ResourceDescriptor & CertifiedArtifact)[];
  predicateType: typeof PREDICATE_TYPE;
  predicate: {
    result: 'PASSED' | 'WARNED' | 'FAILED';
    configuration: readonly ResourceDescriptor[];
    passedTests: readonly string[];
    warnedTests: readonly string[];
    failedTests: readonly string[];
  };
}

/** A certified artifact, such as a container image. */
export interface CertifiedArtifact {
  name: string;
  digest: Readonly<Record<string, string>>;
}

/** The service that was judged. It is the subject if no artifact is named. */
export interface CertifiedTarget {
  kind: 'service' | 'bundled reference';
  baseUrl: string;
  apiUrl: string | null;
  plan: string | null;
  /** Whether its TLS certificate was not verified. */
  insecure?: boolean;
  /** ISO 8601. */
  startedAt: string;
  finishedAt: string;
}

/** The contents of a certificate. */
export interface Certified {
  /** Empty: the target is the subject. */
  subjects: readonly CertifiedArtifact[];
  target: CertifiedTarget;
  /** The options of the run, without secrets. */
  options: Readonly<Record<string, unknown>>;
  suite: Omit<Report['suite'], 'name'>;
  /** The self-check of the petspec that judged. Absent from older certificates, and if the user named the interface. */
  selfCheck?: SelfCheckProof | undefined;
  /** SHA-256 of report.json, hexadecimal. */
  reportDigest: string;
  passed: readonly string[];
  warned: readonly string[];
  /** The passed requirements that were not exercised. */
  unexercised: readonly string[];
}

/** The results of the judged requirements. What the interface leaves open is not judged. */
export function resultsOf({ requirements }: Pick<Report, 'requirements'>) {
  const judged = requirements.filter(isJudged);
  const passed = judged.filter(({ status }) => status === 'met');
  return {
    passed: passed.map(({ id }) => id),
    warned: judged.filter(({ status }) => status !== 'met').map(({ id }) => id),
    unexercised: passed.filter(({ exercised }) => !exercised).map(({ id }) => id),
  };
}

/** Whether a requirement is judged. Requirements of level open are only observed. */
export function isJudged({ level }: Pick<Requirement, 'level'>): boolean {
  return level !== 'open';
}

/**
 * The statement of a certificate. The same contents give the same bytes.
 * @param contract the requirements that the run was judged by
 */
export function statementOf(contract: Pick<Contract, 'requirements'>, certified: Certified): Statement {
  const { subjects, suite, passed, warned, unexercised } = certified;
  const target = document('target', certified.target);
  const levels = ['must', 'should', 'open'].map((level) => [
    level,
    contract.requirements.filter((requirement) => requirement.level === level).length,
  ]);
  return {
    _type: STATEMENT_TYPE,
    subject: subjectsOf(certified),
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        target,
        document('options', { petspec: suite.version, ...certified.options, subject: subjects }),
        { name: 'petspec', uri: `pkg:npm/petspec@${suite.version}` },
        {
          name: 'interface',
          digest: { sha256: suite.specDigest },
          annotations: { version: suite.specVersion },
        },
        {
          name: 'requirements',
          digest: { sha256: suite.set.digest },
          annotations: {
            version: suite.set.version,
            count: suite.set.requirements,
            ...Object.fromEntries(levels),
            unexercised,
          },
        },
        ...(certified.selfCheck ? [selfCheckPart(certified.selfCheck)] : []),
        { name: 'report.json', mediaType: 'application/json', digest: { sha256: certified.reportDigest } },
      ],
      passedTests: passed,
      warnedTests: warned,
      failedTests: [],
    },
  };
}

function selfCheckPart({ digest, ...annotations }: SelfCheckProof): ResourceDescriptor {
  return { name: 'self-check', digest: { sha256: digest }, annotations };
}

/** The subjects of a statement: the named artifacts, or the target if there are none. */
export function subjectsOf({
  subjects,
  target,
}: Pick<Certified, 'subjects' | 'target'>): readonly (CertifiedArtifact & { uri?: string })[] {
  const { baseUrl } = target;
  if (subjects.length > 0) return subjects;
  return [{ name: baseUrl, uri: baseUrl, digest: document('target', target).digest }];
}

/** The bytes that are written and signed. */
export function serialized(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** The SHA-256 of bytes, or of a text in UTF-8: 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A descriptor that contains a small document and its digest. */
function document(name: string, value: unknown) {
  const bytes = serialized(value);
  return {
    name,
    mediaType: 'application/json',
    digest: { sha256: sha256(bytes) },
    content: bytes.toString('base64'),
  };
}
