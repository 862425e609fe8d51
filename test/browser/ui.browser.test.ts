import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ask, enter, startUi, UPGRADE } from '../command-line/ui.ts';
import { launch } from './browser.ts';

const PETSPEC = join(import.meta.dirname, '../../bin/petspec.js');

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function newPage(): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

test('a test that is run again in the vitest UI is judged from the ledger, and nothing is sent twice', async () => {
  const { address, out } = await startUi(PETSPEC);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?secret=[\w-]{32}$/);
  const ledger = () => readFileSync(join(out, 'ledger.jsonl'), 'utf8');
  const before = ledger();
  const page = await newPage();
  await page.goto(address);
  await page.getByPlaceholder(/Search/).fill('A list contains no more animals');
  const found = page.getByText('listPets.limit: A list contains no more animals than limit allows.');
  await found.first().click();
  await page.getByText('requirement', { exact: true }).first().waitFor();
  await found.first().hover();
  await page.getByTestId('btn-run-test').filter({ visible: true }).last().click();
  await page.getByText('RERUN').or(page.getByText(/Pass/)).first().waitFor();
  expect(ledger()).toBe(before);
});

test('the address works once; the page stays with the browser that opened it', async () => {
  const { address } = await startUi(PETSPEC);
  const page = await newPage();
  await page.goto(address);
  await page.getByText('conformance.test').first().waitFor();
  const opened = page.url();
  expect((await page.reload())?.status()).toBe(200);
  expect(opened).not.toContain(new URL(address).search);
  const other = await newPage();
  for (const url of [address, opened]) expect((await other.goto(url))?.status()).toBe(403);
});

test('a page of another port gets 403 for everything, though the browser holds the cookie', async () => {
  const { address, origin } = await startUi(PETSPEC);
  const page = await newPage();
  await page.goto(address);
  await page.getByText('conformance.test').first().waitFor();
  const base = new URL(page.url()).pathname;
  const script = await page.locator('script[type=module]').getAttribute('src');
  const token = await page.evaluate('window.VITEST_API_TOKEN');
  // It knows all that there is to know, and tries each way that a page has.
  const targets = [base, new URL(script ?? '', origin + base).pathname, '/', '/@fs/etc/passwd'].map(
    (path) => origin + path,
  );
  const attack = `
    const settled = (element, url) => new Promise((resolve) => {
      element.onload = element.onerror = resolve;
      Object.assign(element, { src: url });
      document.body.append(element);
    });
    const targets = ${JSON.stringify(targets)};
    window.done = (async () => {
      for (const url of targets) {
        await fetch(url, { mode: 'no-cors', credentials: 'include' }).catch(() => {});
        await fetch(url, { credentials: 'include' }).catch(() => {});
        await settled(document.createElement('script'), url);
        await settled(document.createElement('img'), url);
        await settled(document.createElement('iframe'), url);
      }
      return new Promise((resolve) => {
        const socket = new WebSocket(${JSON.stringify(`${origin.replace('http', 'ws')}/__vitest_api__?token=${token}`)});
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      });
    })();`;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!DOCTYPE html><body><script>${attack}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const attacker = await page.context().newPage();
  const answers: Response[] = [];
  attacker.on('response', (response) => {
    if (response.url().startsWith(origin)) answers.push(response);
  });
  await attacker.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await attacker.evaluate('window.done')).toBe('refused');
  // All but those of fetch with CORS, which end before anybody sees their answers.
  expect(answers.map((each) => each.url()).sort()).toEqual(Array(4).fill(targets).flat().sort());
  expect(answers.filter((each) => each.status() !== 403)).toEqual([]);
  const headers = await Promise.all(answers.map((each) => each.request().allHeaders()));
  expect(headers.filter(({ cookie }) => cookie?.startsWith('petspec-ui=')).length).toBeGreaterThan(0);
  // Where that page is from, the cookie does not come along.
  const cookies = await page.context().cookies(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(cookies).toEqual([]);
  await page.reload();
  await page.getByText('conformance.test').first().waitFor();
});

/** Asks for addresses as another user of this machine, as far as this one may become one. @returns their statuses */
async function asAnotherUser(urls: readonly string[], headers: Record<string, string>): Promise<number[]> {
  const script = `const { request } = require('node:http');
    const { urls, headers } = JSON.parse(process.argv[1]);
    const ask = (url) => new Promise((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(url);
      const asked = request({ hostname, port, path: pathname + search, headers, agent: false });
      asked.on('response', (response) => resolve(response.resume().statusCode)).on('upgrade', () => resolve(101));
      asked.on('error', reject).end();
    });
    (async () => console.log(JSON.stringify(await Promise.all(urls.map(ask)))))();`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(process.execPath, ['-e', script, JSON.stringify({ urls, headers })], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  await once(child, 'close');
  return JSON.parse(out);
}

test('another user of this machine gets 403 for everything, and there is no other way in', async () => {
  const ui = await startUi(PETSPEC);
  const { origin, address, pid } = ui;
  const { base, page } = await enter(ui);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('VITEST_API_TOKEN') });
  const [, asset = ''] = /src="\.\/(assets\/[^"]+)"/.exec(page.text) ?? [];
  const urls = [
    ...[address, `${origin}/`, origin + base, `${origin}${base}${asset}`, `${origin}/?secret=a-guess`],
    ...[
      '/__vitest__/',
      '/@vite/client',
      '/@fs/etc/passwd',
      '/@fs/',
      '/__vitest_api__',
      '/conformance.test.js',
    ].map((path) => origin + path),
    ...['/__open-in-editor?file=/etc/passwd', '/__vitest_attachment__?path=/etc/passwd&contentType=a'].map(
      (path) => origin + path,
    ),
  ];
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin', origin }, { ...UPGRADE, origin }] as const) {
    const statuses = await asAnotherUser(urls, headers as Record<string, string>);
    expect(statuses).toEqual(urls.map(() => 403));
  }
  expect(listeningPorts(pid)).toEqual([Number(new URL(origin).port)]);
});

/** TCP ports that a process listens at (Linux). */
function listeningPorts(pid: number): number[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = readdirSync(folder).flatMap(
    (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(join(folder, fd)))?.[1] ?? [],
  );
  const LISTENING = '0A';
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && inodes.includes(inode ?? ''))
      .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16)),
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test('through the websocket nothing is written, and nothing runs but the tests', async () => {
  const ui = await startUi(PETSPEC);
  const page = await newPage();
  await page.goto(ui.address);
  await page.getByText('conformance.test').first().waitFor();
  const folder = mkdtempSync(join(tmpdir(), 'petspec-foreign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const foreign = join(folder, 'foreign.test.js');
  writeFileSync(foreign, `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '');`);
  const told = (method: string, ...args: unknown[]) =>
    page.evaluate(TELL, { method, args, url: `${ui.origin.replace('http', 'ws')}/__vitest_api__` });
  const [[, suite]] = (await told('getTestFiles')) as [[unknown, string]];
  const before = readFileSync(suite, 'utf8');
  expect(before).not.toBe('');
  await told('saveTestFile', suite, 'throw new Error("written");');
  await told('updateSnapshot', { filepath: suite });
  await told('rerun', [foreign]);
  await told('rerun', [suite]);
  expect(readFileSync(suite, 'utf8')).toBe(before);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  expect(await ask(ui.origin, '/')).toMatchObject({ status: 403 });
});

/** Calls vitest from its own page: birpc, as flatted, whose strings stand after what refers to them by their place. */
const TELL = async ({ method, args, url }: { method: string; args: unknown[]; url: string }) => {
  const texts: unknown[] = [];
  const flat = (value: unknown): unknown => {
    if (typeof value === 'boolean' || typeof value === 'number') return value;
    const place = texts.push(undefined);
    const isList = Array.isArray(value);
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (typeof value === 'string') texts[place - 1] = value;
    else
      texts[place - 1] = isList
        ? value.map(flat)
        : Object.fromEntries(entries.map(([key, each]) => [key, flat(each)]));
    return String(place - 1);
  };
  flat({ t: 'q', m: method, a: args, i: 'a-question' });
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page
  const { VITEST_API_TOKEN: token } = globalThis as any;
  const socket = new WebSocket(`${url}?token=${token}`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  socket.send(JSON.stringify(texts));
  const answer = await new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => {
      if (String(data).includes('"a-question"')) resolve(String(data));
    };
  });
  socket.close();
  const parts: unknown[] = JSON.parse(answer);
  const unflat = (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    const part = parts[Number(value)];
    if (Array.isArray(part)) return part.map(unflat);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, unflat(each)]));
  };
  return (unflat('0') as { r?: unknown }).r;
};
