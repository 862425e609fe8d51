import { counted } from '../../model/report/report.ts';
import { secondsInWords } from '../../report/text/announcement.ts';
import { renderExchangeLine } from '../../report/text/explain.ts';
import { PHASE_WORDS } from '../../report/text/run-plan.ts';
import type { RunEvent } from '../../run/job.ts';
import type { Progress } from '../../session/terms/types.ts';

/** A stream for progress, such as stderr. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\x1b[2K';

/** Shows the progress of a run. */
export interface ProgressLine {
  update: (event: RunEvent) => void;
  /** Prints a line above the changing one. */
  say: (line: string) => void;
  end: () => void;
}

/**
 * Shows the progress of a run: one changing line on a terminal, or a line for each stage and each wait in a log.
 * @param detail `quiet` shows nothing, `verbose` a line for each exchange as well
 */
export function showProgress(
  screen: Screen,
  env: NodeJS.ProcessEnv,
  detail: 'quiet' | 'usual' | 'verbose',
): ProgressLine {
  const isLive = canChange(screen, env);
  let current = '';
  let lastKey = '';
  const say = (line: string) => {
    if (!isLive || current === '') screen.write(`${line}\n`);
    else screen.write(`${CLEAR_LINE}${line}\n${current}`);
  };
  return {
    say,
    update(event) {
      if (detail === 'quiet' || event.kind === 'listening' || event.kind === 'new-key') return;
      if (event.kind === 'note') {
        say(event.text);
        return;
      }
      if (event.kind === 'exchange') {
        if (detail === 'verbose') say(renderExchangeLine(event.brief));
        return;
      }
      const { line, key } = describe(event, isLive);
      if (isLive) {
        current = line.slice(0, widthOf(screen));
        screen.write(`${CLEAR_LINE}${current}`);
      } else if (key !== lastKey) screen.write(`${line}\n`);
      lastKey = key;
    },
    end() {
      if (isLive && current !== '') screen.write(CLEAR_LINE);
      current = '';
    },
  };
}

/** The columns of a line that does not wrap. A terminal of unknown width reports 0. */
export function widthOf({ columns }: Pick<Screen, 'columns'>): number {
  return Math.max(1, (columns || 80) - 1);
}

/** Whether lines on a screen can change. Files and the logs of CI services cannot. */
export function canChange(screen: Screen, env: NodeJS.ProcessEnv): boolean {
  const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false';
  return screen.isTTY === true && env.TERM !== 'dumb' && !isCi;
}

/** Progress in words. In a log, a new key starts a new line. */
export function describe(
  progress: Exclude<Progress, { kind: 'note' }>,
  isLive: boolean,
): { line: string; key: string } {
  const { secondsLeft } = progress;
  const atMost = isLive && secondsLeft !== undefined ? ` (at most ${secondsInWords(secondsLeft)} left)` : '';
  if (progress.kind === 'waiting')
    return { line: `waiting ${progress.seconds} s: ${progress.why}${atMost}`, key: progress.why };
  if (progress.kind === 'exhausting') {
    const left = progress.remaining === undefined ? '' : `: ${counted(progress.remaining, 'request')} left`;
    const limit = ` of ${progress.limit} a ${progress.window}`;
    return { line: `${PHASE_WORDS.exhaust}${limit}${isLive ? left : ''}${atMost}`, key: 'exhaust' };
  }
  const { done, total, stage } = progress;
  const words = PHASE_WORDS[stage] ?? stage;
  return { line: isLive ? `${Math.min(done, total)}/${total} ${words}${atMost}` : words, key: stage };
}
