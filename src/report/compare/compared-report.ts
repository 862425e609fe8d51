import type { Report, RequirementResult } from '../../model/report/report.ts';

/**
 * Reduces the reports of many runs to what comparing them needs: no exchanges, nothing about the evidence or what was
 * covered, and results that several runs share only once in memory.
 */
export function comparedReports(): (report: Report) => Report {
  const known = new Map<string, RequirementResult>();
  const shared = (result: RequirementResult): RequirementResult => {
    const { curl: _curl, reproduce: _reproduce, ...rest } = result;
    const bare = { ...rest, evidence: [] };
    const key = JSON.stringify(bare);
    const same = known.get(key) ?? bare;
    known.set(key, same);
    return same;
  };
  return ({ limiters: _limiters, coverage: _coverage, sections: _sections, ...report }) => ({
    ...report,
    requirements: report.requirements.map(shared),
    exchanges: [],
  });
}
