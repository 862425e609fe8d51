import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A service on 127.0.0.1 for one test, and its document in a file. @param answer by path: a value, or the text of one */
export async function servedAt(
  document: object | string,
  answer: (path: string) => { value: unknown } | { text: string },
) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-served-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  const server = createServer(({ url = '' }, response) => {
    const answered = answer(url);
    response.setHeader('Content-Type', 'application/json');
    response.end('text' in answered ? answered.text : JSON.stringify(answered.value));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, interface: file };
}
