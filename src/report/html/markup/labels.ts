import type { Status } from '../../../model/finding.ts';
import type { Report, RequirementResult } from '../../../model/report/report.ts';
import { verdictWords } from '../../verdict.ts';

/** How a status is shown. `unexercised`: met, but nothing in the run could have shown a violation. */
export type ShownStatus = Status | 'unexercised';

/** The statuses in the order of every list: worst first. */
export const STATUS_LABELS: Readonly<Record<ShownStatus, string>> = {
  violated: 'Violated',
  advisory: 'Advisory',
  'not-tested': 'Not tested',
  unexercised: 'Met, not exercised',
  met: 'Met',
  observed: 'Left open',
};

export const STATUS_ORDER = Object.keys(STATUS_LABELS) as readonly ShownStatus[];

/** What the requests of each stage of a run are for. */
export const STAGE_LABELS: Readonly<Record<string, string>> = {
  first: 'First list',
  find: 'Finding ids',
  create: 'Creating',
  read: 'Reading back',
  list: 'Listing',
  invalid: 'Invalid requests',
  keys: 'Wrong keys',
  other: 'Other operations',
  messages: 'Messages',
  exhaust: 'Using up the limit',
  surplus: 'Further tests while the limit is used up',
  remove: 'Removals',
  recover: 'After the limit',
};

/** The verdict of a report as a title. A narrowed one says how much it covers. */
export function verdictTitle(report: Report): string {
  return capitalized(verdictWords(report));
}

/** `Non-conformant`. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How the status of a requirement is shown. */
export function shownStatus({ status, exercised }: RequirementResult): ShownStatus {
  return status === 'met' && !exercised ? 'unexercised' : status;
}

/** How many requirements have each status. */
export function countsByStatus(requirements: readonly RequirementResult[]) {
  const statuses = requirements.map(shownStatus);
  return STATUS_ORDER.map((status) => ({
    status,
    number: statuses.filter((each) => each === status).length,
  }));
}
