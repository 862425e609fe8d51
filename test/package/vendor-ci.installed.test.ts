import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { validateWorkflow } from '@action-validator/core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { type Job, runAction, runStep, type Shell } from './github-runner.ts';

// The workflow of examples/vendor-ci, with the packed petspec: its steps in their order, as GitHub Actions runs them.
const EXAMPLE = join(import.meta.dirname, '../../examples/vendor-ci');
const WORKFLOW = '.github/workflows/conformance.yml';

let job: Job & { env: Record<string, string> };
const steps = new Map<string, Shell>();

beforeAll(async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'petspec-vendor-ci-'));
  cpSync(EXAMPLE, workspace, {
    recursive: true,
    filter: (path) => !/(?:node_modules|dist|reports)$/.test(path.slice(EXAMPLE.length)),
  });
  const [port, messagePort] = await freePorts();
  for (const file of ['petspec.config.yaml', WORKFLOW]) {
    const text = readFileSync(join(workspace, file), 'utf8');
    writeFileSync(join(workspace, file), text.replaceAll('8080', port).replaceAll('8081', messagePort));
  }
  const [{ env }] = Object.values<{ env: Record<string, string> }>(workflowIn(workspace).jobs) as [
    { env: Record<string, string> },
  ];
  // A minute of three seconds: recovery is seen soon.
  job = { workspace, env: { ...env, PORT: port, MESSAGE_PORT: messagePort, MINUTE_MS: '3000' } };
});

afterAll(async () => {
  for (const { end } of steps.values()) end();
  await rm(job.workspace, { recursive: true, force: true });
}, 60_000);

function workflowIn(folder: string) {
  return parse(readFileSync(join(folder, WORKFLOW), 'utf8'));
}

async function freePorts(): Promise<[string, string]> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve(String((server.address() as { port: number }).port)));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return [ports[0] ?? '', ports[1] ?? ''];
}

/** Runs a step of the workflow, by its name, with secrets in its environment. */
async function step(name: string, secrets: Record<string, string> = {}): Promise<Shell> {
  const all: { name?: string; run?: string }[] = workflowIn(job.workspace).jobs.conformance.steps;
  const { run } = all.find((each) => each.name === name) ?? {};
  if (run === undefined) throw new Error(`the workflow has no step ${name} with a command`);
  // The package is not taken from the registry, and so no lockfile has it.
  const ended = await runStep(
    run.replace('npm ci', `npm install --no-audit --no-fund ${inject('tarball').path}`),
    { ...job, env: { ...job.env, ...secrets } },
  );
  steps.set(name, ended);
  return ended;
}

test('the workflow is as the published schema of workflows says', () => {
  expect(validateWorkflow(readFileSync(join(EXAMPLE, WORKFLOW), 'utf8')).errors).toEqual([]);
});

test('the service shares nothing with petspec', () => {
  const sources = ['app', 'limiter', 'main', 'pets', 'refusal', 'routes'].map((name) =>
    readFileSync(join(EXAMPLE, 'src', `${name}.ts`), 'utf8'),
  );
  const imports = sources.flatMap((text) =>
    [...text.matchAll(/ from '([^']+)'/g)].map(([, from]) => from ?? ''),
  );
  expect(imports.filter((from) => !/^(?:node:|\.\/)/.test(from))).toEqual([]);
});

test('it is installed and built', async () => {
  expect(await step('Install')).toMatchObject({ status: 0 });
  expect(await step('Build')).toMatchObject({ status: 0 });
}, 240_000);

test('its tests pass, the conformance suite among them, in virtual time', async () => {
  const { status, output } = await step('Test');
  // What the interface leaves open is skipped.
  // vitest prints colors where GitHub runs it.
  expect(stripVTControlCharacters(output)).toMatch(/Tests +.*\d\d passed \| \d\d skipped/);
  expect(output).not.toMatch(/failed/);
  expect(status).toBe(0);
}, 120_000);

test('the service is started, judged by the action, and conformant', async () => {
  expect(await step('Start the service')).toMatchObject({ status: 0 });
  const judged = workflowIn(job.workspace).jobs.conformance.steps.find(
    (each: { id?: string }) => each.id === 'petspec',
  );
  const { status, outputs, summary, uploads, output } = await runAction(judged.with, job);
  expect(output).toContain('conformant: ');
  expect(status).toBe(0);
  expect(outputs.verdict).toBe('conformant');
  const report = JSON.parse(readFileSync(outputs.report ?? '', 'utf8'));
  expect(report.narrowed).toEqual([]);
  expect(summary).toContain('petspec: conformant');
  expect(existsSync(join(job.workspace, uploads ?? '', 'junit.xml'))).toBe(true);
}, 120_000);

test('it is certified, and the certificate is verified with the public key alone; a flipped bit is refused', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(job.workspace, 'verify.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  const certified = await step('Certify the service', {
    SIGN_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  });
  expect(certified.output).toContain('certified and signed');
  expect(certified.status).toBe(0);
  expect(existsSync(join(job.workspace, 'sign.pem'))).toBe(false);
  expect(await step('Verify the certificate')).toMatchObject({ status: 0 });
  const path = join(job.workspace, 'certified', 'certificate.json');
  const whole = readFileSync(path);
  for (const place of [0.1, 0.5, 0.9]) {
    const flipped = Buffer.from(whole);
    const index = Math.floor(place * flipped.length);
    flipped[index] = (flipped[index] ?? 0) ^ 1;
    writeFileSync(path, flipped);
    expect(await step('Verify the certificate'), `byte ${index}`).toMatchObject({ status: 1 });
  }
}, 120_000);
