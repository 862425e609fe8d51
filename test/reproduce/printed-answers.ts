import type { Ended } from '../command-line/command-line.ts';
import { CONTRADICTS, type Figures } from './figures.ts';

/** What a script prints of each answer: its status, and the figures of the limit. */
export function answers({ out }: Ended): Required<Figures>[] {
  return [...out.matchAll(/^\d+: HTTP\/1\.1 (\d+)(.*)$/gm)].map(([, status, headers = '']) => {
    const figure = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(headers)?.[1]);
    return {
      status: Number(status),
      limit: figure('Limit'),
      remaining: figure('Remaining'),
      reset: figure('Reset'),
    };
  });
}

/** Tells whether the figures of the limit contradict a requirement. */
export function contradicts(requirement: string): (printed: Ended) => boolean {
  return (printed) => CONTRADICTS[requirement]?.(answers(printed)) ?? false;
}

/** Whether more requests were let through before a Reset than Limit says. */
export function isOverrun(printed: Ended): boolean {
  const all = answers(printed).filter(({ status }) => status !== 429);
  return all.some(({ reset, limit }) => all.filter((each) => each.reset === reset).length > limit);
}

/** The JSON objects that are printed on a line of their own, or as an entry of a list. */
export function records({ out }: Ended): Record<string, unknown>[] {
  // Two answers at one time may come on one line.
  const apart = out.replaceAll('}{', '}\n{').split('\n');
  const lines = apart.map((line) => /^\[?(\{.*\})[\],]*$/.exec(line)?.[1] ?? '');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Whether two of them have different values of a field. */
export function differ(printed: Ended, field: string): boolean {
  return new Set(records(printed).map((each) => each[field])).size > 1;
}

/** The status of the last answer that is shown with its headers. */
export function lastStatus({ out }: Ended): number {
  return Number([...out.matchAll(/^HTTP\/1\.1 (\d+)/gm)].at(-1)?.[1]);
}

/** Whether the script found that a response lacks what it looked for. */
export const isAbsent = ({ out }: Ended) => out.includes('(not in this response)');
