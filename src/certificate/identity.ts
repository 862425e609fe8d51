import type { Certified } from './statement.ts';

/** A workflow that attested a file, as the certificate of its signature names it. */
export interface Identity {
  /** Who identified it: the URL of an OpenID Connect provider. */
  issuer: string;
  /** The workflow: `https://github.com/owner/name/.github/workflows/certify.yml@refs/heads/main`. */
  workflow: string;
  /** URL of the repository that it ran for. */
  repository: string;
  /** Its branch or tag, and the commit. */
  ref: string | undefined;
  commit: string | undefined;
  /** `github-hosted` or `self-hosted`. */
  runner: string | undefined;
  /** ms since the epoch: it signed before then. */
  until: number;
  /** What kind of statement it signed. */
  predicateType: string;
}

/** The workflow that has to have attested a certificate. */
export interface WantedIdentity {
  /** `owner/name` */
  repository: string;
  /** The workflow that attested it, or the reason why none did. */
  attested: Identity | string;
}

const GITHUB_ACTIONS = 'https://token.actions.githubusercontent.com';
const PROVENANCE = 'https://slsa.dev/provenance/v1';

/** Clocks differ (ms). */
const MAX_FUTURE_MS = 5 * 60 * 1000;

/** Why the attestation of a certificate is refused, a line each. */
export function identityProblems(
  { target: { finishedAt } }: Pick<Certified, 'target'>,
  { repository, attested }: WantedIdentity,
): string[] {
  if (typeof attested === 'string') return [`its attestation: ${attested}`];
  const { issuer, workflow, until, predicateType } = attested;
  const wanted = `https://github.com/${repository}`.toLowerCase();
  if (issuer !== GITHUB_ACTIONS) return [`its attestation is not from GitHub Actions, but from ${issuer}`];
  return [
    ...(attested.repository.toLowerCase() === wanted
      ? []
      : [`it was attested for ${attested.repository}, not for ${repository}`]),
    ...(workflow.toLowerCase().startsWith(`${wanted}/.github/workflows/`)
      ? []
      : [`it was attested by ${workflow}, which is not a workflow of ${repository}`]),
    ...(predicateType === PROVENANCE
      ? []
      : [`its attestation does not say where the file comes from; it is of the type ${predicateType}`]),
    ...(Date.parse(finishedAt) <= until + MAX_FUTURE_MS
      ? []
      : [`its run ended at ${finishedAt}, after it was attested`]),
  ];
}

/** Who attested a certificate, in words. */
export function identityWords({ workflow, commit, runner }: Identity): string {
  const at = commit === undefined ? '' : ` at commit ${commit}`;
  return `the workflow ${workflow}${at}${runner === undefined ? '' : `, on a ${runner} runner,`}`;
}
