import { X509Certificate } from 'node:crypto';
import { isObject } from '../contract/schema.ts';
import { clip } from '../model/visible.ts';
import { type Certified, sha256 } from './statement.ts';

/** The workflow that attested a file, as the certificate of its signature describes it. */
export interface Identity {
  /** URL of the OpenID Connect provider that identified the workflow. */
  issuer: string;
  /** The workflow: `https://github.com/owner/name/.github/workflows/certify.yml@refs/heads/main`. */
  workflow: string;
  /** URL of the repository that it ran for. */
  repository: string;
  /** The branch or tag, and the commit, of the workflow. */
  ref: string | undefined;
  commit: string | undefined;
  /** `github-hosted` or `self-hosted`. */
  runner: string | undefined;
  /** When the certificate of the signature expires, in ms since the epoch: the workflow signed before then. */
  until: number;
  /** The predicate type of the signed in-toto statement. */
  predicateType: string;
}

/** The repository whose workflow must have attested a certificate, and the attestation that was found. */
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

/** Why the attestation of a certificate is refused, one line per reason; empty if it is valid. */
export function identityProblems(
  { target: { finishedAt } }: Pick<Certified, 'target'>,
  { repository, attested }: WantedIdentity,
): string[] {
  if (typeof attested === 'string') return [`its attestation: ${attested}`];
  const { issuer, workflow, until, predicateType } = attested;
  const repositoryUrl = `https://github.com/${repository}`.toLowerCase();
  if (issuer !== GITHUB_ACTIONS) return [`its attestation is not from GitHub Actions, but from ${issuer}`];
  return [
    ...(attested.repository.toLowerCase() === repositoryUrl
      ? []
      : [`it was attested for ${attested.repository}, not for ${repository}`]),
    ...(workflow.toLowerCase().startsWith(`${repositoryUrl}/.github/workflows/`)
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

/** The packages that verify an attestation cannot be loaded; they are not installed with petspec. */
export class NoSigstore extends Error {
  override name = 'NoSigstore';
}

/** In bytes: larger than any attestation and any list of trusted roots. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Attestations and trusted roots. Each attestation is tried with each root, so both are bounded. */
const MOST_VALUES = 20;

/** The values of a JSON text: a value, a list of values, or a value per line. @returns undefined if the text is not JSON, or has too many */
export function jsonValues(bytes: Uint8Array): unknown[] | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  const parsed = (part: string): unknown[] | undefined => {
    try {
      return [JSON.parse(part)];
    } catch {
      return undefined;
    }
  };
  const lines = text.split('\n', 10 * MOST_VALUES).filter((line) => line.trim() !== '');
  const values = parsed(text) ?? lines.slice(0, MOST_VALUES + 1).map(parsed);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  const flatValues = values.flat();
  return flatValues.length > MOST_VALUES ? undefined : flatValues;
}

/**
 * The workflow that attested a file, verified offline by a Sigstore bundle and the authorities and logs of a trusted root.
 * @param bundles Sigstore bundles, one of which must be valid and about the file
 * @param roots trusted roots of Sigstore, one of which must verify that bundle
 * @returns the workflow, or why the file is not attested
 * @throws NoSigstore if the packages are missing
 */
export async function attestedBy(
  file: Uint8Array,
  bundles: readonly unknown[],
  roots: readonly unknown[],
): Promise<Identity | string> {
  const sigstore = await loaded();
  let problem = 'the file has no bundle';
  for (const bundle of bundles)
    for (const root of roots) {
      try {
        const identity = verified(file, bundle, root, sigstore);
        if (typeof identity !== 'string') return identity;
        problem = identity;
      } catch (error) {
        // Any error in reading or verifying somebody's file is a reason to refuse it.
        problem = clip(error instanceof Error ? error.message : String(error), 200);
      }
    }
  return problem;
}

async function loaded() {
  try {
    const [bundle, verify, specs] = await Promise.all([
      import('@sigstore/bundle'),
      import('@sigstore/verify'),
      import('@sigstore/protobuf-specs'),
    ]);
    return { ...bundle, ...verify, TrustedRoot: specs.TrustedRoot };
  } catch {
    throw new NoSigstore(
      'needs the packages @sigstore/bundle, @sigstore/verify and @sigstore/protobuf-specs',
    );
  }
}

function verified(
  file: Uint8Array,
  json: unknown,
  rootJson: unknown,
  sigstore: Awaited<ReturnType<typeof loaded>>,
): Identity | string {
  const bundle = sigstore.bundleFromJSON(json);
  const root = sigstore.TrustedRoot.fromJSON(rootJson);
  const { content, verificationMaterial } = bundle;
  if (content.$case !== 'dsseEnvelope') return 'it is not an attestation, but a signature of a file';
  // An instance without logs, such as the one for private repositories, has a root without logs. A timestamp is always required.
  const verifier = new sigstore.Verifier(sigstore.toTrustMaterial(root), {
    tlogThreshold: Math.min(root.tlogs.length, 1),
    ctlogThreshold: Math.min(root.ctlogs.length, 1),
    timestampThreshold: 1,
  });
  const { identity } = verifier.verify(sigstore.toSignedEntity(bundle));
  const leaf = leafIn(verificationMaterial.content);
  if (!identity || !leaf) return 'it was signed with a key, not by a workflow';
  const statement: unknown = JSON.parse(content.dsseEnvelope.payload.toString('utf8'));
  if (!isAbout(statement, file)) return 'it is about another file';
  const { predicateType } = statement;
  const named = (last: number) =>
    textOf(identity.oids?.find(({ oid }) => isFulcio(oid?.id ?? [], last))?.value);
  return {
    issuer: named(8) ?? '',
    workflow: identity.subjectAlternativeName ?? '',
    repository: named(12) ?? '',
    ref: named(14),
    commit: named(13),
    runner: named(11),
    until: Date.parse(new X509Certificate(leaf).validTo),
    predicateType: typeof predicateType === 'string' ? predicateType : '',
  };
}

type Material = ReturnType<
  Awaited<ReturnType<typeof loaded>>['bundleFromJSON']
>['verificationMaterial']['content'];

/** The certificate of the signer; undefined if the file was signed with a bare key. */
function leafIn(content: Material): Uint8Array | undefined {
  if (content.$case === 'certificate') return content.certificate.rawBytes;
  return content.$case === 'x509CertificateChain'
    ? content.x509CertificateChain.certificates[0]?.rawBytes
    : undefined;
}

/** Whether an in-toto statement names a file by its digest. */
function isAbout(statement: unknown, file: Uint8Array): statement is Record<string, unknown> {
  if (!isObject(statement) || !Array.isArray(statement.subject)) return false;
  const digest = sha256(file);
  return statement.subject.some(
    (subject) => isObject(subject) && isObject(subject.digest) && subject.digest.sha256 === digest,
  );
}

/** Certificate extensions in which Fulcio describes the workflow: 1.3.6.1.4.1.57264.1.x (Fulcio, oid-info.md). */
const FULCIO = [1, 3, 6, 1, 4, 1, 57264, 1];

function isFulcio(id: readonly number[], last: number): boolean {
  return id.join('.') === [...FULCIO, last].join('.');
}

/** The text in a DER-encoded UTF8String (X.690 section 8.23) of at most 255 bytes, or of a two-byte length. */
function textOf(value: Uint8Array | undefined): string | undefined {
  if (value?.[0] !== 0x0c) return undefined;
  const [, length = 0] = value;
  const start = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return Buffer.from(value.subarray(start)).toString('utf8');
}
