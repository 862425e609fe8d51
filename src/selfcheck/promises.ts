import type { Most } from '../model/request-counts.ts';
import type { LogEntry } from '../reference/index.ts';

/** What a run did, as the reference saw it. */
export interface Sent {
  log: readonly LogEntry[];
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** How a run broke what it announced. Counted by the reference, which does not know what was a wrong key on purpose. */
export function brokenPromises(most: Most, { log, startedAt, finishedAt }: Sent): string[] {
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
    .map((each) => `${each.sent} ${each.what}, though at most ${each.most} were announced`);
}
