import { realClock } from '../../model/clock.ts';
import { packageVersion } from '../../model/package-root.ts';
import type { RunOptions } from '../../run/options.ts';
import type { Network } from '../../session/http/connect.ts';
import { Transport } from '../../session/http/transport.ts';

/** The pause between two attempts, and the time for one attempt (ms). */
const PAUSE = 500;
const ATTEMPT = 10_000;

/** Statuses that a gateway sends while the service behind it starts. */
const STARTING: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Waits until a target sends any response, for example while a container starts. The requests use the certificates and proxies of
 * the run, but carry no key. A target that never responds is left to the run, which reports the problem.
 * @param seconds the longest wait
 * @param say gets one line, if the first attempt fails
 */
export async function waitForTarget(
  baseUrl: string,
  { network, insecure }: Pick<RunOptions, 'network' | 'insecure'>,
  seconds: number,
  say: (line: string) => void,
): Promise<void> {
  const end = realClock.elapsed() + seconds * 1_000;
  const left = () => end - realClock.elapsed();
  for (let attempt = 0; ; attempt += 1) {
    const status = await statusOf(baseUrl, Math.max(PAUSE, Math.min(ATTEMPT, left())), {
      ...network,
      insecure,
    });
    if ((status !== undefined && !STARTING.has(status)) || left() <= 0) return;
    if (attempt === 0) say(`waiting up to ${seconds} s until ${new URL(baseUrl).origin} answers\n`);
    await realClock.sleep(Math.min(PAUSE, Math.max(0, left())));
  }
}

/** The status of one response; undefined without any. @param timeout in ms */
async function statusOf(baseUrl: string, timeout: number, network: Network): Promise<number | undefined> {
  const transport = new Transport({ clock: realClock, timeout, network });
  const headers = [
    ['accept', 'application/json'],
    ['user-agent', `petspec/${packageVersion}`],
  ] as const;
  try {
    return (await transport.send({ method: 'GET', url: new URL(baseUrl), headers })).response?.status;
  } finally {
    await transport.close();
  }
}
