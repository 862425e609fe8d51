import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  compareVersions,
  FIRST_SET,
  isDigestOfInterface,
  isDigestOfSet,
  isVersion,
} from '../contract/sets.ts';
import type { Contract } from '../model/contract.ts';
import type { Sensitivity } from '../model/report/coverage.ts';
import { counted } from '../model/report/report.ts';
import { shippedProof } from '../selfcheck/proof.ts';
import { identityProblems, type WantedIdentity } from './identity.ts';
import { type Certificate, contradictionsOf } from './read.ts';
import { fingerprintOf, isSignedBy } from './signing.ts';
import {
  type Certified,
  type CertifiedArtifact,
  isJudged,
  serialized,
  sha256,
  statementOf,
} from './statement.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far in the future a run may have started, in ms, because clocks differ. */
const MAX_FUTURE_MS = 5 * 60 * 1000;

/** A subject by its name, by its digest, or by both. */
export type SubjectPattern = Partial<CertifiedArtifact>;

/** What a certificate is verified against. */
export interface Criteria {
  /** All of them must have signed. */
  keys: readonly KeyObject[];
  identity?: WantedIdentity | undefined;
  /** The bytes of the report that the certificate must match. */
  report?: Uint8Array | undefined;
  /** The least share of known faults that its run must have been able to show, in percent, and the figures of its report. */
  sensitivity?: { least: number; of: Sensitivity | undefined } | undefined;
  /** Base URL of the service that the certificate must be for. */
  target?: string | undefined;
  /** Each must match one of its subjects. */
  subjects: readonly SubjectPattern[];
  /** Whether a certificate of the bundled reference is accepted. */
  allowsReference: boolean;
  /** Maximum age in days. */
  maxAge: number;
  /** ms since the epoch. */
  now: number;
  version: string;
  /**
   * The contract with a set of requirements; undefined if this petspec does not have the set. Null if the interface is
   * unknown: then the requirements are not checked.
   */
  contractOf: ((set: string) => Contract | undefined) | null;
  /** The interface that the user named; undefined for the bundled interface. */
  interface?: string | undefined;
}

/** Why a certificate is refused, one line per reason; empty if it is valid. */
export function problemsOf(certificate: Certificate, criteria: Criteria): string[] {
  const { certified } = certificate;
  const { suite } = certified;
  const contract = criteria.contractOf?.(suite.set.version);
  return [
    ...signatureProblems(certificate, criteria),
    ...(criteria.identity ? identityProblems(certified, criteria.identity) : []),
    ...targetProblems(certified, criteria),
    ...subjectProblems(certificate, criteria),
    ...versionProblems(certified, contract, criteria),
    ...interfaceProblems(certificate, contract, criteria),
    ...selfCheckProblems(certified),
    ...reportProblems(certified, criteria),
    ...sensitivityProblems(criteria),
    ...ageProblems(certified, criteria),
  ];
}

/** Problems with the interface and the requirements. For another interface, the requirements cannot be compared. */
function interfaceProblems(
  certificate: Certificate,
  contract: Contract | undefined,
  criteria: Criteria,
): string[] {
  if (contract && !isOfInterface(certificate, contract, contract)) return [otherInterface(criteria)];
  return [
    ...contradictionsOf(certificate, contract ?? { operations: [] }),
    ...(contract ? setProblems(certificate, contract, criteria) : resultProblems(certificate)),
  ];
}

/** A hint for certificates that may be for the user's own interface. */
const OR_YOUR_OWN = '; if it is for an interface of your own, name that with --interface';

function otherInterface({ interface: named }: Criteria): string {
  return named === undefined
    ? `it is not for the bundled interface${OR_YOUR_OWN}`
    : `it is not for the interface ${named}, or for another version of it; name the one of its run with --interface`;
}

/**
 * Whether a certificate is for the interface of a contract: by the digest of the interface or of the requirements, because
 * some versions of petspec computed another digest of the same interface.
 * @param ofSet the contract with the certificate's set of requirements; undefined if petspec does not have the set
 */
export function isOfInterface(
  { certified: { suite } }: Certificate,
  contract: Contract,
  ofSet: Contract | undefined,
): boolean {
  if (isDigestOfInterface(suite.specDigest, contract)) return true;
  return ofSet !== undefined && isDigestOfSet(suite.set.digest, ofSet);
}

function targetProblems(
  { target: { kind, baseUrl } }: Certified,
  { target, allowsReference }: Criteria,
): string[] {
  const isOfReference = kind === 'bundled reference';
  const certifiedTarget = isOfReference ? "petspec's own reference" : baseUrl;
  if (target !== undefined && (isOfReference || baseUrl !== target))
    return [`it is for ${certifiedTarget}, not for ${target}`];
  if (!isOfReference || allowsReference) return [];
  return [`it is for ${certifiedTarget}, not for a service; to accept that, pass --allow-reference`];
}

function subjectProblems({ statement: { subject } }: Certificate, { subjects }: Criteria): string[] {
  return subjects
    .filter((pattern) => !subject.some((artifact) => isMatch(artifact, pattern)))
    .map((pattern) => `it is for ${subject.map(nameOf).join(', ')}, not for ${nameOf(pattern)}`);
}

function isMatch(subject: CertifiedArtifact, { name = subject.name, digest = {} }: SubjectPattern): boolean {
  const digests = Object.entries(digest);
  return name === subject.name && digests.every(([algorithm, value]) => subject.digest[algorithm] === value);
}

/** A subject or a pattern in one word: `name@sha256:…`. */
export function nameOf({ name, digest = {} }: SubjectPattern): string {
  const digests = Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`);
  return [name, digests.join(',')].filter((part) => part).join('@');
}

/** Problems with versions that do not exist, or that this petspec does not know. */
function versionProblems({ suite }: Certified, contract: Contract | undefined, criteria: Criteria): string[] {
  const { version, contractOf } = criteria;
  const later = `petspec ${version} does not know; verify it with a newer petspec`;
  const isLater = (candidate: string) => isVersion(candidate) && compareVersions(candidate, version) > 0;
  const isRelease = (candidate: string) => isVersion(candidate) && compareVersions(candidate, FIRST_SET) >= 0;
  const set = suite.set.version;
  if (suite.version !== version) {
    if (isLater(suite.version)) return [`it was made by petspec ${suite.version}, which ${later}`];
    if (!isRelease(suite.version)) return [`it was made by petspec ${suite.version}, which does not exist`];
    // The sets of a user's own interface have their own versions.
    const isBundled = contractOf !== null && criteria.interface === undefined;
    if (isBundled && isVersion(set) && compareVersions(set, suite.version) > 0)
      return [
        `it was made by petspec ${suite.version}, which did not have the requirements of ${set}${OR_YOUR_OWN}`,
      ];
  }
  if (contract || contractOf === null) return [];
  if (criteria.interface !== undefined) return [otherInterface(criteria)];
  if (isLater(set))
    return [`it was judged by the requirements of petspec ${set}, which ${later}${OR_YOUR_OWN}`];
  return [`it was judged by the requirements of petspec ${set}, which do not exist${OR_YOUR_OWN}`];
}

function signatureProblems({ envelope }: Certificate, { keys }: Criteria): string[] {
  if (keys.length === 0) return [];
  if (!envelope) return ['it is not signed, so --key cannot be verified'];
  return keys
    .filter((key) => !isSignedBy(envelope, key))
    .map((key) => `the key ${fingerprintOf(key)} did not sign it, or it was changed afterwards`);
}

/** Differences from the set of requirements, so that nobody can hide a requirement that was not tested. */
function setProblems(certificate: Certificate, contract: Contract, { version }: Criteria): string[] {
  const { bytes, certified } = certificate;
  const { suite, passed, warned } = certified;
  const problems: string[] = [];
  if (!isDigestOfSet(suite.set.digest, contract) || suite.set.requirements !== contract.requirements.length)
    problems.push(`the requirements are not those of petspec ${suite.set.version}`);
  const results = [...passed, ...warned];
  const expected = contract.requirements.filter(isJudged).map(({ id }) => id);
  const missing = expected.filter((id) => !results.includes(id));
  const extra = results.filter((id, index) => !expected.includes(id) || results.indexOf(id) !== index);
  if (missing.length > 0) problems.push(`it has no result for ${missing.join(', ')}`);
  if (extra.length > 0) problems.push(`it has unknown or duplicate requirements: ${extra.join(', ')}`);
  const musts = contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  problems.push(...resultProblems(certificate));
  if (musts.length === 0) problems.push('its set has no must requirements');
  // Another version may write other bytes; this version always writes the same bytes.
  const isOwn = suite.version === version && problems.length === 0;
  if (isOwn && (!isDigestOfInterface(suite.specDigest, contract) || suite.specVersion !== contract.version))
    problems.push(`the interface is not that of petspec ${version}`);
  if (isOwn && !serialized(statementOf(contract, certified)).equals(bytes))
    problems.push(`petspec ${version} does not write such a certificate; it was changed afterwards`);
  return problems;
}

function resultProblems({ statement }: Certificate): string[] {
  const { failedTests, result } = statement.predicate;
  if (failedTests.length === 0 && result !== 'FAILED') return [];
  return ['its result says that requirements are violated'];
}

/** Whether the named self-check differs from the one of its version of petspec, if this petspec knows it. */
function selfCheckProblems({ selfCheck, suite: { version } }: Certified): string[] {
  const proof = shippedProof(version);
  if (!selfCheck || !proof || isDeepStrictEqual(selfCheck, proof)) return [];
  return [
    `its self-check is not that of petspec ${version}: another suite judged, or it was changed afterwards`,
  ];
}

function reportProblems({ reportDigest }: Certified, { report }: Criteria): string[] {
  if (report === undefined || sha256(report) === reportDigest) return [];
  return ['the report does not match, or was changed afterwards'];
}

function sensitivityProblems({ sensitivity }: Criteria): string[] {
  if (!sensitivity) return [];
  const { least, of } = sensitivity;
  if (!of) return ['its report does not say how many known faults its run would have shown'];
  if (of.shown * 100 >= of.faults * least) return [];
  return [
    `its run would have shown ${of.shown} of ${counted(of.faults, 'known fault')}; at least ${least} % are asked for`,
  ];
}

function ageProblems({ target }: Certified, { now, maxAge }: Criteria): string[] {
  const age = now - Date.parse(target.startedAt);
  if (age < -MAX_FUTURE_MS) return [`its run is in the future: ${target.startedAt}`];
  if (age <= maxAge * DAY_MS) return [];
  return [`it is ${counted(daysOf(age), 'day')} old; the maximum age is ${counted(maxAge, 'day')}`];
}

/** Whole days. @param age in ms */
export function daysOf(age: number): number {
  return Math.max(0, Math.floor(age / DAY_MS));
}
