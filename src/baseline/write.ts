import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import { isViolation, type Report } from '../model/report/report.ts';
import { clip, visible } from '../model/visible.ts';
import { type Baseline, isSame, TO_BE_SAID } from './baseline.ts';

/** Characters of a line that reminds of what was found. */
const MAX_HINT = 300;

const HEAD = ` Violations that are known. petspec run --baseline with this file exits with 0 while they are these exactly: another
 violation fails, and so does an entry that no longer holds. Say in each comment why it is known, and until when.`;

/**
 * A baseline of what a run found.
 * @param earlier whose comments are kept where their entries still hold
 */
export function renderBaseline(report: Report, earlier?: Baseline): string {
  const violations = report.requirements.filter((each) => isViolation(report, each));
  const entries = violations.map(({ id, seen = [] }) => {
    const known = earlier?.entries.find((each) => each.requirement === id && isSame(each.seen, seen));
    return { requirement: id, comment: known?.comment ?? TO_BE_SAID, seen };
  });
  const document = new Document({ violations: entries }, { aliasDuplicateObjects: false });
  document.commentBefore = HEAD;
  visit(document, {
    Pair(_, { key, value }) {
      if (String(key) === 'at' && isSeq(value)) value.flow = true;
    },
  });
  const list = document.get('violations');
  if (isSeq(list))
    for (const [index, item] of list.items.entries()) {
      const { expected = '', received = '' } = violations[index] ?? {};
      const comment = isMap(item) ? item.items.find(({ key }) => String(key) === 'comment') : undefined;
      const hint = visible(clip(`expected ${expected}, received ${received}`, MAX_HINT));
      if (isScalar(comment?.key)) comment.key.commentBefore = ` ${hint}`;
    }
  return document.toString({ lineWidth: 0 });
}
