import type { Contract } from '../../model/contract.ts';
import type { SelfCheck } from '../../selfcheck/check-self.ts';
import type { DetailedTrial } from '../../selfcheck/selfcheck.ts';
import { explain } from './explain.ts';

/** The self-check as a table: each requirement with the faults that it finds, then what contradicts the catalogue. */
export function renderSelfcheck({ trials, uncovered, durationMs, ok }: SelfCheck): string {
  const faults = trials.filter(({ kind }) => kind === 'fault');
  const variants = trials.filter(({ kind }) => kind === 'variant');
  const requirements = [...new Set(faults.flatMap(({ names }) => names))].sort();
  const width = Math.max(0, ...requirements.map((id) => id.length));
  const rows = requirements.map((id) => {
    const faultsOfRequirement = faults.filter(({ names }) => names.includes(id));
    const foundFaults = faultsOfRequirement.filter(({ violated }) => violated.includes(id));
    return `  ${id.padEnd(width)}  ${String(foundFaults.length).padStart(3)}/${faultsOfRequirement.length}  ${faultsOfRequirement.map((fault) => (fault.problems.length === 0 ? '' : '!') + fault.id).join(' ')}`;
  });
  const problems = trials
    .filter((trial) => trial.problems.length > 0)
    .map(({ kind, id, problems: contradictions }) => `  ${kind} ${id}: ${contradictions.join('; ')}`);
  const passed = variants.filter((variant) => variant.problems.length === 0).length;
  return [
    `Faults found, by requirement\n${rows.join('\n')}\n`,
    ...(problems.length > 0 ? [`Contradictions\n${problems.join('\n')}\n`] : []),
    ...(uncovered.length > 0
      ? [`Requirements without a fault that violates them: ${uncovered.join(', ')}\n`]
      : []),
    `${faults.filter((fault) => fault.problems.length === 0).length} of ${faults.length} faults found by the requirements they violate and no others; ${passed} of ${variants.length} variants pass; ${(durationMs / 1000).toFixed(1)} s`,
    ok ? 'self-check passed\n' : 'self-check failed\n',
  ].join('\n');
}

/** A trial in detail: its fault or variant, its violations, and what could not be judged. */
export function renderTrial(trial: DetailedTrial, { requirements }: Contract): string {
  const { kind, id, summary, names, violated, untested, problems, findings } = trial;
  const violations = violated.flatMap((violatedId) => {
    const requirement = requirements.find(({ id: requirementId }) => requirementId === violatedId);
    const finding = findings[violatedId];
    return requirement && finding
      ? [`  ${violatedId}\n    ${explain(requirement, finding).replaceAll('\n', '\n    ')}\n`]
      : [];
  });
  const rest = Object.keys(untested).map((untestedId) => `  ${untestedId}: ${findings[untestedId]?.reason}`);
  return [
    `${kind} ${id}: ${summary}\n`,
    `${kind === 'fault' ? 'violates' : 'leaves untested'}: ${names.join(', ') || 'nothing'}\n`,
    ...(violations.length > 0 ? [`Found\n${violations.join('')}`] : []),
    ...(rest.length > 0 ? [`Not tested\n${rest.join('\n')}\n`] : []),
    problems.length === 0 ? 'as the catalogue says\n' : `contradicts the catalogue: ${problems.join('; ')}\n`,
  ].join('\n');
}
