import type { SelfCheck } from '../harness/selfcheck.ts';

/** The self-check as a matrix: each requirement with the faults that it finds, then what contradicts the catalogue. */
export function renderSelfcheck({ trials, uncovered, durationMs, ok }: SelfCheck): string {
  const faults = trials.filter(({ kind }) => kind === 'fault');
  const variants = trials.filter(({ kind }) => kind === 'variant');
  const requirements = [...new Set(faults.flatMap(({ names }) => names))].sort();
  const width = Math.max(0, ...requirements.map((id) => id.length));
  const rows = requirements.map((id) => {
    const own = faults.filter(({ names }) => names.includes(id));
    const found = own.filter(({ violated }) => violated.includes(id));
    return `  ${id.padEnd(width)}  ${String(found.length).padStart(3)}/${own.length}  ${own.map((each) => (each.problems.length === 0 ? '' : '!') + each.id).join(' ')}`;
  });
  const problems = trials
    .filter((each) => each.problems.length > 0)
    .map(({ kind, id, problems: all }) => `  ${kind} ${id}: ${all.join('; ')}`);
  const passed = variants.filter((each) => each.problems.length === 0).length;
  return [
    `Faults found, by requirement\n${rows.join('\n')}\n`,
    ...(problems.length > 0 ? [`Contradictions\n${problems.join('\n')}\n`] : []),
    ...(uncovered.length > 0 ? [`Requirements that no fault violates: ${uncovered.join(', ')}\n`] : []),
    `${faults.filter((each) => each.problems.length === 0).length} of ${faults.length} faults found by what they violate and by nothing else; ${passed} of ${variants.length} variants pass; ${(durationMs / 1000).toFixed(1)} s`,
    ok ? 'the self-check holds\n' : 'the self-check does not hold\n',
  ].join('\n');
}
