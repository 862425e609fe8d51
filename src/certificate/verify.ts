import type { KeyObject } from 'node:crypto';
import {
  compareVersions,
  FIRST_SET,
  isDigestOfInterface,
  isDigestOfSet,
  isVersion,
} from '../contract/sets.ts';
import type { Contract } from '../model/contract.ts';
import { contradictionsOf } from './contradictions.ts';
import { isSignedBy } from './envelope.ts';
import { fingerprintOf } from './keys.ts';
import type { Certificate } from './read.ts';
import { type Certified, isJudged, type Subject, serialized, sha256, statementOf } from './statement.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Clocks differ. ms */
const CLOCK_SKEW = 5 * 60 * 1000;

/** A subject by its name, by its digest, or by both. */
export type SubjectPattern = Partial<Subject>;

/** By what a certificate is verified. */
export interface Yardstick {
  /** Each of them has to have signed. */
  keys: readonly KeyObject[];
  /** The report that the certificate must match, as its file holds it. */
  report?: Uint8Array;
  /** Base address of the service that the certificate must name. */
  target?: string;
  /** Each of them has to be among what it is of. */
  subjects: readonly SubjectPattern[];
  /** Whether it may be of the bundled reference, which is no service of anybody. */
  allowsReference: boolean;
  /** Days; an older certificate is refused. */
  maxAge: number;
  /** ms since the epoch. */
  now: number;
  /** Version of this petspec. */
  version: string;
  /** The contract by a set of requirements; undefined where this petspec has no such set. */
  contractOf: (set: string) => Contract | undefined;
}

/** Why a certificate is refused, a line each: none where it holds. */
export function problemsOf(certificate: Certificate, yardstick: Yardstick): string[] {
  const { certified } = certificate;
  const { suite } = certified;
  const contract = yardstick.contractOf(suite.set.version);
  return [
    ...signatureProblems(certificate, yardstick),
    ...targetProblems(certified, yardstick),
    ...subjectProblems(certificate, yardstick),
    ...versionProblems(certified, contract, yardstick),
    ...contradictionsOf(certificate),
    ...(contract ? setProblems(certificate, contract, yardstick) : []),
    ...reportProblems(certified, yardstick),
    ...ageProblems(certified, yardstick),
  ];
}

function targetProblems(
  { target: { kind, baseUrl } }: Certified,
  { target, allowsReference }: Yardstick,
): string[] {
  const isOfReference = kind === 'bundled reference';
  const what = isOfReference ? "petspec's own reference" : baseUrl;
  if (target !== undefined && (isOfReference || baseUrl !== target))
    return [`it is of ${what}, not of ${target}`];
  if (!isOfReference || allowsReference) return [];
  return [`it is of ${what}, which is no service of anybody; --allow-reference accepts that`];
}

function subjectProblems({ statement: { subject } }: Certificate, { subjects }: Yardstick): string[] {
  return subjects
    .filter((wanted) => !subject.some((each) => isMatch(each, wanted)))
    .map((wanted) => `it is of ${subject.map(nameOf).join(', ')}, not of ${nameOf(wanted)}`);
}

function isMatch(subject: Subject, { name = subject.name, digest = {} }: SubjectPattern): boolean {
  const digests = Object.entries(digest);
  return name === subject.name && digests.every(([algorithm, value]) => subject.digest[algorithm] === value);
}

/** A subject, or what is known of it, in one word: `name@sha256:…`. */
export function nameOf({ name, digest = {} }: SubjectPattern): string {
  const digests = Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`);
  return [name, digests.join(',')].filter((part) => part).join('@');
}

/** A version that petspec never had, or that this one cannot know. */
function versionProblems(
  { suite }: Certified,
  contract: Contract | undefined,
  { version }: Yardstick,
): string[] {
  const later = `petspec ${version} does not know: only a newer one can verify it`;
  const isLater = (each: string) => isVersion(each) && compareVersions(each, version) > 0;
  const isPast = (each: string) => isVersion(each) && compareVersions(each, FIRST_SET) >= 0;
  const set = suite.set.version;
  if (suite.version !== version) {
    if (isLater(suite.version)) return [`it was made by petspec ${suite.version}, which ${later}`];
    if (!isPast(suite.version)) return [`it was made by petspec ${suite.version}, which does not exist`];
    if (isVersion(set) && compareVersions(set, suite.version) > 0)
      return [`it was made by petspec ${suite.version}, which did not have the requirements of ${set}`];
  }
  if (contract) return [];
  if (isLater(set)) return [`it was judged by the requirements of petspec ${set}, which ${later}`];
  return [`it was judged by the requirements of petspec ${set}, which do not exist`];
}

function signatureProblems({ envelope }: Certificate, { keys }: Yardstick): string[] {
  if (keys.length === 0) return [];
  if (!envelope) return ['nobody signed it: a key has nothing to verify'];
  return keys
    .filter((key) => !isSignedBy(envelope, key))
    .map((key) => `the key ${fingerprintOf(key)} did not sign it, or it was changed since`);
}

/** What keeps a requirement that was not tested from passing for one that does not exist. */
function setProblems(
  { bytes, statement, certified }: Certificate,
  contract: Contract,
  { version }: Yardstick,
): string[] {
  const { suite, passed, warned } = certified;
  const { failedTests, result } = statement.predicate;
  const problems: string[] = [];
  if (!isDigestOfSet(suite.set.digest, contract) || suite.set.requirements !== contract.requirements.length)
    problems.push(`its requirements are not those of petspec ${suite.set.version}`);
  const said = [...passed, ...warned];
  const due = contract.requirements.filter(isJudged).map(({ id }) => id);
  const missing = due.filter((id) => !said.includes(id));
  const extra = said.filter((id, index) => !due.includes(id) || said.indexOf(id) !== index);
  if (missing.length > 0) problems.push(`it does not say what became of ${missing.join(', ')}`);
  if (extra.length > 0)
    problems.push(`it names what is no requirement of that set, or twice: ${extra.join(', ')}`);
  const musts = contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  if (failedTests.length > 0 || result === 'FAILED')
    problems.push(`it says itself that requirements are violated`);
  if (musts.length === 0) problems.push('that set requires nothing');
  // A later petspec may write more; what this one writes is known to the byte.
  const isOwn = suite.version === version && problems.length === 0;
  if (isOwn && (!isDigestOfInterface(suite.specDigest, contract) || suite.specVersion !== contract.version))
    problems.push(`its interface is not the one of petspec ${version}`);
  if (isOwn && !serialized(statementOf(contract, certified)).equals(bytes))
    problems.push(`it is not as petspec ${version} writes certificates: it was changed since`);
  return problems;
}

function reportProblems({ reportDigest }: Certified, { report }: Yardstick): string[] {
  if (report === undefined || sha256(report) === reportDigest) return [];
  return ['the report is not the one that it was made from, or was changed since'];
}

function ageProblems({ target }: Certified, { now, maxAge }: Yardstick): string[] {
  const age = now - Date.parse(target.startedAt);
  if (age < -CLOCK_SKEW) return [`it is of a run in the future: ${target.startedAt}`];
  if (age <= maxAge * DAY) return [];
  return [`it is ${daysOf(age)} days old; --max-age allows ${maxAge}`];
}

/** Whole days. */
export function daysOf(age: number): number {
  return Math.max(0, Math.floor(age / DAY));
}
