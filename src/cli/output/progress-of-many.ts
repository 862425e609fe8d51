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
  let drawn = 0;
  let isStale = false;
  const line = (name: string, text: string) => `${name.padEnd(nameWidth)}  ${text}`;

  function block(): string[] {
    const width = Math.max(1, (screen.columns || 80) - 1);
    const room = Math.max(1, (screen.rows || ROWS) - 2);
    const all = names.flatMap((name) => {
      const text = current.get(name);
      return text === undefined ? [] : [line(name, text).slice(0, width)];
    });
    return all.length <= room
      ? all
      : [...all.slice(0, room - 1), `and ${all.length - room + 1} more`.slice(0, width)];
  }

  function draw(above: readonly string[] = []): void {
    const lines = block();
    const back = drawn === 0 ? '' : `\x1b[${drawn}A\r\x1b[J`;
    screen.write(`${back}${[...above, ...lines].map((each) => `${each}\n`).join('')}`);
    drawn = lines.length;
    isStale = false;
  }

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
      if (isLive && drawn > 0) draw();
    },
  };
}
