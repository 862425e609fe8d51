import { expect } from 'vitest';
import type { Report } from '../../src/model/report/report.ts';

/** Fields with values of petspec's own. Every other text of a report may come from a target or from its user. */
const OWN = ['verdict', 'status', 'level', 'source', 'startedAt', 'finishedAt', 'kind', 'phase', 'stage'];

/**
 * A copy of a report with other texts.
 * @param textOf the text for a field of this name
 * @param own fields that keep their texts
 */
export function withTexts(
  report: Report,
  textOf: (field: string) => string,
  own: readonly string[] = [],
): Report {
  const kept = new Set([...OWN, ...own]);
  const replaced = (value: unknown, field: string): unknown => {
    if (typeof value === 'string' && !kept.has(field)) return textOf(field);
    if (Array.isArray(value)) return value.map((each) => replaced(each, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, name)]));
  };
  const copy = replaced(report, '') as Report;
  // A root cause explains some of the findings, whose ids have changed.
  const requirements = copy.requirements.map(({ id }) => id).filter((_, index) => index % 2 === 0);
  if (copy.rootCause) copy.rootCause = { ...copy.rootCause, requirements };
  return copy;
}

/** What no output may contain: controls other than line feeds, direction marks, unpaired surrogates. */
export const DANGEROUS =
  /(?!\n)\p{Cc}|[\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ufffe\uffff]|\p{Cs}/u;

export function expectHarmless(text: string): void {
  expect(DANGEROUS.exec(text)).toBeNull();
  expect(text).not.toContain('##[');
}

/** Holds for what a terminal or the log of a CI service shows. */
export function expectNoCommand(text: string): void {
  expectHarmless(text);
  expect(text.split('\n').filter((line) => line.trim().startsWith('::'))).toEqual([]);
}
