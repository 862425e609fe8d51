import { loadContract } from '../../src/contract/load.ts';
import { isProblem } from '../../src/model/finding.ts';
import { delayed } from '../../src/reference/changes/wire-changes.ts';
import { faults, limiterFaults } from '../../src/reference/faults/index.ts';
import type { Change } from '../../src/reference/index.ts';
import { PLANS } from '../../src/reference/settings.ts';
import { limiterVariants, variants } from '../../src/reference/variants/index.ts';
import {
  brokenPromises,
  changeOf,
  idsWith,
  nameOf,
  type Subject,
  startOf,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { intoClosedWindows, type LoggedRun, loggedRun } from '../economy/logged-run.ts';
import { judgmentOf } from '../laws/judgment.ts';
import { drawn } from '../nightly/sampled.ts';
import { isKeyShared } from '../secrets/shared-key.ts';
import { type LimiterCell, limiterOf, type SubjectCell } from './cells.ts';

const musts = new Set(
  loadContract()
    .requirements.filter(({ level }) => level === 'must')
    .map(({ id }) => id),
);

/** How long the reference takes for a response without more latency (ms). */
const OWN_MS = 5;

/** What every run of the catalog shows: not only a race, another plan, several windows or certain seeds. */
const isPlain = (fault: (typeof faults)[number]) =>
  [fault.isRace, fault.plan, fault.budget, fault.seeds, fault.start].every((each) => each === undefined);

const isOf = (part: readonly object[]) => (each: object) => part.includes(each);
const LIMITER_FAULTS = limiterFaults.filter(isPlain).map((fault): Subject => ({ fault }));
const LIMITER_VARIANTS = limiterVariants.map((variant): Subject => ({ variant }));
const OTHER_FAULTS = faults
  .filter((each) => isPlain(each) && !isOf(limiterFaults)(each))
  .map((fault): Subject => ({ fault }));
const OTHER_VARIANTS = variants
  .filter((each) => !isOf(limiterVariants)(each))
  .map((variant): Subject => ({ variant }));

const SUBJECTS: Readonly<Record<SubjectCell['subject'] | LimiterCell['beside'], readonly Subject[]>> = {
  nothing: [],
  'a fault': OTHER_FAULTS,
  'a variant': OTHER_VARIANTS,
  'a limiter fault': LIMITER_FAULTS,
  'a limiter variant': LIMITER_VARIANTS,
};

/** The fault or the variant of a cell: another one for another cell. */
export function subjectOf(cell: LimiterCell | SubjectCell): Subject | undefined {
  if (!('subject' in cell)) return drawn(SUBJECTS[cell.beside], 1, nameOf, JSON.stringify(cell))[0];
  const { subject: kind, id } = cell;
  if (id === undefined) return drawn(SUBJECTS[kind], 1, nameOf, JSON.stringify(cell))[0];
  const named = subjects().find((each) => changeOf(each).id === id);
  if (!named) throw new Error(`nothing in the catalog is called ${id}`);
  return named;
}

/** A cell in a line, with its fault or variant. */
export function titleOf(cell: LimiterCell | SubjectCell): string {
  const subject = subjectOf(cell);
  return [...Object.values(cell), ...(subject ? [nameOf(subject)] : [])].join(', ');
}

/** Runs in the circumstances of a cell, in virtual time, and tells what is wrong with the run; nothing should be. */
export async function problemsOf(cell: LimiterCell | SubjectCell): Promise<string[]> {
  const run = await runOf(cell);
  const subject = subjectOf(cell);
  return [
    ...wrongFindings(cell, subject, run),
    ...brokenPromises(run.runPlan.cost.most, run),
    ...(await otherwiseInMemory(cell, run)),
    ...intoClosed(cell, run),
  ];
}

/** A run in the circumstances of a cell. */
export async function runOf(
  cell: LimiterCell | SubjectCell,
  connections = cell.connections,
): Promise<LoggedRun> {
  const { plan, size: concurrency, seed, clockSkew, latency } = cell;
  const subject = subjectOf(cell);
  const change = subject && changeOf(subject);
  const isCatalog = 'subject' in cell;
  const limiter: Change = isCatalog ? {} : { settings: { limiter: limiterOf(cell) } };
  const budget = isCatalog && cell.budget !== undefined ? { budget: cell.budget, frugal: false } : {};
  return loggedRun({
    plan: PLANS[plan],
    connections,
    changes: [
      { settings: { clockSkew } },
      limiter,
      ...(latency > 0 ? [delayed({}, latency)] : []),
      ...(change ? [change] : []),
    ],
    options: { plan, concurrency, seed, sharedKey: isShared(cell, subject), ...budget },
    ...(isCatalog || change?.start !== undefined ? startOf(change ?? {}) : {}),
  });
}

function isShared(cell: LimiterCell | SubjectCell, subject: Subject | undefined): boolean {
  return (
    ('others' in cell && cell.others !== 'nobody') ||
    (subject !== undefined && isKeyShared(changeOf(subject).id))
  );
}

/** Who conforms is not accused; of a fault, only what it violates is found. */
function wrongFindings(
  cell: LimiterCell | SubjectCell,
  subject: Subject | undefined,
  run: LoggedRun,
): string[] {
  const violated = idsWith(run, isProblem);
  const told = (id: string) => `${id}: ${run.findings[id]?.reason}`;
  if (subject && 'fault' in subject) {
    const names: readonly string[] = subject.fault.violates;
    const others = violated.filter((id) => !names.includes(id)).map((id) => `reported by ${told(id)}`);
    // A slow service may let no run use up its limit.
    const isLimited = cell.latency === 0 || run.log.some(({ status }) => status === 429);
    const isMissed = isLimited && names.every((id) => run.findings[id]?.status === 'met');
    return [...others, ...(isMissed ? [`${names.join(' or ')} is met`] : [])];
  }
  const { rootCause, hints } = run;
  return [
    ...violated.filter((id) => musts.has(id)).map((id) => `false alarm: ${told(id)}`),
    ...(rootCause ? [`false root cause: ${rootCause.statement}`] : []),
    ...hints.map(({ text }) => `false hint: ${text}`),
    ...notTested(cell, subject, run),
  ];
}

/** What a run has to test, and does not. */
function notTested(
  cell: LimiterCell | SubjectCell,
  subject: Subject | undefined,
  { findings, untested }: LoggedRun,
): string[] {
  if (!('subject' in cell)) {
    const isSeen = subject !== undefined || !fits(cell) || findings.TooManyRequests?.status === 'met';
    return isSeen ? [] : [`the limit is not seen to hold: ${findings.TooManyRequests?.reason}`];
  }
  // Where responses take time, windows end while they are used up.
  if (!subject || !('variant' in subject) || cell.latency > 0 || subject.variant.id.startsWith('slow-'))
    return [];
  const { untested: named = [] } = subject.variant;
  return Object.keys(untested).flatMap((id) =>
    named.includes(id) ? [] : [`${id} is not tested: ${untested[id]}`],
  );
}

/** One request at a time finds the same, whatever connects. */
async function otherwiseInMemory(cell: LimiterCell | SubjectCell, run: LoggedRun): Promise<string[]> {
  if (cell.connections === 'memory' || cell.size > 1) return [];
  const inMemory = await runOf(cell, 'memory');
  const [one, other] = [run, inMemory].map((each) => JSON.stringify(judgmentOf(each)));
  return one === other ? [] : [`in memory it finds ${other}, over sockets ${one}`];
}

/** Where nobody else uses the key, a 429 ends what is sent. */
function intoClosed(cell: LimiterCell | SubjectCell, { log }: LoggedRun): string[] {
  if ('subject' in cell || cell.others !== 'nobody' || cell.beside === 'a fault') return [];
  const sent = intoClosedWindows(log);
  return sent === 0 ? [] : [`${sent} requests after a 429, before the time that it states`];
}

/**
 * Whether the limit can be used up within half a window, nobody else uses it, and all reads of an address count together: then a run has
 * to see that it is enforced. At the reference's own pace, a bucket of a few seconds is refilled as fast.
 */
function fits({ plan, latency, size, window, counted, others }: LimiterCell): boolean {
  const isOwn = counted.endsWith('address') || counted.endsWith('addresses');
  const ms = Math.max(latency, OWN_MS);
  return isOwn && others === 'nobody' && (PLANS[plan].minute * ms) / size <= (window * 1_000) / 4;
}
