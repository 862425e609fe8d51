import type { Change } from '../changes/change.ts';

/** A named change to the reference that violates a named requirement. */
export type Fault = Change & {
  id: string;
  /** One line: what the service does wrong. */
  summary: string;
  /** The id of the requirement. A second one needs `because`. */
  violates: [string] | [string, string];
  because?: string;
  /** Shown only by requests that go out together: with `--concurrency 1` a run does not find it. */
  isRace?: true;
  /** Seeds that show it, if not every seed does. The self-check tries it with one of these. */
  seeds?: readonly [number, ...number[]];
  /**
   * Shown by further requests alone, while the limit is used up: the smallest plan whose limit leaves room for them. Default:
   * what every run sends shows it.
   */
  plan?: 'free' | 'pro' | 'business';
  /** Shown only by what a run sends after the recovery: a frugal run does not find it. */
  isAfterRecovery?: true;
  /** Shown only by a run that sends so many requests, in several windows of the smallest plan. */
  budget?: number;
  /** The time at which it is tried, ISO 8601. Default: today. */
  start?: string;
};

/** What a fault is beside its id, summary and change: what shows it. */
type FaultDetails = Omit<Fault, 'id' | 'summary' | 'violates' | keyof Change>;

/** Faults that violate the same requirement, by id: what the service does wrong, by which change, and what shows it. */
export function violating(
  requirement: string,
  rows: Readonly<Record<string, readonly [summary: string, change: Change, details?: FaultDetails]>>,
): Fault[] {
  return Object.entries(rows).map(([id, [summary, change, details]]) => ({
    id,
    summary,
    violates: [requirement],
    ...details,
    ...change,
  }));
}
