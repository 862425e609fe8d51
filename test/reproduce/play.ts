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
export interface Addresses {
  baseUrl: string;
  apiUrl: string | null;
}

/**
 * Plays a script against a reference of its own, in virtual time: commands in turn, what they take from answers, loops
 * until a refusal, and the wait after it.
 */
export async function play(
  script: string,
  named: Addresses,
  key: string,
  { changes, start }: { changes: readonly Change[]; start: number },
): Promise<{ played: readonly Played[]; baseUrl: string }> {
  const clock = new VirtualClock(start);
  const reference = await startInProcess({ clock, apiKey: key, changes });
  const { dial } = reference;
  const transport = new Transport({ clock, timeout: 10_000, ...(dial ? { dial } : {}) });
  const originOf = (url: string) => new URL(url).origin;
  // One replacement alone: a port of this reference may be one that the other had.
  const here = (url: string) => {
    const isBase = originOf(url) === originOf(named.baseUrl);
    return url.replace(originOf(url), originOf(isBase ? reference.baseUrl : reference.apiUrl));
  };
  const played: Played[] = [];
  const variables: Variables = { PETSPEC_API_KEY: key };
  const send = async (request: Printed) => {
    // Every command of a script has a connection of its own.
    await transport.renew();
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'connection');
    const answer = await transport.send({ ...request, url: new URL(here(request.url)), headers });
    played.push({ request, answer });
    return answer;
  };
  const isOver = () =>
    played.at(-1)?.answer.response?.status === 429 || played.at(-1)?.answer.response === undefined;
  try {
    const lines = script.split('\n');
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      const times = /^for \(\(n = 1; n <= (\d+); n\+\+\)\); do$/.exec(line)?.[1];
      if (times !== undefined) {
        const end = lines.indexOf('done', index);
        const body = lines.slice(index + 1, end);
        for (let n = 1; n <= Number(times) && (n === 1 || !isOver()); n += 1) await playLines(body, n);
        index = end;
      } else if (!(await playLines([line], 0))) break;
    }
  } finally {
    await transport.close();
    await reference.close();
  }
  return { played, baseUrl: reference.baseUrl };

  /** False where a command failed that has to succeed. */
  async function playLines(body: readonly string[], n: number): Promise<boolean> {
    for (const line of casesFor(body, n)) {
      const own = /^ *(unique\d*)=(.*)$/.exec(line);
      if (own) variables[own[1] ?? ''] = (own[2] ?? '').replaceAll('$RANDOM', random);
      const queries = /^ *\(\(n % 2\)\) && query='(.*)' \|\| query='(.*)'$/.exec(line);
      if (queries) variables.query = (n % 2 === 1 ? queries[1] : queries[2]) ?? '';
      if (line.includes('sleep "$after"')) await clock.sleep((waitOf(played.at(-1)) + 1) * 1000);
      for (const request of commandsIn(line, variables)) {
        const { response } = await send(request);
        const isSuccess = response !== undefined && response.status < 300;
        if (request.fails && !isSuccess) return false;
        const taken = /(\w+)=\$\(<<<"\$response" grep -oE '"(\w+)"/.exec(line);
        const value = taken && new RegExp(`"${taken[2]}" *: *"?([-\\w]+)`).exec(response?.body ?? '')?.[1];
        if (taken && value) variables[taken[1] ?? ''] = value;
      }
    }
    return true;
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
