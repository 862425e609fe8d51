import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../../../test/certificates/certificates.ts';
import { tlsBefore } from '../../../test/services/way-stations.ts';
import { waitForTarget } from './wait-for-target.ts';

function started(statusOf: (request: number) => number): Promise<{ server: Server; url: string }> {
  let count = 0;
  const server = createServer((request, response) => {
    expect(request.headers.authorization).toBeUndefined();
    response.statusCode = statusOf(count++);
    response.end('x');
  });
  onTestFinished(() => void server.close());
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }),
    ),
  );
}

const waited = async (
  url: string,
  seconds: number,
  options: Parameters<typeof waitForTarget>[1] = { insecure: false },
) => {
  const lines: string[] = [];
  await waitForTarget(url, options, seconds, (line) => lines.push(line));
  return lines;
};

test.each([200, 401, 404, 500])('a target that responds with %d answers', async (status) => {
  const { url } = await started(() => status);
  expect(await waited(url, 30)).toEqual([]);
});

test('a gateway is waited for until the service behind it answers, with one line', async () => {
  const { url } = await started((request) => (request < 2 ? 503 : 404));
  expect(await waited(url, 30)).toEqual([`waiting up to 30 s until ${new URL(url).origin} answers\n`]);
});

test('the wait ends for a target that never answers', async () => {
  const { server, url } = await started(() => 200);
  await new Promise((resolve) => server.close(resolve));
  expect(await waited(url, 1)).toHaveLength(1);
});

test('a target with a certificate of its own answers whom the run trusts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-wait-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const authority = makeAuthority(folder);
  const { certificate, key } = authority.sign('store', ['IP:127.0.0.1']);
  const { server } = await started(() => 404);
  const station = await tlsBefore((server.address() as AddressInfo).port, { cert: certificate, key });
  onTestFinished(() => station.close());
  const url = `https://127.0.0.1:${station.port}/v1`;
  expect(await waited(url, 30, { insecure: true })).toEqual([]);
  expect(await waited(url, 30, { insecure: false, network: { ca: authority.certificate } })).toEqual([]);
  expect(await waited(url, 1)).toHaveLength(1);
});
