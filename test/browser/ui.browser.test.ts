import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';

const PETSPEC = join(import.meta.dirname, '../../bin/petspec.js');

test('a test that is run again in the vitest UI is judged from the ledger, and nothing is sent twice', async () => {
  const out = mkdtempSync(join(tmpdir(), 'petspec-ui-'));
  const child = spawn(process.execPath, [PETSPEC, 'run', '--ui', '--out', out], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    let address = '';
    for await (const line of createInterface({ input: child.stdout })) {
      address = line;
      break;
    }
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    const ledger = () => readFileSync(join(out, 'ledger.jsonl'), 'utf8');
    const before = ledger();
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByPlaceholder(/Search/).fill('A list holds no more animals');
    const found = page.getByText('listPets.limit: A list holds no more animals than limit asks for.');
    await found.first().click();
    await page.getByText('requirement', { exact: true }).first().waitFor();
    await found.first().hover();
    await page.getByTestId('btn-run-test').filter({ visible: true }).last().click();
    await page.getByText('RERUN').or(page.getByText(/Pass/)).first().waitFor();
    expect(ledger()).toBe(before);
  } finally {
    await browser.close();
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(out, { recursive: true, force: true });
  }
});
