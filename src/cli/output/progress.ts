import { counted } from '../../model/report/report.ts';
import { secondsInWords } from '../../report/text/announcement.ts';
import { renderExchangeLine } from '../../report/text/explain.ts';
import { PHASE_WORDS } from '../../report/text/run-plan.ts';
import type { RunEvent } from '../../run/job.ts';
import type { Progress } from '../../session/terms/types.ts';

/** A stream for progress, such as stderr. */
interface Screen {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\x1b[2K';

/** Shows the progress of a run. */
interface ProgressLine {
  update: (event: RunEvent) => void;
  /** Prints a line above the changing line. */
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
function widthOf({ columns }: Pick<Screen, 'columns'>): number {
  return Math.max(1, (columns || 80) - 1);
}

/** Whether lines on a screen can change. Files and the logs of CI services cannot. */
function canChange(screen: Screen, env: NodeJS.ProcessEnv): boolean {
  const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false';
  return screen.isTTY === true && env.TERM !== 'dumb' && !isCi;
}

/** Progress in words. In a log, a new key starts a new line. */
function describe(
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

/** The time between two drawings. */
const INTERVAL_MS = 100;

/** The rows to assume if the terminal reports none. */
const ROWS = 24;

/** Shows the progress of several runs. */
export interface ProgressLines {
  update: (name: string, event: RunEvent) => void;
  /** Prints a line about a run above the changing ones. */
  say: (name: string, line: string) => void;
  /** Prints a line about all runs, or about petspec, at every level of detail. */
  note: (line: string) => void;
  /** Prints the last line about a run. */
  end: (name: string, line: string) => void;
  close: () => void;
}

/**
 * Shows the progress of several runs. A terminal has a changing line for each active run. A log has only lines for waits
 * and ends, so that it stays readable.
 * @param names of all runs, in display order
 * @param detail `quiet` shows nothing, `verbose` a line for each exchange as well
 */
export function showManyProgress(
  screen: Screen,
  env: NodeJS.ProcessEnv,
  names: readonly string[],
  detail: 'quiet' | 'usual' | 'verbose',
): ProgressLines {
  const isLive = canChange(screen, env) && detail !== 'quiet';
  const lines = isLive ? changingLines(screen, names) : addedLines(screen);
  const nameWidth = Math.max(...names.map((name) => name.length));
  const lastKeys = new Map<string, string>();
  const lineOf = (name: string, text: string) => `${name.padEnd(nameWidth)}  ${text}`;
  const say = (name: string, text: string) => {
    if (detail !== 'quiet') lines.add(lineOf(name, text));
  };
  return {
    say,
    note: lines.add,
    update(name, event) {
      if (event.kind === 'listening' || event.kind === 'new-key') return;
      if (event.kind === 'note') {
        say(name, event.text);
        return;
      }
      if (event.kind === 'exchange') {
        if (detail === 'verbose') say(name, renderExchangeLine(event.brief));
        return;
      }
      const { line, key } = describe(event, isLive);
      lines.change(name, lineOf(name, line));
      if (!isLive && event.kind === 'waiting' && lastKeys.get(name) !== key) say(name, line);
      lastKeys.set(name, key);
    },
    end(name, text) {
      lines.remove(name);
      say(name, text);
    },
    close: lines.close,
  };
}

/** Lines on a screen: added lines stay, and each run has a line that changes. */
interface Lines {
  add(line: string): void;
  change(name: string, line: string): void;
  remove(name: string): void;
  close(): void;
}

/** The lines of a log: each is printed once and never changes. */
function addedLines(screen: Screen): Lines {
  return { add: (line) => screen.write(`${line}\n`), change() {}, remove() {}, close() {} };
}

/** The lines of a terminal. Permanent lines are above changing ones, which are in the order of the names. */
function changingLines(screen: Screen, names: readonly string[]): Lines {
  const current = new Map<string, string>();
  const redraw = drawing(screen);
  let isStale = false;
  const draw = (above: readonly string[] = []) => {
    redraw(
      above,
      names.flatMap((name) => current.get(name) ?? []),
    );
    isStale = false;
  };
  const timer = setInterval(() => isStale && draw(), INTERVAL_MS).unref();
  return {
    add: (line) => draw([line]),
    change(name, line) {
      current.set(name, line);
      isStale = true;
    },
    remove: (name) => current.delete(name),
    close() {
      clearInterval(timer);
      current.clear();
      draw();
    },
  };
}

/** Writes permanent lines, and below them lines that the next call replaces: as many as fit. */
function drawing(screen: Screen): (above: readonly string[], changing: readonly string[]) => void {
  let drawn = 0;
  return (above, changing) => {
    const width = widthOf(screen);
    const room = Math.max(1, (screen.rows || ROWS) - 2);
    const hidden = changing.length - room + 1;
    const shown = hidden > 1 ? [...changing.slice(0, room - 1), `and ${hidden} more`] : changing;
    const back = drawn === 0 ? '' : `\x1b[${drawn}A\r\x1b[J`;
    const lines = [...above, ...shown.map((line) => line.slice(0, width))];
    if (back !== '' || lines.length > 0) screen.write(`${back}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = shown.length;
  };
}
