import type { Status } from '../../../model/finding.ts';
import type { Report, RequirementResult, Verdict } from '../../../model/report/report.ts';
import { verdictWords } from '../../verdict.ts';

/** How a status is shown. `unexercised`: met, but nothing in the run could have shown a violation. */
export type ShownStatus = Status | 'unexercised';

/** The order of every list of statuses: worst first. */
export const STATUS_ORDER: readonly ShownStatus[] = [
  'violated',
  'advisory',
  'not-tested',
  'unexercised',
  'met',
  'observed',
];

export const STATUS_LABELS: Readonly<Record<ShownStatus, string>> = {
  violated: 'Violated',
  advisory: 'Advisory',
  'not-tested': 'Not tested',
  unexercised: 'Met, not exercised',
  met: 'Met',
  observed: 'Left open',
};

export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Non-conformant',
  incomplete: 'Incomplete',
};

/** The status whose icon and color a verdict has. */
export const VERDICT_STATUS: Readonly<Record<Verdict, ShownStatus>> = {
  conformant: 'met',
  'non-conformant': 'violated',
  incomplete: 'not-tested',
};

/** What the requests of each stage of a run are for. */
export const STAGE_LABELS: Readonly<Record<string, string>> = {
  first: 'First list',
  create: 'Creating',
  read: 'Reading back',
  list: 'Listing',
  invalid: 'Invalid requests',
  keys: 'Wrong keys',
  other: 'Other operations',
  messages: 'Messages',
  exhaust: 'Using up the limit',
  recover: 'After the limit',
};

/** The verdict of a report as a title. A narrowed one says how much it covers. */
export function verdictTitle(report: Report): string {
  return `${VERDICT_LABELS[report.verdict]}${verdictWords(report).slice(report.verdict.length)}`;
}

/** How the status of a requirement is shown. */
export function shownStatus({ status, exercised }: RequirementResult): ShownStatus {
  return status === 'met' && !exercised ? 'unexercised' : status;
}
