import type { Contract } from '../model/contract.ts';
import type { Certificate } from './read.ts';
import { subjectsOf } from './statement.ts';

/** Options with which petspec certifies nothing, by their name in a statement. */
const NOT_CERTIFIED: Readonly<Record<string, string>> = {
  only: '--only narrowed the run',
  readOnly: '--read-only narrowed the run',
  sharedKey: 'others used the key during the run (--shared-key)',
  insecure: 'the run did not verify the certificate of the target (--insecure)',
  baseline: 'the run used a baseline of known violations',
};

/** The contradictions in a statement, a line each. `petspec certify` writes no such statement. */
export function contradictionsOf(
  { statement, certified }: Certificate,
  { operations }: Pick<Contract, 'operations'>,
): string[] {
  const { target, options, warned } = certified;
  const { subject, predicate } = statement;
  const problems = Object.entries(NOT_CERTIFIED)
    .filter(([name]) => isSet(options[name]) || (name === 'insecure' && isSet(target.insecure)))
    .map(([, words]) => words);
  const { exhaust = 'minute' } = options;
  if (exhaust !== 'minute' && exhaust !== 'day') problems.push('--no-exhaust narrowed the run');
  if (target.apiUrl === null && operations.some(({ address }) => address === 'apiUrl'))
    problems.push('the run did not test the message API (--api-url)');
  if (Date.parse(target.finishedAt) < Date.parse(target.startedAt))
    problems.push(`the run ended (${target.finishedAt}) before it began (${target.startedAt})`);
  if (JSON.stringify(subject) !== JSON.stringify(subjectsOf(certified)))
    problems.push('the subject differs from the one in the options');
  if (predicate.result !== 'FAILED' && (predicate.result === 'WARNED') !== warned.length > 0)
    problems.push('the result does not match the tests');
  const names = predicate.configuration.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push(`the configuration has two parts named '${twice}'`);
  return problems;
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== null;
}
