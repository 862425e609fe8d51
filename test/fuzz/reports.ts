import fc from 'fast-check';
import type { Report } from '../../src/model/report/report.ts';
import { rootCaused } from '../hand-made-report.ts';
import { hostileText } from './texts.ts';

/** Fields whose values are petspec's own words: the rest of a report may come from a target or from its user. */
const OWN = new Set([
  'verdict',
  'status',
  'level',
  'source',
  'startedAt',
  'finishedAt',
  'kind',
  'phase',
  'stage',
  'name',
  'specDigest',
]);

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
    const spoil = (value: unknown, name: string): unknown => {
      if (typeof value === 'string' && !OWN.has(name))
        return NAMES.has(name) ? `${next()} ${number}` : next();
      if (Array.isArray(value)) return value.map((each) => spoil(each, name));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoil(each, key)]));
    };
    const report = spoil(rootCaused, '') as Report;
    // The root cause explains some of what is there, whatever its ids have become.
    const requirements = report.requirements.map(({ id }) => id).filter((_, index) => index % 2 === 0);
    if (report.rootCause) report.rootCause = { ...report.rootCause, requirements };
    return { ...report, verdict, strict, ...(kind ? { stopped: { kind, message: next() } } : {}) };
  });
