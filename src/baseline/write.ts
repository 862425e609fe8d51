import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import { isViolation, type Report } from '../model/report/report.ts';
import { clip, visible } from '../model/visible.ts';
import { type Baseline, isSame, TODO_COMMENT } from './baseline.ts';

/** Characters of the comment line with the expected and received values. */
const MAX_HINT = 300;

const HEAD = ` Known violations. With --baseline and this file, petspec exits with 0 if it finds exactly these: a new violation fails, and
 so does an entry that is no longer violated. Say in each comment why the violation is known, and until when.
 petspec compares the requirement, and kind, pointer, at and variation of each item; what is only for the reader.`;

/**
 * Renders the violations of a run as a baseline.
 * @param earlier a baseline whose comments are kept for the entries that are still violated
 */
export function renderBaseline(report: Report, earlier?: Baseline): string {
  const violations = report.requirements.filter((each) => isViolation(report, each));
  const entries = violations.map(({ id, seen = [] }) => {
    const known = earlier?.entries.find((each) => each.requirement === id && isSame(each.seen, seen));
    return { requirement: id, comment: known?.comment ?? TODO_COMMENT, seen };
  });
  const document = new Document({ violations: entries }, { aliasDuplicateObjects: false });
  document.commentBefore = HEAD;
  visit(document, {
    Pair(_, { key, value }) {
      if (['at', 'variation'].includes(String(key)) && isSeq(value)) value.flow = true;
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
