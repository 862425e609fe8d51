import fc from 'fast-check';
import type { Report } from '../../src/model/report/report.ts';
import { rootCaused } from '../reports/hand-made-report.ts';
import { withTexts } from '../reports/spoiled-reports.ts';
import { hostileText } from './texts.ts';

/** Fields that a schema gives a form. */
const FORMED = ['name', 'specDigest'];

/** Never empty, and told apart by what follows the text. */
const NAMES = new Set(['id', 'section', 'statement', 'cause', 'reason']);

/** A report in which every text that may come from anywhere is one of these, each at another place. */
export const hostileReport: fc.Arbitrary<Report> = fc
  .record({
    texts: fc.array(hostileText, { minLength: 1, maxLength: 12 }),
    verdict: fc.constantFrom('conformant' as const, 'non-conformant' as const, 'incomplete' as const),
    strict: fc.boolean(),
    kind: fc.constantFrom(undefined, 'gone' as const, 'interrupted' as const, 'unreachable' as const),
  })
  .map(({ texts, verdict, strict, kind }) => {
    let number = 0;
    const next = () => texts[number++ % texts.length] ?? '';
    const textOf = (field: string) => (NAMES.has(field) ? `${next()} ${number}` : next());
    const report = withTexts(rootCaused, textOf, FORMED);
    return { ...report, verdict, strict, ...(kind ? { stopped: { kind, message: next() } } : {}) };
  });
