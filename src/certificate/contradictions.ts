import type { Certificate } from './read.ts';
import { subjectsOf } from './statement.ts';

/** Options with which nothing is certified, by the name that a statement records them under. */
const NOT_CERTIFIED: Readonly<Record<string, string>> = {
  only: '--only narrowed its run',
  readOnly: '--read-only narrowed its run',
  sharedKey: 'others used the key during its run (--shared-key)',
  insecure: 'its run did not verify the certificate of the target (--insecure)',
  baseline: 'its run had a baseline of known violations',
};

/** Where a statement contradicts itself, a line each. `petspec certify` writes no such statement. */
export function contradictionsOf({ statement, certified }: Certificate): string[] {
  const { target, options, warned } = certified;
  const { subject, predicate } = statement;
  const problems = Object.entries(NOT_CERTIFIED)
    .filter(([name]) => isSaid(options[name]) || (name === 'insecure' && isSaid(target.insecure)))
    .map(([, words]) => words);
  const { exhaust = 'minute' } = options;
  if (exhaust !== 'minute' && exhaust !== 'day') problems.push('--no-exhaust narrowed its run');
  if (target.apiUrl === null) problems.push('its run had no message address (--api-url)');
  if (Date.parse(target.finishedAt) < Date.parse(target.startedAt))
    problems.push(`its run ended (${target.finishedAt}) before it began (${target.startedAt})`);
  if (JSON.stringify(subject) !== JSON.stringify(subjectsOf(certified)))
    problems.push('its subject is not the one that its options name');
  if (predicate.result !== 'FAILED' && (predicate.result === 'WARNED') !== warned.length > 0)
    problems.push('its result is not the one of its tests');
  const names = predicate.configuration.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push(`its configuration has two parts called ${twice}`);
  return problems;
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== null;
}
