import { allChecks } from '../../suites/index.ts';
import { type RunSettings, run } from '../index.ts';
import { isViolation, type Report, type RequirementResult } from '../model/report/report.ts';
import { visible } from '../model/visible.ts';
import { renderFinding } from '../report/text/terminal.ts';
import { judgedOf } from '../report/verdict.ts';
import { contractOf } from '../run/contract-of.ts';
import { DEFAULT_OPTIONS, UsageError } from '../run/options.ts';
import { makePlan } from '../run/plan.ts';
import { requireVitest } from './running.ts';
import { openTarget, type Target } from './target.ts';

/** What is judged, and how: the options of a run. The key is `apiKey`, the target's own, or PETSPEC_API_KEY. */
export interface ConformanceOptions extends Omit<RunSettings, 'baseUrl'> {
  target: Target;
}

/**
 * Registers the conformance suite in the vitest run that this is called in: a test for each requirement, in a `describe`
 * for each section of the interface. The target is judged once, before the first of them. A test fails where its
 * requirement is violated, and where a `must` was not tested although nobody left it out; so the tests pass exactly
 * where the verdict is `conformant`.
 * @throws UsageError outside a vitest run, and where `only` selects nothing
 */
export function conformance({ target, ...settings }: ConformanceOptions): void {
  const { beforeAll, describe, test, vi } = requireVitest();
  if (target === undefined)
    throw new UsageError('target is missing: an address, or a function that starts your app and returns it');
  const contract = contractOf(settings);
  const options = { ...DEFAULT_OPTIONS, only: settings.only ?? [] };
  const selected = new Set(
    makePlan(contract, allChecks(contract), options).checks.map((each) => each.requirement),
  );
  const requirements = contract.requirements.filter(({ id }) => selected.has(id));

  describe('petspec', () => {
    let report: Report;
    beforeAll(async () => {
      if (vi.isFakeTimers())
        throw new UsageError('the timers are faked, and a run would wait for ever: vi.useRealTimers() first');
      report = await judge(target, settings);
      const { verdict, stopped, because, summary } = report;
      const isEmpty = verdict === 'incomplete' && judgedOf(report).requirements === 0;
      if (isEmpty || (stopped && summary.violated === 0)) throw new Error(visible(`${verdict}: ${because}`));
    }, 0);

    for (const section of new Set(requirements.map((each) => each.section))) {
      describe(section, () => {
        for (const { id, statement } of requirements.filter((each) => each.section === section))
          test(`${id}: ${statement}`, ({ skip }) => {
            const result = report.requirements.find((each) => each.id === id);
            if (!result) throw new Error(`${id} has no finding`);
            if (isViolation(report, result)) throw new Error(renderFinding(result) + rootCauseOf(report, id));
            if (result.status !== 'not-tested') return;
            const { why, isAccounted } = reasonOf(report, result);
            if (result.level === 'must' && !isAccounted) throw new Error(visible(`not tested: ${why}`));
            skip(visible(why));
          });
      });
    }
  });
}

/** The root cause that a finding follows from, as a line of its own. */
function rootCauseOf({ rootCause }: Report, id: string): string {
  return rootCause?.requirements.includes(id) ? `\nroot cause: ${visible(rootCause.statement)}` : '';
}

async function judge(target: Target, settings: RunSettings): Promise<Report> {
  const { addresses, close } = await openTarget(target);
  const apiKey = process.env.PETSPEC_API_KEY?.trim() || undefined;
  const stated = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  try {
    return await run({ apiKey, ...addresses, ...stated });
  } finally {
    await close();
  }
}

/** Why a requirement was not tested, and whether that is the user's wish, or in the wake of a test that fails. */
function reasonOf(
  report: Report,
  { id, reason, cause }: RequirementResult,
): { why: string; isAccounted: boolean } {
  const option = report.narrowed.find((each) => each.requirements.includes(id))?.option;
  const culprit = report.requirements.find((each) => each.id === cause);
  const because = option ?? cause;
  return {
    why: because === undefined || reason.includes(because) ? reason : `${reason} (${because})`,
    isAccounted: option !== undefined || (culprit !== undefined && isViolation(report, culprit)),
  };
}
