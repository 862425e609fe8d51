import type { WriteStream } from 'node:tty';
import type { Progress } from '../session/types.ts';

/** What each stage of a run does, in words. */
const STAGES: Readonly<Record<string, string>> = {
  first: 'asking for a list',
  create: 'adding animals',
  read: 'reading them back',
  list: 'listing',
  invalid: 'sending what is wrong',
  keys: 'trying wrong keys',
  other: 'store orders',
  messages: 'messages',
  exhaust: 'using up the limit',
  recover: 'after the limit',
};

/** Shows how far a run is: one line that changes on a terminal, a line a stage elsewhere. */
export function showProgress(stream: WriteStream): { update: (progress: Progress) => void; end: () => void } {
  const { isTTY } = stream;
  let last = '';
  const show = (line: string, key: string) => {
    if (isTTY) stream.write(`\r\x1b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`);
    else if (key !== last) stream.write(`${line}\n`);
    last = key;
  };
  return {
    update(progress) {
      if (progress.kind === 'waiting') show(`waiting ${progress.seconds} s: ${progress.why}`, progress.why);
      else if (progress.kind === 'exhausting')
        show(`${STAGES.exhaust}: ${progress.remaining ?? 'unknown'} left`, 'exhaust');
      else
        show(
          `${isTTY ? `${progress.done}/${progress.total} ` : ''}${STAGES[progress.stage] ?? progress.stage}`,
          progress.stage,
        );
    },
    end() {
      if (isTTY && last !== '') stream.write('\r\x1b[2K');
    },
  };
}
