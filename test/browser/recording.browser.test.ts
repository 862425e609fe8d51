import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { realClock } from '../../src/model/clock.ts';
import { judgeRecordings } from '../../src/recording/judge-recording.ts';
import type { JudgedRecording } from '../../src/recording/judgment.ts';
import { readRecording } from '../../src/recording/reading/read-recording.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { startReference } from '../../src/reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { violatedIn } from '../recordings/recorded-run.ts';
import { launch } from './browser.ts';

const contract = loadContract();
const KEY = 'a-key-for-the-browser-42';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** What a page sends: it adds an animal, fetches it, lists, and makes a mistake. */
const SESSION = `async (key) => {
  const headers = { accept: 'application/json', authorization: 'Bearer ' + key };
  const send = async (path, options = {}) => {
    const response = await fetch('/v1' + path, { headers, ...options });
    return response.json();
  };
  const add = (animal) => send('/pets', {
    method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(animal),
  });
  await send('/pets?limit=3');
  const added = await add({ name: 'Rex of the page', categoryId: 1, status: 'pending' });
  await send('/pets/' + added.id);
  await send('/pets?status=sold');
  await add({ name: 5 });
  await send('/pets');
}`;

/** Records a page that calls the reference, with Debian's Chromium, as Playwright writes it. */
async function recorded(...ids: string[]): Promise<{ judged: JudgedRecording; text: string; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const changes = faults.filter(({ id }) => ids.includes(id));
  expect(changes).toHaveLength(ids.length);
  const reference = await startReference({ clock: realClock, apiKey: KEY, changes });
  onTestFinished(() => reference.close());
  const file = join(folder, 'session.har');
  const context = await browser.newContext({ recordHar: { path: file } });
  const page = await context.newPage();
  // The page of an unknown address is one of the same origin.
  await page.goto(new URL('/page', reference.baseUrl).href);
  await page.evaluate(`(${SESSION})(${JSON.stringify(KEY)})`);
  await context.close();
  return { judged: await judgeFile(file), text: readFileSync(file, 'utf8'), file };
}

function judgeFile(file: string): Promise<JudgedRecording> {
  const entries = readRecording(file, process.stdin);
  return judgeRecordings(contract, allChecks(contract), [{ name: 'session.har', entries }], {
    servers: {},
    redact: [],
  });
}

test('a page that calls a conformant service', async () => {
  const { judged, text } = await recorded();
  expect(text).toContain(KEY);
  expect(JSON.stringify(judged)).not.toContain(KEY);
  expect(judged.files).toMatchObject([{ judged: 6 }]);
  expect(judged.keys).toBe(1);
  expect(violatedIn(judged.findings)).toEqual([]);
  const met = (id: string) => judged.findings[id]?.status === 'met' && judged.findings[id]?.exercised;
  for (const id of [
    'listPets.limit',
    'createPet.echo',
    'createPet.400',
    'getPet.stored',
    'Pet.id',
    'Error.status',
  ])
    expect(met(id), id).toBe(true);
});

test('a page that calls a service with faults', async () => {
  const { judged } = await recorded('list-default-25', 'create-200');
  expect(violatedIn(judged.findings).sort()).toEqual(['createPet.201', 'listPets.limit.default']);
});

test('without the key, as browsers export it', async () => {
  const { file } = await recorded('list-default-25');
  const har = JSON.parse(readFileSync(file, 'utf8'));
  for (const { request } of har.log.entries)
    request.headers = request.headers.filter(
      ({ name }: { name: string }) => name.toLowerCase() !== 'authorization',
    );
  writeFileSync(file, JSON.stringify(har));
  const judged = await judgeFile(file);
  expect(judged.keys).toBe(0);
  expect(violatedIn(judged.findings)).toEqual(['listPets.limit.default']);
});
