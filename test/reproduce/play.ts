import { VirtualClock } from '../../src/model/clock.ts';
import type { HeaderLine } from '../../src/model/exchange.ts';
import { readRateLimit } from '../../src/model/rate-limit.ts';
import { type Change, startInProcess } from '../../src/reference/index.ts';
import { type Answer, Transport } from '../../src/session/http/transport.ts';
import { commandsIn, type Printed, random, type Variables } from './printed.ts';

export interface Played {
  request: Printed;
  answer: Answer;
}

/** The addresses that a script names, which are those of another instance when it is played. */
export interface PrintedAddresses {
  baseUrl: string;
  apiUrl: string | null;
}

/**
 * Plays a script against a reference of its own, in virtual time: commands in turn, what they take from answers, loops
 * until a refusal, and the wait after it.
 */
export async function play(
  script: string,
  named: PrintedAddresses,
  key: string,
  { changes, start }: { changes: readonly Change[]; start: number },
): Promise<{ played: readonly Played[]; baseUrl: string }> {
  const clock = new VirtualClock(start);
  const reference = await startInProcess({ clock, apiKey: key, changes });
  const { dial } = reference;
  const transport = new Transport({ clock, timeout: 10_000, ...(dial ? { dial } : {}) });
  const send = async (request: Printed) => {
    // Every command of a script has a connection of its own.
    await transport.renew();
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'connection');
    return transport.send({ ...request, url: new URL(moved(request.url, named, reference)), headers });
  };
  try {
    const player = new Player(send, (ms) => clock.sleep(ms), key);
    await player.play(script.split('\n'));
    return { played: player.played, baseUrl: reference.baseUrl };
  } finally {
    await transport.close();
    await reference.close();
  }
}

/** A URL at other addresses. One replacement alone: a port of this reference may be one that the other had. */
function moved(url: string, from: PrintedAddresses, to: PrintedAddresses): string {
  const originOf = (address: string) => new URL(address).origin;
  const isBase = originOf(url) === originOf(from.baseUrl);
  return url.replace(originOf(url), originOf((isBase ? to.baseUrl : to.apiUrl) ?? ''));
}

/** Executes the lines of a script. */
class Player {
  readonly played: Played[] = [];
  readonly #send: (request: Printed) => Promise<Answer>;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #variables: Variables;

  constructor(
    send: (request: Printed) => Promise<Answer>,
    sleep: (ms: number) => Promise<void>,
    key: string,
  ) {
    this.#send = send;
    this.#sleep = sleep;
    this.#variables = { PETSPEC_API_KEY: key };
  }

  async play(lines: readonly string[]): Promise<void> {
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      const times = /^for \(\(n = 1; n <= (\d+); n\+\+\)\); do$/.exec(line)?.[1];
      if (times !== undefined) {
        const end = lines.indexOf('done', index);
        await this.#loop(lines.slice(index + 1, end), Number(times));
        index = end;
      } else if (!(await this.#playLines([line], 0))) return;
    }
  }

  /** Repeats lines until the limit refuses a request, or no response comes. */
  async #loop(body: readonly string[], times: number): Promise<void> {
    const isOver = () => [429, undefined].includes(this.played.at(-1)?.answer.response?.status);
    for (let n = 1; n <= times && (n === 1 || !isOver()); n += 1) await this.#playLines(body, n);
  }

  /** False where a command failed that has to succeed. */
  async #playLines(body: readonly string[], n: number): Promise<boolean> {
    for (const line of casesFor(body, n)) {
      this.#assign(line, n);
      if (line.includes('sleep "$after"')) await this.#sleep((waitOf(this.played.at(-1)) + 1) * 1000);
      for (const request of commandsIn(line, this.#variables)) {
        const answer = await this.#send(request);
        this.played.push({ request, answer });
        const { response } = answer;
        const isSuccess = response !== undefined && response.status < 300;
        if (request.fails && !isSuccess) return false;
        this.#take(line, response?.body ?? '');
      }
    }
    return true;
  }

  /** Sets the variable for a unique text, or for one of two queries. */
  #assign(line: string, n: number): void {
    const own = /^ *(unique\d*)=(.*)$/.exec(line);
    if (own) this.#variables[own[1] ?? ''] = (own[2] ?? '').replaceAll('$RANDOM', random);
    const queries = /^ *\(\(n % 2\)\) && query='(.*)' \|\| query='(.*)'$/.exec(line);
    if (queries) this.#variables.query = (n % 2 === 1 ? queries[1] : queries[2]) ?? '';
  }

  /** Sets the variable that takes a field of the response. */
  #take(line: string, body: string): void {
    const taken = /(\w+)=\$\(<<<"\$response" grep -oE '"(\w+)"/.exec(line);
    const value = taken && new RegExp(`"${taken[2]}" *: *"?([-\\w]+)`).exec(body)?.[1];
    if (taken && value) this.#variables[taken[1] ?? ''] = value;
  }
}

/** The lines of a loop that apply to a number: of a `case`, the one that it selects. */
function casesFor(body: readonly string[], n: number): readonly string[] {
  const choices = body.filter((line) => /^ +(?:\d+|\*)\) /.test(line));
  const chosen = choices.find((line) => line.trimStart().startsWith(`${n})`)) ?? choices.at(-1);
  return body.filter((line) => line === chosen || !choices.includes(line));
}

function waitOf(played: Played | undefined): number {
  const response = played?.answer.response;
  const headers: readonly HeaderLine[] = response?.headers ?? [];
  return readRateLimit(headers, played?.answer.receivedAt ?? 0).retryAfter ?? 0;
}
