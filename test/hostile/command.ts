import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../src/model/report/report.ts';
import type { Behavior } from './behavior.ts';
import { KEY, startRawService } from './raw-service.ts';

/** What became of a run of the command line against a hostile target. */
export interface Trial {
  status: number | null;
  report: Report;
  /** All that it printed. */
  printed: string;
  seconds: number;
  /** Peak memory of its process, MB. */
  peak: number;
  /** Bytes of all that it wrote, MB. */
  written: number;
  /** Requests that the target got. */
  requests: number;
  /** Connections to another origin. */
  strays: number;
}

/** Writes the peak memory of the process into a file when it ends; worker threads leave it alone. */
const PEAK = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () =>
    writeFileSync(process.env.PETSPEC_PEAK, String(process.resourceUsage().maxRSS)));
`)}`;

/**
 * Runs the real command line against a service that behaves so.
 * @param bin the executable
 * @param timeout ms for one request
 */
export async function tryOut(behavior: Behavior, bin: string, timeout: number): Promise<Trial> {
  const service = await startRawService(behavior);
  const folder = mkdtempSync(join(tmpdir(), 'petspec-hostile-'));
  const out = join(folder, 'out');
  const peakFile = join(folder, 'peak');
  const { baseUrl, apiUrl } = addressesOf(behavior, service);
  const options = ['--no-exhaust', '--timeout', String(timeout), '--format', 'html,junit,har,markdown,ctrf'];
  const begun = performance.now();
  try {
    const child = spawn(
      process.execPath,
      ['--import', PEAK, bin, 'run', baseUrl, '--api-url', apiUrl, ...options, '--out', out],
      { env: { PATH: process.env.PATH, PETSPEC_API_KEY: KEY, PETSPEC_PEAK: peakFile } },
    );
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
    const seconds = (performance.now() - begun) / 1000;
    return {
      status,
      report: JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report,
      printed,
      seconds,
      peak: Number(readFileSync(peakFile, 'utf8')) / 1024,
      written: readdirSync(out).reduce((sum, name) => sum + statSync(join(out, name)).size, 0) / 1e6,
      requests: service.asked.length,
      strays: service.strays(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await service.close();
  }
}

/** The addresses of a service, under the scheme by which it is asked. */
export function addressesOf(
  { expected }: Behavior,
  { baseUrl, apiUrl }: { baseUrl: string; apiUrl: string },
) {
  const { scheme } = expected;
  return scheme === undefined
    ? { baseUrl, apiUrl }
    : { baseUrl: baseUrl.replace('http:', `${scheme}:`), apiUrl };
}
