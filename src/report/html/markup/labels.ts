import type { Status } from '../../../model/finding.ts';
import type { Report, RequirementResult } from '../../../model/report/report.ts';
import { verdictWords } from '../../facts/verdict.ts';
import { type Html, html } from './markup.ts';

/** A status on the page. `unexercised`: met, but nothing in the run could have shown a violation. */
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

/** The purpose of the requests of each stage of a run. */
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
  surplus: 'Further tests',
  remove: 'Removals',
  recover: 'After the limit',
};

/** The verdict of a report as a title. A narrowed verdict says how much it covers. */
export function verdictTitle(report: Report): string {
  return capitalized(verdictWords(report));
}

/** `Non-conformant`. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function shownStatus({ status, exercised }: RequirementResult): ShownStatus {
  return status === 'met' && !exercised ? 'unexercised' : status;
}

/** The number of requirements with each status. */
export function countsByStatus(requirements: readonly RequirementResult[]) {
  const statuses = requirements.map(shownStatus);
  return STATUS_ORDER.map((status) => ({
    status,
    number: statuses.filter((candidate) => candidate === status).length,
  }));
}

/** A shape for each status, so that color is not the only difference. On a grid of 16 by 16. */
const SHAPES: Readonly<Record<ShownStatus, Html>> = {
  violated: html`<path class="full" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"/><path class="cut" d="m5.5 5.5 5 5m0-5-5 5"/>`,
  advisory: html`<path class="full" d="M8 1.2 15.2 14.4H.8z"/><path class="cut" d="M8 6v4m0 2v.4"/>`,
  'not-tested': html`<circle class="dashed" cx="8" cy="8" r="6.2"/><path class="line" d="M5.2 8h5.6"/>`,
  unexercised: html`<circle class="line" cx="8" cy="8" r="6.2"/><path class="line" d="m5.2 8.2 2 2 3.6-4"/>`,
  met: html`<circle class="full" cx="8" cy="8" r="7"/><path class="cut" d="m4.9 8.2 2.2 2.2 4-4.6"/>`,
  observed: html`<path class="line" d="M8 1.8 14.2 8 8 14.2 1.8 8z"/><circle class="full" cx="8" cy="8" r="1.7"/>`,
};

/** The definitions of the shapes, once per page, to which `icon` refers. */
export function symbols(): Html {
  const definitions = STATUS_ORDER.map(
    (status) => html`<symbol id="i-${status}" viewBox="0 0 16 16">${SHAPES[status]}</symbol>`,
  );
  return html`<svg class="symbols" aria-hidden="true" focusable="false">${definitions}</svg>`;
}

/** The shape of a status. Screen readers skip it, so put its label next to it. */
export function icon(status: ShownStatus): Html {
  return html`<svg class="icon ${status}" aria-hidden="true" focusable="false"><use href="#i-${status}"/></svg>`;
}

export function badge(status: ShownStatus): Html {
  return html`<span class="badge ${status}">${icon(status)} ${STATUS_LABELS[status]}</span>`;
}
