import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A `petspec run --ui` that is ready. */
export interface Ui {
  /** What it printed: with the secret that works once. */
  address: string;
  origin: string;
  /** The folder of its reports. */
  out: string;
  pid: number;
}

/** Starts `petspec run --ui`, of the bundled reference, until the test is over. @param bin the executable */
export async function startUi(bin: string): Promise<Ui> {
  const out = mkdtempSync(join(tmpdir(), 'petspec-ui-'));
  const child = spawn(process.execPath, [bin, 'run', '--ui', '--out', out], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(out, { recursive: true, force: true });
  }, 60_000);
  for await (const address of createInterface({ input: child.stdout }))
    return { address, origin: new URL(address).origin, out, pid: child.pid ?? 0 };
  throw new Error('petspec run --ui printed no address');
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Asks as a plain client does: the path and the headers exactly as they are given. */
export async function ask(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const asked = request({ hostname, port, path, headers, method, agent: false }).end();
  const [response] = await Promise.race([once(asked, 'response'), once(asked, 'upgrade')]);
  let text = '';
  if (response.statusCode !== 101) for await (const piece of response) text += piece;
  else response.socket.destroy();
  return { status: response.statusCode, headers: response.headers, text };
}

/** What a browser sends to open a websocket. */
export const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Enters as a browser does that opens the printed address. @returns where the page is, its cookie, and its token */
export async function enter({ address, origin }: Pick<Ui, 'address' | 'origin'>) {
  const { pathname, search } = new URL(address);
  const welcome = await ask(origin, pathname + search);
  const [cookie = ''] = welcome.headers['set-cookie'] ?? [];
  const [, base = ''] = /; Path=([^;]+)/.exec(cookie) ?? [];
  const own = { cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
  const page = await ask(origin, base, own);
  const [, token = ''] = /VITEST_API_TOKEN\s*=\s*"([^"]+)"/.exec(page.text) ?? [];
  return { welcome, cookie, base, own, page, token };
}
