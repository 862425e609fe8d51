import { type Check, met, notTested, unobservable, violated } from '../src/suite.ts';

/** Versioning: the version is part of the address. The deprecation is judged with its operation. */
export const versioning: readonly Check[] = [
  {
    requirement: 'versioning.address',
    phase: 'functional',
    probes: (probe) => probe.stage === 'first',
    needs: [],
    judge({ baseUrl, judged, contract: { basePath = '' } }) {
      // A recording may be about the other address alone.
      if (!URL.canParse(baseUrl)) return notTested('no-traffic', 'the base address is not known');
      const [first] = judged.filter(({ exchange }) => exchange.address === 'baseUrl');
      if (judged.length > 0 && !first) return notTested('no-traffic', 'no request was for the base address');
      const evidence = first ? [first.exchange.id] : [];
      if (new URL(baseUrl).pathname.replace(/\/+$/, '').endsWith(basePath)) return met(evidence);
      return violated(
        {
          kind: 'meaning',
          reason: `the base address does not end with ${basePath}`,
          expected: `an address that ends with ${basePath}`,
          received: baseUrl,
        },
        evidence,
      );
    },
  },
  unobservable('open.stability', 'no response shows it'),
  unobservable('open.policy', 'no response shows it'),
];
