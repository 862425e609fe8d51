import { renderExchangeLine } from '../../report/text/exchange-line.ts';
import type { News } from '../../run/job.ts';
import { canChange, describe, type Screen } from './progress.ts';

/** The time between two drawings. */
const INTERVAL_MS = 100;

/** The rows to assume if the terminal reports none. */
const ROWS = 24;

/** Shows the progress of several runs. */
export interface ProgressLines {
  update: (name: string, news: News) => void;
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
  const nameWidth = Math.max(...names.map((name) => name.length));
  const current = new Map<string, string>();
  const lastKeys = new Map<string, string>();
  let isStale = false;
  const line = (name: string, text: string) => `${name.padEnd(nameWidth)}  ${text}`;
  const redraw = changingLines(screen);
  const draw = (above: readonly string[] = []) => {
    const active = names.filter((name) => current.has(name));
    redraw(
      above,
      active.map((name) => line(name, current.get(name) ?? '')),
    );
    isStale = false;
  };
  const note = (text: string) => {
    if (isLive) draw([text]);
    else screen.write(`${text}\n`);
  };
  const say = (name: string, text: string) => {
    if (detail === 'quiet') return;
    note(line(name, text));
  };
  const timer = isLive ? setInterval(() => isStale && draw(), INTERVAL_MS).unref() : undefined;
  return {
    say,
    note,
    update(name, news) {
      if (news.kind === 'listening' || news.kind === 'done') return;
      if (news.kind === 'exchange') {
        if (detail === 'verbose') say(name, renderExchangeLine(news.brief));
        return;
      }
      const { line: text, key } = describe(news, isLive);
      current.set(name, text);
      isStale = true;
      if (!isLive && news.kind === 'waiting' && lastKeys.get(name) !== key) say(name, text);
      lastKeys.set(name, key);
    },
    end(name, text) {
      current.delete(name);
      say(name, text);
    },
    close() {
      clearInterval(timer);
      current.clear();
      if (isLive) draw();
    },
  };
}

/** Writes lines for good, and below them lines that the next call replaces: as many as fit. */
function changingLines(screen: Screen): (above: readonly string[], changing: readonly string[]) => void {
  let drawn = 0;
  return (above, changing) => {
    const width = Math.max(1, (screen.columns || 80) - 1);
    const room = Math.max(1, (screen.rows || ROWS) - 2);
    const hidden = changing.length - room + 1;
    const shown = hidden > 1 ? [...changing.slice(0, room - 1), `and ${hidden} more`] : changing;
    const back = drawn === 0 ? '' : `\x1b[${drawn}A\r\x1b[J`;
    const lines = [...above, ...shown.map((each) => each.slice(0, width))];
    if (back !== '' || lines.length > 0) screen.write(`${back}${lines.map((each) => `${each}\n`).join('')}`);
    drawn = shown.length;
  };
}
