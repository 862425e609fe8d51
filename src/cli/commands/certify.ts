import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import type { Issue } from '../../certificate/issue.ts';
import type { Subject } from '../../certificate/statement.ts';
import type { Contract } from '../../model/contract.ts';
import { EXIT_STATUS, type Report } from '../../model/report/report.ts';
import { REPORT_FILES, writeFileAtomically } from '../../report/formats/files.ts';
import { renderJson } from '../../report/formats/formats.ts';
import { type RunOptions, UsageError } from '../../run/options.ts';
import { shortened } from '../options/baselines.ts';
import { resolveTarget } from '../options/resolve-target.ts';
import { DEFAULTS, type RunFlags } from '../options/run-options.ts';
import { type SignedCertificate, signedCertificateIn } from '../options/signed-certificate.ts';
import { keepSecret } from '../output/secrets.ts';
import { renderWarnings } from '../output/warnings.ts';
import { isFileError } from '../output/write-reports.ts';
import { conduct, type Delivered, runCommand } from './run.ts';

interface CertifyFlags extends RunFlags {
  subject?: string[];
  signKey?: string;
}

/** Options of `petspec run` that a whole run has no use for, by commander's names. */
const NARROWING: Readonly<Record<string, string>> = {
  only: '--only',
  readOnly: '--read-only',
  dryRun: '--dry-run',
  ui: '--ui',
  all: '--all',
  writeBaseline: '--write-baseline',
};

/** More of them with which no run can be certified: who asks for them is told so, and nobody is offered them. */
const IN_VAIN: readonly string[] = ['--no-exhaust', '--shared-key', '--baseline', '--insecure'];

/** `petspec certify`: a whole run, and where it finds no violation a statement that others can check. */
export function certifyCommand(exit: (status: number) => void): Command {
  const command = new Command('certify')
    .summary('a whole run, and a certificate of it that others can check')
    .description(
      'Judges a target against the whole interface and, where it conforms, writes a certificate: an in-toto statement of what was certified, by what, and with which result. With --sign-key it is signed.',
    )
    .argument(
      '[target]',
      'base address, such as https://staging.example.com/v1, or a name from the configuration',
    )
    .option(
      '--subject <name@sha256:...>',
      'what is certified: an artefact by its digest, or a file (repeatable; default: the target as such)',
      (text: string, earlier: string[] = []) => [...earlier, text],
    )
    .option(
      '--sign-key <file>',
      'an Ed25519 private key in PEM: the certificate becomes a signed DSSE envelope',
    );
  for (const option of runCommand(() => undefined).options) {
    const isNarrowing = option.attributeName() in NARROWING && !option.negate;
    if (isNarrowing || IN_VAIN.includes(option.long ?? '')) option.hideHelp();
    if (option.long === '--exhaust')
      option.description = `the limit to use up, minute or day (default: ${DEFAULTS.exhaust})`;
    command.addOption(option);
  }
  return command
    .addHelpText('after', EXAMPLES)
    .action(async (target: string | undefined, flags: CertifyFlags) => exit(await certify(target, flags)));
}

async function certify(target: string | undefined, flags: CertifyFlags): Promise<number> {
  const [{ contractOf }, { allChecks }, { makePlan }, { certificateProblem }, { privateKeyOf }, signing] =
    await Promise.all([
      import('../../run/contract-of.ts'),
      import('../../../suites/index.ts'),
      import('../../run/plan.ts'),
      import('../../certificate/issue.ts'),
      import('../../certificate/keys.ts'),
      import('../options/signing.ts'),
    ]);
  refuseNarrowing(flags);
  const { signKey } = flags;
  const key = signKey === undefined ? undefined : signing.keyFrom('--sign-key', signKey, privateKeyOf);
  const earlier = replaceable(flags.out, key);
  const subjects = (flags.subject ?? []).map(signing.subjectOf);
  if (subjects.length > 0 && target === undefined)
    throw new UsageError('--subject goes with a target: without one the bundled reference is certified');
  const contract = contractOf(flags);
  const resolved = await resolveTarget(target, flags, contract.ratePlans);
  const { options } = resolved;
  const baseline = flags.baseline ?? resolved.baseline;
  refuseSharedKey(options, flags);
  keepSecret(options);
  const plan = makePlan(contract, allChecks(contract), options);
  // Known before anything is sent: a run that cannot be certified costs the target nothing.
  const [narrowing] = plan.narrowed;
  const obstacle =
    (baseline !== undefined && `the baseline ${shortened(baseline)} is in use`) ||
    (options.insecure && '--insecure leaves open who answered; --ca names whose certificates to trust') ||
    (narrowing && `${narrowing.option} leaves requirements untested`);
  if (obstacle) {
    const kept = earlier && `; ${earlier.path} is signed and stays`;
    return none(`${obstacle}; nothing was sent${kept ?? withoutEarlier(flags.out)}`);
  }
  if (earlier)
    process.stderr.write(
      `petspec: ${earlier.path} is signed with the same key: this run replaces it, or removes it if it certifies nothing\n`,
    );
  process.stderr.write(renderWarnings(options, flags.apiKey !== undefined));
  const delivered = await conduct(contract, plan, options, flags);
  const problem = certificateProblem(delivered.report);
  await writeBadges(delivered);
  if (problem !== undefined) return none(problem, delivered.status || EXIT_STATUS.incomplete);
  return issue(contract, delivered, options, subjects, key);
}

/**
 * The signed certificate of an earlier run that this one may replace: with its key another one can be signed.
 * @throws UsageError where there is one that this run could not sign again
 */
function replaceable(out: string, key: KeyObject | undefined): SignedCertificate | undefined {
  const earlier = signedCertificateIn(out);
  if (!earlier || (key && earlier.isOnlyOf(key))) return earlier;
  throw new UsageError(
    `${earlier.path} is signed: only the same key (--sign-key) replaces it; name another folder with --out`,
  );
}

/** A whole run is not narrowed: whoever asks for that is told what does it. */
function refuseNarrowing(flags: CertifyFlags): void {
  const [, named] = Object.entries(NARROWING).find(([name]) => flags[name as keyof CertifyFlags]) ?? [];
  const isUnexhausted = flags.exhaust === false || flags.exhaust === 'none';
  const option = named ?? (isUnexhausted ? '--no-exhaust' : undefined);
  if (option !== undefined)
    throw new UsageError(`${option} is for petspec run: certify makes a whole run, which nothing narrows`);
}

/** With a key that others use, a limiter that miscounts goes unnoticed. */
function refuseSharedKey({ sharedKey }: RunOptions, flags: CertifyFlags): void {
  if (!sharedKey) return;
  const where = flags.sharedKey ? '--shared-key' : 'sharedKey of the configuration';
  const instead = flags.sharedKey ? '' : ' (--no-shared-key where nobody else uses it)';
  throw new UsageError(`${where}: certify needs a key that nobody else uses${instead}`);
}

/** What `petspec certify` alone writes. */
const OWN_FILES = ['certificate', 'certifiedTarget', 'badge', 'shield'] as const;

/**
 * Takes away what an earlier `petspec certify` left in the folder unsigned: beside a refusal it would be taken for its
 * result.
 * @returns what to add to the line about the refusal
 */
function withoutEarlier(out: string): string {
  const earlier = OWN_FILES.map((each) => join(out, REPORT_FILES[each])).filter((path) => existsSync(path));
  try {
    for (const path of earlier) rmSync(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    return `; ${error.path} of an earlier run is still there, and cannot be removed (${error.code})`;
  }
  return earlier.length === 0 ? '' : `; removed what an earlier run certified: ${earlier.join(', ')}`;
}

/** Says why there is no certificate. @returns the exit status */
function none(why: string, status = EXIT_STATUS.incomplete): number {
  process.stderr.write(`petspec: no certificate: ${why}\n`);
  return status;
}

async function issue(
  contract: Contract,
  { report, status, out }: Delivered,
  options: RunOptions,
  subjects: readonly Subject[],
  key: KeyObject | undefined,
): Promise<number> {
  const [{ certificateOf }, { sha256 }] = await Promise.all([
    import('../../certificate/issue.ts'),
    import('../../certificate/statement.ts'),
  ]);
  if (out === undefined || !isKept(join(out, REPORT_FILES.json), report))
    return none(`${REPORT_FILES.json}, which it would be of, could not be kept`);
  const reportDigest = sha256(renderJson(report));
  const wanted: Issue = { options, subjects, reportDigest, ...(key ? { key } : {}) };
  const { file, target } = certificateOf(contract, report, wanted);
  try {
    const written = [
      writeFileAtomically(join(out, REPORT_FILES.certificate), file.toString()),
      writeFileAtomically(join(out, REPORT_FILES.certifiedTarget), target.toString()),
    ].map((path) => relative(process.cwd(), path) || path);
    process.stdout.write(`${key ? 'certified and signed' : 'certified'}: ${written.join('  ')}\n`);
    return status;
  } catch (error) {
    if (!isFileError(error)) throw error;
    return none(`it cannot be written into ${out} (${error.code})`);
  }
}

/** Whether the report is there, and no other in its place. */
function isKept(path: string, report: Report): boolean {
  try {
    return readFileSync(path, 'utf8') === renderJson(report);
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/** The badge tells of every verdict: one that is published goes red by itself. */
async function writeBadges({ report, out }: Delivered): Promise<void> {
  const { renderBadge, renderShield } = await import('../../certificate/badge.ts');
  if (out === undefined) return;
  try {
    writeFileAtomically(join(out, REPORT_FILES.badge), renderBadge(report));
    writeFileAtomically(join(out, REPORT_FILES.shield), renderShield(report));
  } catch (error) {
    if (!isFileError(error)) throw error;
    process.stderr.write(`petspec: the badge cannot be written into ${out} (${error.code})\n`);
  }
}

const EXAMPLES = `
Exit status: that of the verdict; 3 where there is no certificate though nothing is violated.

Keys:
  openssl genpkey -algorithm ed25519 -out sign.pem
  openssl pkey -in sign.pem -pubout -out verify.pem

Examples:
  petspec certify https://staging.example.com/v1 --api-url https://messages.example.com --sign-key sign.pem --out certified
  petspec certify https://staging.example.com/v1 --api-url ... --subject registry.example.com/store@sha256:...
  petspec verify certified/certificate.json --key verify.pem --report certified/report.json`;
