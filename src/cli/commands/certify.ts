import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { renderBadge, renderShield } from '../../certificate/badge.ts';
import { certificateOf, certificateProblem, type Issue } from '../../certificate/issue.ts';
import { privateKeyOf } from '../../certificate/signing.ts';
import { type CertifiedArtifact, sha256 } from '../../certificate/statement.ts';
import { realClock } from '../../model/clock.ts';
import type { Contract } from '../../model/contract.ts';
import { fileErrorOf, isFileError } from '../../model/file-error.ts';
import { inTurns } from '../../model/large/steps.ts';
import { EXIT_STATUS, type Report } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import { REPORT_FILES, renderJson, writeFileAtomically } from '../../report/files/formats.ts';
import type { RunOptions } from '../../run/options.ts';
import { planning, type RunPlan } from '../../run/plan.ts';
import { fromHere } from '../../run/settings/stated-options.ts';
import type { Conductor } from '../../vitest/vitest-run.ts';
import { collect } from '../options/option-values.ts';
import { renderWarnings, resolveTarget } from '../options/resolve-target.ts';
import { TARGET_HELP } from '../options/run-flags.ts';
import { DEFAULTS, type RunFlags } from '../options/run-options.ts';
import { keyFrom, type SignedCertificate, signedCertificateIn, subjectOf } from '../options/signing.ts';
import { keepSecret } from '../output/secrets.ts';
import { conduct, type Delivered } from '../run/conduct-run.ts';
import { refuseWithoutService, runCommand } from './run.ts';

interface CertifyFlags extends RunFlags {
  subject?: string[];
  signKey?: string;
}

/** Options of `petspec run` that certify refuses, by commander's names. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  only: '--only',
  onlyViolated: '--only-violated',
  readOnly: '--read-only',
  dryRun: '--dry-run',
  ui: '--ui',
  all: '--all',
  writeBaseline: '--write-baseline',
};

/** More options that `--help` hides, because no run with them can be certified. */
const HIDDEN: readonly string[] = ['--no-exhaust', '--shared-key', '--baseline', '--insecure'];

/** `petspec certify`: judges a target and, if it conforms, writes a certificate that others can verify. */
export function certifyCommand(exit: (status: number) => void, conductor: Conductor): Command {
  const command = new Command('certify')
    .description(
      'Judges a target against the whole interface. If the target conforms, writes a certificate: an in-toto statement with the subject, the petspec version, the options and the result. --sign-key signs it.',
    )
    .argument('[target]', TARGET_HELP)
    .option(
      '--subject <name@sha256:...>',
      'artifact to certify: its name and digest, or a file (repeatable; default: the target itself)',
      collect,
    )
    .option(
      '--sign-key <file>',
      'sign the certificate (a DSSE envelope) with this Ed25519 private key (PEM)',
    );
  for (const option of runCommand(exit, conductor).options) {
    const isUnsupported = option.attributeName() in UNSUPPORTED && !option.negate;
    if (isUnsupported || HIDDEN.includes(option.long ?? '')) option.hideHelp();
    if (option.long === '--exhaust')
      option.description = `rate limit to use up: minute or day (default: ${DEFAULTS.exhaust})`;
    command.addOption(option);
  }
  return command
    .addHelpText('after', EXAMPLES)
    .action(async (target: string | undefined, flags: CertifyFlags) =>
      exit(await certify(target, flags, conductor)),
    );
}

async function certify(
  target: string | undefined,
  flags: CertifyFlags,
  conductor: Conductor,
): Promise<number> {
  const begunAt = realClock.now();
  refuseUnsupported(flags);
  const { signKey } = flags;
  const key = signKey === undefined ? undefined : keyFrom('--sign-key', signKey, privateKeyOf);
  const earlier = replaceable(flags.out, key);
  const subjects = (flags.subject ?? []).map(subjectOf);
  if (subjects.length > 0 && target === undefined)
    throw new UsageError('--subject: no target named; without one, the bundled reference is certified');
  refuseWithoutService(target, flags);
  const resolved = await resolveTarget(target, flags);
  const { options, judging } = resolved;
  const { contract, checks } = judging;
  refuseSharedKey(options, flags);
  keepSecret(options);
  const plan = await inTurns(planning(contract, checks, options));
  const obstacle = obstacleTo(plan, options, flags.baseline ?? resolved.baseline);
  if (obstacle !== undefined) {
    const kept = earlier && `; kept the signed ${earlier.path}`;
    return noCertificate(`${obstacle}; nothing was sent${kept ?? withoutEarlier(flags.out)}`);
  }
  if (earlier)
    process.stderr.write(
      `petspec: ${earlier.path} is signed with the same key; this run replaces it, or removes it if there is no new certificate\n`,
    );
  process.stderr.write(renderWarnings(options, flags));
  const delivered = await conduct(judging, plan, options, flags, conductor, begunAt);
  const problem = certificateProblem(delivered.report);
  writeBadges(delivered);
  if (problem !== undefined) return noCertificate(problem, delivered.status || EXIT_STATUS.incomplete);
  return issue(contract, delivered, options, subjects, key);
}

/** Why a run cannot be certified, known before it sends anything. */
function obstacleTo(
  { narrowed: [narrowing] }: RunPlan,
  { insecure }: RunOptions,
  baseline: string | undefined,
): string | undefined {
  if (baseline !== undefined) return `the baseline ${fromHere(baseline)} is in use`;
  if (insecure) return '--insecure does not verify who answers; trust its CA with --ca instead';
  return narrowing && `${narrowing.option} leaves requirements untested`;
}

/**
 * The signed certificate of an earlier run that this run may replace, because it has the same key.
 * @throws UsageError if another key signed it
 */
function replaceable(out: string, key: KeyObject | undefined): SignedCertificate | undefined {
  const earlier = signedCertificateIn(out);
  if (!earlier || (key && earlier.isOnlyOf(key))) return earlier;
  throw new UsageError(
    `${earlier.path} is signed; sign with the same key (--sign-key) to replace it, or name another folder with --out`,
  );
}

function refuseUnsupported(flags: CertifyFlags): void {
  if (flags.asOf !== undefined)
    throw new UsageError('certify: --as-of is not supported; a certificate says what holds today');
  const [, named] = Object.entries(UNSUPPORTED).find(([name]) => flags[name as keyof CertifyFlags]) ?? [];
  const isUnexhausted = flags.exhaust === false || flags.exhaust === 'none';
  const option = named ?? (isUnexhausted ? '--no-exhaust' : undefined);
  if (option !== undefined)
    throw new UsageError(`certify: ${option} is not supported; a certificate needs a whole run`);
}

/** If others use the key, a limiter that miscounts is not noticed. */
function refuseSharedKey({ sharedKey }: RunOptions, flags: CertifyFlags): void {
  if (!sharedKey) return;
  const where = flags.sharedKey ? '--shared-key' : "'sharedKey' of the configuration";
  const instead = flags.sharedKey ? '' : '; if nobody else uses it, pass --no-shared-key';
  throw new UsageError(`${where}: certify needs a key that nobody else uses${instead}`);
}

/** Files that only `petspec certify` writes. */
const FILES = ['certificate', 'certifiedTarget', 'certificateSummary', 'badge', 'shield'] as const;

/**
 * Removes the unsigned files of an earlier `petspec certify` from the folder, so that nobody takes them for the result of this run.
 * @returns an addition to the line about the refusal
 */
function withoutEarlier(out: string): string {
  const earlier = FILES.map((name) => join(out, REPORT_FILES[name])).filter((path) => existsSync(path));
  const error = fileErrorOf(() => {
    for (const path of earlier) rmSync(path);
  });
  if (error) return `; cannot remove ${error.path} of an earlier run (${error.code})`;
  return earlier.length === 0 ? '' : `; removed the files of an earlier run: ${earlier.join(', ')}`;
}

/** Prints why there is no certificate. @returns the exit status */
function noCertificate(why: string, status = EXIT_STATUS.incomplete): number {
  process.stderr.write(`petspec: no certificate: ${why}\n`);
  return status;
}

function issue(
  contract: Contract,
  { report, status, out }: Delivered,
  options: RunOptions,
  subjects: readonly CertifiedArtifact[],
  key: KeyObject | undefined,
): number {
  if (out === undefined || !isKept(join(out, REPORT_FILES.json), report))
    return noCertificate(`cannot write ${REPORT_FILES.json}, which the certificate needs`);
  const reportDigest = sha256(renderJson(report));
  const wanted: Issue = { options, subjects, reportDigest, key };
  const { file, target, summary } = certificateOf(contract, report, wanted);
  const paths = [
    join(out, REPORT_FILES.certificate),
    join(out, REPORT_FILES.certifiedTarget),
    join(out, REPORT_FILES.certificateSummary),
  ] as const;
  const error = fileErrorOf(() => {
    writeFileAtomically(paths[0], file.toString());
    writeFileAtomically(paths[1], target.toString());
    writeFileAtomically(paths[2], summary.toString());
  });
  if (error) return noCertificate(`cannot write it into ${out} (${error.code})`);
  const written = paths.map((path) => relative(process.cwd(), path) || path);
  process.stdout.write(`${key ? 'certified and signed' : 'certified'}: ${written.join('  ')}\n`);
  return status;
}

/** Whether the file holds this very report. */
function isKept(path: string, report: Report): boolean {
  try {
    return readFileSync(path, 'utf8') === renderJson(report);
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/** Writes the badges for any verdict, so that a published badge turns red when the target no longer conforms. */
function writeBadges({ report, out }: Delivered): void {
  if (out === undefined) return;
  const error = fileErrorOf(() => {
    writeFileAtomically(join(out, REPORT_FILES.badge), renderBadge(report));
    writeFileAtomically(join(out, REPORT_FILES.shield), renderShield(report));
  });
  if (error) process.stderr.write(`petspec: cannot write the badge into ${out} (${error.code})\n`);
}

const EXAMPLES = `
Exit status: the same as petspec run, and 3 if there is no violation but also no certificate.

Keys:
  openssl genpkey -algorithm ed25519 -out sign.pem
  openssl pkey -in sign.pem -pubout -out verify.pem

Examples:
  petspec certify https://staging.example.com/v1 --api-url https://messages.example.com --sign-key sign.pem --out certified
  petspec certify https://staging.example.com/v1 --api-url ... --subject registry.example.com/store@sha256:...
  petspec verify certified/certificate.json --key verify.pem --report certified/report.json`;
