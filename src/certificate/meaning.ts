import type { Requirement } from '../model/contract.ts';
import { counted } from '../model/report/report.ts';
import { shippedProof } from '../selfcheck/proof.ts';
import { identityWords } from './identity.ts';
import type { Certificate } from './read.ts';
import { fingerprintOf, signaturesOfOthers } from './signing.ts';
import { type Criteria, daysOf, nameOf } from './verify.ts';

/**
 * What a valid certificate proves and what it does not prove, in sentences.
 * @param newer requirements that this petspec has and the set of the certificate lacks
 */
export function meaningOf(
  certificate: Certificate,
  criteria: Criteria,
  newer: readonly Pick<Requirement, 'id'>[],
): { proves: string[]; doesNot: string[] } {
  return { proves: proven(certificate, criteria), doesNot: notProven(certificate, criteria, newer) };
}

/** Who vouches for a certificate: `<issuers> says`. */
function issuerOf({ envelope }: Certificate, { keys, identity }: Criteria): string {
  const issuers = [
    ...(keys.length > 0
      ? [`the holder of the key ${keys.map(fingerprintOf).join(' and the holder of the key ')}`]
      : []),
    ...(identity && typeof identity.attested !== 'string' ? [identityWords(identity.attested)] : []),
  ];
  if (issuers.length > 0) return `${issuers.join(' and ')} says`;
  return envelope ? 'somebody, whose signature was not checked, says' : 'somebody says';
}

function proven(certificate: Certificate, criteria: Criteria): string[] {
  const { certified } = certificate;
  const { report, now, sensitivity } = criteria;
  const { target, suite, subjects, passed, warned, unexercised } = certified;
  const issuer = issuerOf(certificate, criteria);
  const service =
    target.kind === 'service'
      ? `${target.baseUrl}${target.apiUrl ? ` (message API: ${target.apiUrl})` : ''}`
      : "petspec's own reference, which is not a service,";
  const at = `${target.startedAt} (${daysAgo(now - Date.parse(target.startedAt))})`;
  return [
    `${issuer} that petspec ${suite.version} judged ${service} at ${at}, and that it violated none of the ${passed.length + warned.length} judged requirements, of ${suite.set.requirements} in the set ${suite.set.version}`,
    ...(subjects.length > 0 ? [`${issuer} that the subject was ${subjects.map(nameOf).join(', ')}`] : []),
    ...selfCheckWords(certified),
    ...(report === undefined ? [] : ['the certificate was made from this report']),
    ...(sensitivity?.of
      ? [
          `its run would have shown ${sensitivity.of.shown} of ${counted(sensitivity.of.faults, 'known fault')}`,
        ]
      : []),
    ...(warned.length > 0 ? [`advisories, or not tested: ${warned.join(', ')}`] : []),
    ...(unexercised.length > 0 ? [`met but not exercised: ${unexercised.join(', ')}`] : []),
  ];
}

/** What the suite that judged can find, if this petspec knows the self-check of that version. */
function selfCheckWords({ selfCheck, suite: { version } }: Certificate['certified']): string[] {
  if (!selfCheck || !shippedProof(version)) return [];
  const { found, faults, passed, variants, digest } = selfCheck;
  return [
    `it names the self-check of petspec ${version} (sha256:${digest.slice(0, 12)}): its suite finds ${found} of ${counted(faults, 'fault')} of a reference and passes ${passed} of ${counted(variants, 'variant')}, which petspec selfcheck repeats`,
  ];
}

/** What the named self-check does not prove. */
function beyondSelfCheck({ selfCheck, suite: { version } }: Certificate['certified']): string[] {
  if (!selfCheck) return [];
  return shippedProof(version)
    ? [
        'that the real petspec issued it: a changed one can name any digest; an attestation of the workflow shows what ran',
      ]
    : [`what its suite finds: this petspec does not know the self-check of petspec ${version}`];
}

function notProven(
  { envelope, certified }: Certificate,
  { keys, identity, subjects: wanted, report }: Criteria,
  newer: readonly Pick<Requirement, 'id'>[],
): string[] {
  const { target, subjects } = certified;
  const otherSignatures = envelope ? signaturesOfOthers(envelope, keys) : [];
  const unchecked = new Set(otherSignatures.map(({ keyid, sig }) => keyid || sig.toString('base64'))).size;
  return [
    ...(keys.length === 0 && !identity
      ? ['who made it: anybody can write such a file; to check the signature, pass --key']
      : unchecked > 0
        ? [`who else signed it: ${counted(unchecked, 'signature')} not checked`]
        : []),
    ...(target.kind === 'service' && subjects.length > 0
      ? ['that this subject answered at the address; for that, you must trust whoever certified it']
      : []),
    ...wanted
      .filter(({ digest }) => digest === undefined)
      .map(
        (subject) =>
          `which ${nameOf(subject)} it was: only the name matched; pass a digest or a file as --subject`,
      ),
    ...(report === undefined ? ['the contents of the report; to check them, pass --report'] : []),
    ...(identity
      ? ['what the workflow does: read it at that commit, and see whether it runs petspec as it is published']
      : beyondSelfCheck(certified)),
    ...(newer.length > 0 ? [`newer requirements: ${newer.map(({ id }) => id).join(', ')}`] : []),
    'that the service still conforms today',
  ];
}

function daysAgo(age: number): string {
  const days = daysOf(age);
  return days === 0 ? 'today' : `${counted(days, 'day')} ago`;
}
