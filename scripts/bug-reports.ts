/**
 * The kinds of bugs in assets/bug-reports.tsv, with the requests that look for them and faults that these find, for
 * docs/bug-reports.md: `node dist/scripts/bug-reports.js [--write]`. `--write` writes the table, without it it is printed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../src/contract/load.ts';
import { groupedBy } from '../src/model/large/lookups.ts';
import { packageRoot } from '../src/model/package-root.ts';
import type { Probe } from '../src/model/probe.ts';
import { BUG_KINDS, type BugReport, readBugReports } from '../src/probes/surplus/after-recovery/reported.ts';
import { afterRecoveryOf, probesOf } from '../src/run/plan/probes.ts';
import { allChecks } from '../suites/index.ts';

const FILE = join(packageRoot, 'docs', 'bug-reports.md');

/** Faults of the reference that have a bug of each kind. */
export const FAULTS_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  'wrong-type': [
    'create-name-number',
    'create-category-boolean',
    'create-status-ordinal',
    'lax-category-empty-text',
  ],
  'wrong-member': ['create-status-any-case', 'list-status-unknown-503'],
  'malformed-json': ['create-malformed-500', 'create-malformed-body'],
  'empty-body': ['create-empty-body', 'http-closed-empty-body'],
  'not-an-object': ['create-null-500', 'create-array-body', 'lax-body-true-crash'],
  'text-after': ['lax-body-two'],
  'number-out-of-range': ['create-category-wraps', 'fetch-largest-500'],
  'not-a-number': ['limit-nan-crash'],
  'lost-digits': ['create-category-through-double', 'fetch-neighbour'],
  'text-for-number': ['pet-id-text', 'pet-category-text-large'],
  'null-for-absent': ['pet-status-null-created', 'pet-status-null'],
  'changed-text': ['create-name-decomposed', 'create-name-escaped'],
  'beyond-bmp': ['create-emoji-500', 'create-name-cut-at-emoji'],
  'half-character': ['lax-half-escape-crash'],
  'zero-character': ['lax-zero-crash', 'cursor-crashes'],
  'invalid-utf8': ['lax-byte-crash'],
  'byte-order-mark': ['byte-order-mark-crashes'],
  'deep-nesting': ['lax-name-deep-crash'],
  'duplicate-name': ['duplicate-name-crashes'],
  'name-in-other-case': ['other-case-crashes'],
  'property-name': ['prototype-field-crashes'],
  'unknown-field': ['create-unknown-field-501', 'nested-field-crashes'],
  'operator-object': ['brackets-in-name-crash'],
  'wrong-parameter': ['list-limit-text-502', 'list-limit-101-500'],
  'repeated-parameter': ['limit-twice-crash'],
  'brackets-in-name': ['brackets-in-name-crash'],
  'page-size': ['list-limit-100-504', 'page-50-unbounded', 'list-limit-101'],
  'percent-escape': ['broken-percent-crashes'],
  'address-spelling': ['address-slash-public', 'address-doubled-public'],
  'content-type': ['lax-type-text-crash', 'lax-type-absent-crash', 'charset-500'],
  'content-encoding': ['not-compressed-crashes'],
  'chunked-body': ['lax-chunks-crash', 'chunks-500'],
  negotiation: ['browser-gets-page', 'broken-accept-crashes'],
  cookie: ['orders-cookie-crashes'],
  conditional: ['none-match-crashes'],
  'key-form': ['key-403', 'key-missing-create-500', 'scheme-ignored'],
  'shared-response': ['right-then-wrong-fetch', 'key-any-fetch'],
  'stale-read': ['again-fetch-partly', 'again-list-empty', 'fetch-stale'],
  'creation-race': ['create-id-race', 'additions-together-500'],
  'left-over-body': ['after-400-body', 'after-400-status'],
  'refused-body': ['error-sentence', 'error-empty-401'],
  'refusal-body': ['429-html', '429-text', '429-empty'],
  'limit-headers-lost': ['header-none-404', 'limit-absent-429'],
  'limit-times': ['reset-milliseconds', 'reset-seconds-to-go', 'retry-after-absent'],
  remaining: ['remaining-below-zero', 'remaining-constant', 'early-by-one'],
  'limit-race': ['late-burst'],
  'forwarded-address': ['late-per-forwarded'],
  'window-end': ['never-reopens', 'banned-after-429'],
};

/** The rows of the table: the kinds with most reports first. */
function rowsOf(reports: readonly BugReport[]): string[] {
  const all = probes();
  return [...groupedBy(reports, ({ kind }) => kind)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([kind, of]) => {
      const { title = kind, probes: looking, outOfReach } = BUG_KINDS[kind] ?? {};
      const found = (FAULTS_OF_KIND[kind] ?? []).map((id) => `\`${id}\``).join(', ');
      const probe = all.find(({ id }) => looking?.test(id));
      const request = probe ? `\`${probe.operation}\`: ${probe.title}` : `none: ${outOfReach}`;
      return `| ${[title, of.length, exampleOf(of), request.replaceAll('|', '\\|'), found].join(' | ')} |`;
    });
}

/** What a run sends, also after the recovery. */
function probes(): Probe[] {
  const contract = loadContract();
  const checks = allChecks(contract);
  return [...probesOf(contract, checks, 0), ...afterRecoveryOf(contract, checks, 0)];
}

/** One report of two areas each, with links. */
function exampleOf(reports: readonly BugReport[]): string {
  return [...groupedBy(reports, ({ area }) => area).values()]
    .slice(0, 2)
    .flatMap(([first]) =>
      first ? [`${first.sent.replaceAll('|', '\\|')}: [${first.received}](${first.source})`] : [],
    )
    .join('<br>');
}

/** The text of docs/bug-reports.md, with the table made from the reports. */
export function withTable(text: string, reports: readonly BugReport[]): string {
  const head = [
    '| what is sent, or what is wrong | reports | for example | a request that looks for it | faults that show it |',
    '|---|---|---|---|---|',
  ];
  return text.replace(
    /(<!-- kinds -->\n\n)[\s\S]*?(\n\n<!-- \/kinds -->)/,
    (_, start, end) => `${start}${[...head, ...rowsOf(reports)].join('\n')}${end}`,
  );
}

if (process.argv[1]?.endsWith('bug-reports.js') ?? false) {
  const text = withTable(readFileSync(FILE, 'utf8'), readBugReports());
  if (process.argv.includes('--write')) writeFileSync(FILE, text);
  else process.stdout.write(text);
}
