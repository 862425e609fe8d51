import type { Status } from '../../../model/finding.ts';
import type { Report, RequirementResult, Verdict } from '../../../model/report/report.ts';
import { verdictWords } from '../../verdict.ts';

/** How a status is shown: `unexercised` is a `met` that nothing put to the test. */
export type Shown = Status | 'unexercised';

/** Worst first: the order of every list of statuses. */
export const SHOWN: readonly Shown[] = [
  'violated',
  'advisory',
  'not-tested',
  'unexercised',
  'met',
  'observed',
];

export const STATUS_WORDS: Readonly<Record<Shown, string>> = {
  violated: 'Violated',
  advisory: 'Advisory',
  'not-tested': 'Not tested',
  unexercised: 'Met, not exercised',
  met: 'Met',
  observed: 'Left open',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Non-conformant',
  incomplete: 'Incomplete',
};

/** The status whose shape and colour a verdict has. */
export const VERDICT_STATUS: Readonly<Record<Verdict, Shown>> = {
  conformant: 'met',
  'non-conformant': 'violated',
  incomplete: 'not-tested',
};

/** What each purpose of a request is, in words (the stages of a run). */
export const PURPOSES: Readonly<Record<string, string>> = {
  first: 'A first list',
  create: 'Adding animals',
  read: 'Reading them back',
  list: 'Listing',
  invalid: 'Sending what is wrong',
  keys: 'Trying wrong keys',
  other: 'Store orders',
  messages: 'Messages',
  exhaust: 'Using up the limit',
  recover: 'After the limit',
};

/** The verdict of a report as a heading: one that options narrowed says how much it covers. */
export function verdictTitle(report: Report): string {
  return `${VERDICT_WORDS[report.verdict]}${verdictWords(report).slice(report.verdict.length)}`;
}

/** How the status of a requirement is shown. */
export function shownStatus({ status, exercised }: RequirementResult): Shown {
  return status === 'met' && !exercised ? 'unexercised' : status;
}

/** `1 request`, `2,000 requests`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** A length of time in the unit in which people would say it. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  if (minutes < 60) return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** A date for people; undefined where the text is none. */
export function moment(iso: string): string | undefined {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? undefined : `${DATE.format(time)} UTC`;
}
