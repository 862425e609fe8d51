import type { Most } from '../model/request-counts.ts';
import type { LogEntry } from '../reference/index.ts';

/** A run as the reference saw it. */
export interface ObservedRun {
  log: readonly LogEntry[];
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** How a run exceeded what it announced, as counted by the reference, which does not know the purpose of a wrong key. */
export function brokenPromises(most: Most, { log, startedAt, finishedAt }: ObservedRun): string[] {
  const messages = log.filter(({ listener }) => listener === 'messages').length;
  const counts = [
    {
      what: 'requests at the base address',
      sent: log.length - messages,
      most: most.withKey + most.wrongKeys,
    },
    { what: 'messages', sent: messages, most: most.messages },
    { what: 'seconds', sent: (finishedAt - startedAt) / 1000, most: most.seconds },
  ];
  return counts
    .filter((each) => each.sent > each.most)
    .map((each) => `${each.sent} ${each.what}, but at most ${each.most} were announced`);
}
