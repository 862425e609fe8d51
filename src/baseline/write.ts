import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import { type Fingerprint, mergeFingerprints } from '../model/finding.ts';
import { isViolation, type Report, type RequirementResult } from '../model/report/report.ts';
import { clip, visible } from '../model/visible.ts';
import {
  type Baseline,
  type BaselineEntry,
  covers,
  digestOf,
  type PlannedRun,
  TODO_COMMENT,
} from './baseline.ts';

/** Longest comment with the expected and received values, in characters. */
const MAX_HINT = 300;

const HEAD = ` Known violations. With --baseline and this file, petspec exits with 0 if it finds no others. petspec compares the requirement,
 and kind, pointer and at of each item; what is only for the reader. Say in each comment why the violation is known, and until
 when. If you do not regard it as a violation, put waived: <the reason> in place of the comment.`;

const REQUESTS =
  ' What the run sent, as a digest. A run that sends the same also fails for an entry that is no longer violated.';

type Written = Pick<BaselineEntry, 'requirement' | 'comment' | 'waived' | 'seen'>;

/**
 * Renders the violations of a run as a baseline.
 * @param sent what the run sent by its plan; absent for traffic that petspec did not plan
 * @param earlier the baseline that the run was compared with: its comments stay, and what this run could not show
 */
export function renderBaseline(report: Report, sent: PlannedRun | undefined, earlier?: Baseline): string {
  const digest = sent && digestOf(sent);
  const otherEntries = digest !== undefined && digest === earlier?.requests ? [] : (earlier?.entries ?? []);
  const violations = report.requirements.filter((result) => isViolation(report, result));
  const unseen = new Set(report.baseline?.unjudged.map(({ requirement }) => requirement));
  const entries = [
    ...violations.map((violation) => entryOf(violation, earlier?.entries ?? [], otherEntries)),
    ...(earlier?.entries ?? [])
      .filter(({ requirement }) => unseen.has(requirement))
      .map(({ line: _line, lastLine: _lastLine, ...entry }) => entry),
  ];
  const isFoundWhole = entries.every(({ seen }, index) => covers(violations[index]?.seen ?? [], seen));
  const document = new Document(
    { requests: digest !== undefined && isFoundWhole ? digest : undefined, violations: entries },
    { aliasDuplicateObjects: false },
  );
  addComments(document, violations);
  return document.toString({ lineWidth: 0 });
}

/** @param otherEntries entries of a run that sent other requests, which may have shown more */
function entryOf(
  { id, seen: found = [] }: RequirementResult,
  earlier: readonly BaselineEntry[],
  otherEntries: readonly BaselineEntry[],
): Written {
  const isSame = ({ requirement }: BaselineEntry) => requirement === id;
  const earlierEntry = earlier.find((entry) => isSame(entry) && covers(entry.seen, found));
  const more = otherEntries
    .find(isSame)
    ?.seen.flatMap(({ kind, ...fingerprint }) => (kind ? [{ ...fingerprint, kind }] : []));
  const seen = mergeFingerprints([...found, ...(more ?? [])]).map(
    ({ variation: _, ...fingerprint }): Fingerprint => fingerprint,
  );
  if (!earlierEntry) return { requirement: id, comment: TODO_COMMENT, seen };
  const { comment, waived } = earlierEntry;
  return { requirement: id, comment, waived, seen };
}

/** Adds comments for the reader: the head, and what was expected and received. Puts lists of places on one line. */
function addComments(document: Document, violations: readonly RequirementResult[]): void {
  document.commentBefore = HEAD;
  visit(document, {
    Pair(_, { key, value }) {
      if (String(key) === 'at' && isSeq(value)) value.flow = true;
      if (String(key) === 'requests' && isScalar(key)) key.commentBefore = REQUESTS;
    },
  });
  const list = document.get('violations');
  if (!isSeq(list)) return;
  for (const [index, { expected = '', received = '' }] of violations.entries()) {
    const entry = list.items[index];
    const reason = isMap(entry) ? entry.items[1] : undefined;
    const hint = visible(clip(`expected ${expected}, received ${received}`, MAX_HINT));
    if (isScalar(reason?.key)) reason.key.commentBefore = ` ${hint}`;
  }
}
