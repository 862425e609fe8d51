import { type Certified, type ResourceDescriptor, STATEMENT_TYPE, subjectsOf } from './statement.ts';

/**
 * The in-toto statement with the predicate SVR v0.2 (Simple Verification Result) beside a certificate: a few properties that verifiers
 * read which do not know petspec. It lists only what holds.
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
