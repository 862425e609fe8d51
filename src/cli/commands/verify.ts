import { Command } from 'commander';
import type { Contract } from '../../model/contract.ts';
import { packageVersion } from '../../model/package-root.ts';
import { UsageError } from '../../run/options.ts';
import { address, wholeNumber } from '../options/run-options.ts';

interface VerifyFlags {
  key?: string[];
  target?: string;
  subject?: string[];
  allowReference?: boolean;
  report?: string;
  maxAge: number;
}

/** Days. The interface has outlived its versions by less. */
const MAX_AGE = 365;

/** Exit status of a certificate that is refused. */
const REFUSED = 1;

/** `petspec verify`: whether a certificate holds, and what it proves then. */
export function verifyCommand(exit: (status: number) => void): Command {
  return new Command('verify')
    .summary('whether a certificate holds, and what it proves')
    .description(
      'Checks a certificate: its signature, its digests, its age, that it says something of every requirement of its set and nothing that contradicts itself, and that it is of the target and the subject that are named. Says what it proves, and what it does not.',
    )
    .argument('<file>', 'a certificate of petspec certify')
    .option(
      '--key <file>',
      'an Ed25519 public key in PEM, which has to have signed (repeatable: each of them)',
      (path: string, earlier: string[] = []) => [...earlier, path],
    )
    .option('--target <url>', 'base address of the service that it has to be of')
    .option(
      '--subject <name or digest>',
      'what it has to be of: a name, sha256:..., name@sha256:..., or a file (repeatable: each of them)',
      (text: string, earlier: string[] = []) => [...earlier, text],
    )
    .option('--allow-reference', 'it may be of the bundled reference, which is no service of anybody')
    .option('--report <file>', 'the report.json that the certificate must match')
    .option('--max-age <days>', 'an older certificate is refused', wholeNumber, MAX_AGE)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: VerifyFlags) => exit(await verify(file, flags)));
}

async function verify(file: string, flags: VerifyFlags): Promise<number> {
  const [
    { readCertificate },
    { problemsOf },
    { meaningOf },
    { distinctKeys, publicKeyOf },
    signing,
    { visible },
  ] = await Promise.all([
    import('../../certificate/read.ts'),
    import('../../certificate/verify.ts'),
    import('../../certificate/meaning.ts'),
    import('../../certificate/keys.ts'),
    import('../options/signing.ts'),
    import('../../model/visible.ts'),
  ]);
  const say = (lines: readonly string[]) =>
    process.stdout.write(lines.map((each) => `${visible(each)}\n`).join(''));
  const keys = distinctKeys((flags.key ?? []).map((path) => signing.keyFrom('--key', path, publicKeyOf)));
  const target = flags.target === undefined ? {} : { target: address(flags.target, '--target') };
  const subjects = (flags.subject ?? []).map(signing.subjectPatternOf);
  const report = flags.report === undefined ? {} : { report: signing.readNamed('--report', flags.report) };
  const certificate = readCertificate(signing.readNamed('verify', file));
  if (typeof certificate === 'string') {
    say([`refused: ${file}: ${certificate}`]);
    return REFUSED;
  }
  const { contractOf } = await import('../../run/contract-of.ts');
  const known = (set: string): Contract | undefined => {
    try {
      const contract = contractOf({ set });
      return contract.set === set ? contract : undefined;
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  };
  const { maxAge, allowReference: allowsReference = false } = flags;
  const wanted = { keys, ...target, subjects, allowsReference, ...report, maxAge };
  const yardstick = { ...wanted, now: Date.now(), version: packageVersion, contractOf: known };
  const problems = problemsOf(certificate, yardstick);
  if (problems.length > 0) {
    say(problems.map((problem) => `refused: ${file}: ${problem}`));
    return REFUSED;
  }
  const newer = known(certificate.certified.suite.set.version)?.newer ?? [];
  const { proves, doesNot } = meaningOf(certificate, yardstick, newer);
  const list = (lines: readonly string[]) => lines.map((each) => `  - ${each}`);
  const unchecked = certificate.envelope ? 'intact, its signature not checked' : 'intact, unsigned';
  say([`${keys.length > 0 ? 'holds, signed' : unchecked}: ${file}`]);
  say(['it proves that', ...list(proves), 'it does not prove', ...list(doesNot)]);
  return 0;
}

const EXAMPLES = `
Exit status: 0 where it holds, 1 where it is refused, 2 for wrong usage.

Examples:
  petspec verify certified/certificate.json --key verify.pem
  petspec verify certificate.json --key verify.pem --target https://staging.example.com/v1
  petspec verify certificate.json --key verify.pem --subject registry.example.com/store@sha256:...
  petspec verify certificate.json --key verify.pem --report report.json --max-age 30`;
