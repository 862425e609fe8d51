import { type RunSettings, run } from '../index.ts';
import { isViolation, type Report, type RequirementResult } from '../model/report/report.ts';
import { UsageError } from '../model/usage-error.ts';
import { visible } from '../model/visible.ts';
import { judgedOf, whyNotJudged } from '../report/facts/verdict.ts';
import { renderFinding } from '../report/text/terminal.ts';
import { interfaceOf } from '../run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../run/options.ts';
import { makePlan } from '../run/plan.ts';
import { refuseWrongSettings } from '../run/settings/settings.ts';
import { inSettings } from '../run/settings/stated-name.ts';
import { registerRequirements } from './register-tests.ts';
import { requireVitest } from './running.ts';

/**
 * The target of {@link conformance}, and the settings of its run. The API key is `apiKey`, or else that of the
 * started target, or else the environment variable PETSPEC_API_KEY.
 */
export interface ConformanceOptions extends Omit<RunSettings, 'baseUrl'> {
  /** A base URL, a started target, or a function that starts a target. */
  target: Target;
}

/**
 * Registers the conformance suite in a vitest test file: a test for each requirement, in a `describe` for each section
 * of the interface. Petspec runs once, before the first test, and closes a target that it started.
 *
 * A test fails if its requirement is violated, or if its level is `must` and it was not tested for a reason other than
 * an option or another failing test. What the interface leaves open is skipped, with what was observed. So no test fails if
 * and only if the verdict is `conformant`.
 *
 * @throws UsageError if vitest does not run the file, `target` is missing, a setting is not valid, or `only` selects
 *   nothing. A hook fails with a UsageError if the target or a setting does not fit the interface, or the timers are fake.
 * @example
 * conformance({ target: () => startMyApp({ port: 0 }), plan: 'free' });
 */
export function conformance({ target, ...settings }: ConformanceOptions): void {
  const { beforeAll, describe, test, vi } = requireVitest();
  if (target === undefined)
    throw new UsageError(
      "missing 'target'; pass a base URL, or a function that starts your app and returns its address",
    );
  refuseWrongSettings(settings);
  const { set, example, only = [] } = settings;

  describe('petspec', async () => {
    const { contract, plan } = await inSettings(async () => {
      const judging = await interfaceOf({ interface: settings.interface, set, example });
      return { ...judging, plan: makePlan(judging.contract, judging.checks, { ...DEFAULT_OPTIONS, only }) };
    });
    let report: Report;
    beforeAll(async () => {
      if (vi.isFakeTimers())
        throw new UsageError(
          "vitest's fake timers are on, and a run would never end; call vi.useRealTimers() first",
        );
      report = await judge(target, settings);
      const { verdict, stopped, because, summary } = report;
      const isEmpty = verdict === 'incomplete' && judgedOf(report).requirements === 0;
      const toTry = (report.hints ?? []).map(({ text }) => text);
      if (isEmpty || (stopped && summary.violated === 0))
        throw new Error(visible(`${verdict}: ${[because, ...toTry].join('; ')}`));
    }, 0);

    registerRequirements({ describe, test }, contract, plan, ({ id }, { skip }) => {
      const result = report.requirements.find((candidate) => candidate.id === id);
      if (!result) throw new Error(`requirement '${id}' has no finding`);
      if (isViolation(report, result)) throw new Error(renderFinding(result) + rootCauseOf(report, id));
      const why = whyNotJudged(result);
      if (why === undefined) return;
      if (isMissing(report, result)) throw new Error(visible(`not tested: ${why}`));
      skip(visible(why));
    });
  });
}

/** The root cause of a finding, on its own line. */
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

/** Whether a `must` was not tested, and neither an option nor another failing test accounts for it. */
function isMissing(report: Report, { id, level, status, cause }: RequirementResult): boolean {
  const culprit = report.requirements.find((candidate) => candidate.id === cause);
  const isLeftOut = report.narrowed.some((narrowing) => narrowing.requirements.includes(id));
  const isBlocked = culprit !== undefined && isViolation(report, culprit);
  return level === 'must' && status === 'not-tested' && !isLeftOut && !isBlocked;
}

/** A target that was started for the tests. */
export interface StartedTarget {
  /** Base URL of the service. */
  baseUrl: string | URL;
  /** Base URL of the message API. Without it, the requirements of the message API are left out. */
  apiUrl?: string | URL | undefined;
  /** API key of the target. */
  apiKey?: string | undefined;
  /** Stops the target. Called after the run, and awaited. */
  close?: (() => unknown) | undefined;
  /** Another name for `close`, called if there is no `close`. */
  stop?: (() => unknown) | undefined;
}

/** The base URL of a target, alone or with its other addresses. */
export type TargetAddress = string | URL | StartedTarget;

/** The address of a target, or a function that starts the target and returns the address. */
export type Target = TargetAddress | (() => TargetAddress | Promise<TargetAddress>);

/**
 * Starts a target if it is a function.
 * @throws UsageError if the value, or what the function returns, is not a target
 */
async function openTarget(target: Target): Promise<{
  addresses: { baseUrl: string; apiUrl?: string; apiKey?: string };
  close: () => Promise<void>;
}> {
  const opened = typeof target === 'function' ? await target() : target;
  if (typeof opened === 'string' || opened instanceof URL)
    return { addresses: { baseUrl: String(opened) }, close: async () => {} };
  if (typeof opened !== 'object' || opened === null || !opened.baseUrl)
    throw new UsageError(
      "'target' is not valid; expected a base URL, { baseUrl, apiUrl, apiKey, close }, or a function that returns one of them",
    );
  const { baseUrl, apiUrl, apiKey } = opened;
  return {
    addresses: {
      baseUrl: String(baseUrl),
      ...(apiUrl === undefined ? {} : { apiUrl: String(apiUrl) }),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
    close: async () => {
      // Called as methods, because they may use `this`.
      await (opened.close ? opened.close() : opened.stop?.());
    },
  };
}
