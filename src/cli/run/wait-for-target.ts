import { setTimeout as sleep } from 'node:timers/promises';

/** Time between two attempts, and for one of them (ms). */
const PAUSE = 500;
const ATTEMPT = 10_000;

/** What a gateway sends while the service behind it starts. */
const STARTING: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Waits until a target answers anything, for example while a container starts. The requests carry no key, and a target that
 * never answers is left to the run, which says what is wrong.
 * @param seconds the most to wait
 * @param say gets one line, if the first attempt fails
 */
export async function waitForTarget(
  baseUrl: string,
  seconds: number,
  say: (line: string) => void,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let attempt = 0; ; attempt += 1) {
    if (await answers(baseUrl, Math.max(PAUSE, Math.min(ATTEMPT, end - performance.now())))) return;
    const left = end - performance.now();
    if (left <= 0) return;
    if (attempt === 0) say(`waiting up to ${seconds} s until ${new URL(baseUrl).origin} answers\n`);
    await sleep(Math.min(PAUSE, left));
  }
}

async function answers(baseUrl: string, ms: number): Promise<boolean> {
  try {
    const response = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(Math.ceil(ms)) });
    await response.body?.cancel();
    return !STARTING.has(response.status);
  } catch {
    return false;
  }
}
