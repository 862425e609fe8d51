import { Command } from 'commander';
import { attestedBy, jsonValues, NoSigstore, type WantedIdentity } from '../../../certificate/identity.ts';
import { meaningOf } from '../../../certificate/meaning.ts';
import { type Certificate, readCertificate } from '../../../certificate/read.ts';
import { distinctKeys, publicKeyOf } from '../../../certificate/signing.ts';
import { type Criteria, problemsOf } from '../../../certificate/verify.ts';
import { packageVersion } from '../../../model/package-root.ts';
import { UsageError } from '../../../model/usage-error.ts';
import { visible } from '../../../model/visible.ts';
import { interfaceOf, knownSet } from '../../../run/contract-of.ts';
import { address } from '../../../run/settings/values.ts';
import { readBareReport, readNamed } from '../../options/named-file.ts';
import { collect, percentage, repositoryName, wholeNumber } from '../../options/option-values.ts';
import { keyFrom, subjectPatternOf } from '../../options/signing.ts';

interface VerifyFlags {
  key?: string[];
  interface?: string;
  target?: string;
  subject?: string[];
  allowReference?: boolean;
  report?: string;
  identity?: string;
  trustedRoot?: string;
  repository?: string;
  minSensitivity?: number;
  maxAge: number;
}

/** Days. */
const MAX_AGE = 365;

/** The exit status if a certificate is refused. */
const REFUSED = 1;

/** `petspec verify`: checks a certificate, and explains what it proves. */
export function verifyCommand(exit: (status: number) => void): Command {
  return new Command('verify')
    .description(
      'Checks the signatures, digests and age of a certificate, that it covers every requirement and does not contradict itself, and that it is for the given target and subject. Prints what the certificate proves and what it does not.',
    )
    .argument('<file>', 'certificate that petspec certify wrote')
    .option(
      '--key <file>',
      'Ed25519 public key (PEM) that must have signed (repeatable; all must have signed)',
      collect,
    )
    .option(
      '--interface <path>',
      'OpenAPI document, or the folder of an interface, that it must be for (default: the bundled interface)',
    )
    .option('--target <url>', 'base URL of the service that it must be for')
    .option(
      '--subject <name or digest>',
      'subject that it must be for: a name, sha256:..., name@sha256:..., or a file (repeatable; all must match)',
      collect,
    )
    .option('--allow-reference', 'accept a certificate of the bundled reference')
    .option('--report <file>', 'report.json that must match the certificate')
    .option(
      '--identity <bundle>',
      'attestation of the file by a workflow of GitHub Actions: a Sigstore bundle, or one on each line',
    )
    .option('--trusted-root <file>', 'trusted root of Sigstore by which --identity is checked')
    .option('--repository <owner/name>', 'repository whose workflow must have attested it', repositoryName)
    .option(
      '--min-sensitivity <percent>',
      'how many of the known faults its run must have been able to show, by --report',
      percentage,
    )
    .option('--max-age <days>', 'maximum age of the certificate', wholeNumber, MAX_AGE)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: VerifyFlags) => exit(await verify(file, flags)));
}

async function verify(file: string, flags: VerifyFlags): Promise<number> {
  const bytes = readNamed('verify', file);
  const criteria = await criteriaOf(bytes, flags);
  const certificate = readCertificate(bytes);
  const problems = typeof certificate === 'string' ? [certificate] : problemsOf(certificate, criteria);
  if (typeof certificate === 'string' || problems.length > 0) {
    print(problems.map((problem) => `refused: ${file}: ${problem}`));
    return REFUSED;
  }
  const newer = criteria.contractOf?.(certificate.certified.suite.set.version)?.newer ?? [];
  const { proves, doesNot } = meaningOf(certificate, criteria, newer);
  const list = (lines: readonly string[]) => lines.map((line) => `  - ${line}`);
  print([
    `${stateOf(certificate, criteria)}: ${file}`,
    'it proves that',
    ...list(proves),
    'it does not prove',
    ...list(doesNot),
  ]);
  return 0;
}

/** The criteria of the options. @throws UsageError if an option is not valid */
async function criteriaOf(file: Uint8Array, flags: VerifyFlags): Promise<Criteria> {
  const { minSensitivity: least } = flags;
  if (least !== undefined && flags.report === undefined)
    throw new UsageError('--min-sensitivity needs --report: the certificate names the report by its digest');
  const contract = flags.interface === undefined ? undefined : (await interfaceOf(flags)).contract;
  return {
    keys: distinctKeys((flags.key ?? []).map((path) => keyFrom('--key', path, publicKeyOf))),
    target: flags.target === undefined ? undefined : address(flags.target, '--target'),
    subjects: (flags.subject ?? []).map(subjectPatternOf),
    identity: await wantedIdentity(file, flags),
    report: flags.report === undefined ? undefined : readNamed('--report', flags.report),
    sensitivity:
      least === undefined
        ? undefined
        : { least, of: readBareReport(flags.report ?? '', '--report').sensitivity },
    allowsReference: flags.allowReference ?? false,
    maxAge: flags.maxAge,
    now: Date.now(),
    version: packageVersion,
    contractOf: contract ? (set) => (set === contract.set ? contract : undefined) : knownSet,
    interface: flags.interface,
  };
}

function stateOf({ envelope }: Certificate, { keys, identity }: Criteria): string {
  if (keys.length > 0) return identity ? 'valid, signed and attested' : 'valid and signed';
  if (identity) return 'valid and attested';
  return envelope ? 'intact, signature not checked' : 'intact, not signed';
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${visible(line)}\n`).join(''));
}

const EXAMPLES = `
Exit status: 0 if the certificate is valid, 1 if it is refused, 2 for wrong usage.

Examples:
  petspec verify certified/certificate.json --key verify.pem
  petspec verify certificate.json --key verify.pem --target https://staging.example.com/v1
  petspec verify certificate.json --key verify.pem --subject registry.example.com/store@sha256:...
  petspec verify certificate.json --key verify.pem --report report.json --max-age 30
  petspec verify certificate.json --identity bundle.jsonl --trusted-root trusted-root.jsonl --repository example/store`;

interface IdentityFlags {
  identity?: string;
  trustedRoot?: string;
  repository?: string;
}

/** The error if one of the three options is missing. */
const TOGETHER = '--identity, --trusted-root and --repository belong together';

/**
 * The workflow that attested a file, and the repository that it must belong to; undefined if the options are not stated.
 * @throws UsageError if one of the options is missing, a file is not of the expected kind, or the packages are not installed
 */
async function wantedIdentity(
  file: Uint8Array,
  { identity, trustedRoot, repository }: IdentityFlags,
): Promise<WantedIdentity | undefined> {
  const given = [identity, trustedRoot, repository];
  if (given.every((option) => option === undefined)) return undefined;
  if (identity === undefined || trustedRoot === undefined || repository === undefined)
    throw new UsageError(`${TOGETHER}; gh attestation trusted-root prints the root of GitHub`);
  const bundles = valuesIn('--identity', identity, 'a Sigstore bundle');
  const roots = valuesIn('--trusted-root', trustedRoot, 'a trusted root of Sigstore');
  try {
    return { repository, attested: await attestedBy(file, bundles, roots) };
  } catch (error) {
    if (!(error instanceof NoSigstore)) throw error;
    throw new UsageError(`--identity: ${error.message}; install them with npm install`);
  }
}

function valuesIn(option: string, path: string, what: string): unknown[] {
  const values = jsonValues(readNamed(option, path));
  if (values) return values;
  throw new UsageError(`${option}: ${path} is not ${what}; expected JSON, or JSON on each line`);
}
