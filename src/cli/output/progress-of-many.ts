import { renderExchangeLine } from '../../report/text/exchange-line.ts';
import type { News } from '../../run/job.ts';
import { canChange, describe, type Screen } from './progress.ts';

/** ms between two drawings: more often than this nobody can look. */
const INTERVAL = 100;

/** Rows of a terminal that does not know how many it has. */
const ROWS = 24;

/** Shows how far several runs are. */
export interface ProgressLines {
  update: (name: string, news: News) => void;
  /** A line about a run that stays, above those that change. */
  say: (name: string, line: string) => void;
  /** A line about all of them, or about petspec; shown whatever the detail. */
  note: (line: string) => void;
  /** The last line about a run. */
  end: (name: string, line: string) => void;
  close: () => void;
}

/**
 * Shows how far several runs are: on a terminal a line for each that is under way, which changes; elsewhere only lines
 * that stay, for waits and ends, since a hundred runs in a log would bury each other.
 * @param names of all runs, in the order in which they are shown
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
  const timer = isLive ? setInterval(() => isStale && draw(), INTERVAL).unref() : undefined;
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
