import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type Reference, realClock, startReference } from '../../src/index.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { junitProblems } from '../reports/parsers.ts';
import { BUNDLE, runAction, shell } from './github-runner.ts';

// The steps of action.yml and of the GitLab template, run with the environment that these services give.
const ROOT = join(import.meta.dirname, '../..');
const KEY = 'a-key-of-a-vendor';

let workspace: string;
let reference: Reference | undefined;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'petspec-ci-'));
});
afterEach(async () => {
  await reference?.close();
  reference = undefined;
  rmSync(workspace, { recursive: true, force: true });
}, 60_000);

async function service(...ids: string[]): Promise<Reference> {
  const changes = faults.filter(({ id }) => ids.includes(id));
  reference = await startReference({ clock: realClock, apiKey: KEY, changes });
  return reference;
}

/** petspec is among the project's own packages. */
function installed(): void {
  mkdirSync(join(workspace, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'bin', 'petspec.js'), join(workspace, 'node_modules', '.bin', 'petspec'));
}

/** petspec is in the lockfile of the project, which nobody has installed yet. */
function lockedIn(folder: string): void {
  const tarballs = relative(folder, dirname(inject('tarball').path));
  for (const name of ['package.json', 'package-lock.json']) {
    const text = readFileSync(join(inject('installed'), name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll('file:../', `file:${tarballs}/`));
  }
}

describe('action.yml', () => {
  test('a conformant service: outputs, summary, reports to upload, exit status 0', async () => {
    installed();
    const { baseUrl, apiUrl } = await service();
    const { status, outputs, summary, uploads, output } = await runAction(
      {
        target: baseUrl,
        'api-url': apiUrl,
        'api-key': KEY,
        plan: 'free',
        options: '--no-exhaust\n--header\nx-team: animals and more\n',
        out: 'the reports',
      },
      { workspace },
    );
    expect(output).toMatch(/^conformant \(\d+ of \d+ requirements judged\): /m);
    expect(status).toBe(0);
    expect(outputs).toEqual({
      verdict: 'conformant',
      report: join(workspace, 'the reports', 'report.json'),
      attestation: '',
    });
    expect(JSON.parse(readFileSync(outputs.report ?? '', 'utf8'))).toMatchObject({
      target: { baseUrl, apiUrl, plan: 'free' },
    });
    expect(summary).toContain('petspec: conformant');
    expect(existsSync(join(workspace, uploads ?? '', 'report.html'))).toBe(true);
    expect(output).not.toContain(KEY);
  });

  test('one that is not: annotated, summed up, uploaded all the same, exit status 1', async () => {
    installed();
    const { baseUrl } = await service('list-default-25');
    const env = { PETSPEC_API_KEY: KEY };
    const { status, outputs, summary, uploads, output } = await runAction(
      { target: baseUrl, options: '--no-exhaust' },
      { workspace, env },
    );
    expect(status).toBe(1);
    expect(output).toMatch(/^::error title=petspec%3A listPets\.limit\.default::/m);
    expect(outputs.verdict).toBe('non-conformant');
    expect(summary).toContain('listPets.limit.default');
    expect(uploads).toBe('reports');
  });

  const PERMITTED = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example' };

  test('attest: the target is certified, and the attestation is beside the certificate', async () => {
    installed();
    const { status, outputs, uploads, attests, output } = await runAction(
      { out: 'the reports', attest: 'true' },
      { workspace, env: PERMITTED },
    );
    expect(output).toMatch(/^certified: the reports\/certificate\.json /m);
    expect(status).toBe(0);
    expect([attests, uploads]).toEqual(['the reports/certificate.json', 'the reports']);
    expect(outputs.attestation).toBe('the reports/certificate.sigstore.json');
    expect(readFileSync(join(workspace, outputs.attestation ?? ''), 'utf8')).toBe(`${BUNDLE}${attests}`);
  });

  test('attest: nothing is attested if the target is not certified', async () => {
    installed();
    const { status, outputs, attests, output } = await runAction(
      { target: 'http://127.0.0.1:1/v1', 'api-key': KEY, attest: 'true' },
      { workspace, env: PERMITTED },
    );
    expect(output).toContain('no certificate: ');
    expect([status, attests, outputs.attestation]).toEqual([3, undefined, '']);
  });

  test('attest: a job without the permission gets one line and exit status 2', async () => {
    installed();
    const { status, attests, output } = await runAction({ attest: 'true' }, { workspace });
    expect(output).toBe(
      '::error title=petspec::attest needs permissions of the job: contents: read, id-token: write, attestations: write\n',
    );
    expect([status, attests]).toEqual([2, undefined]);
  });

  test.each([
    ['target', '$(touch injected)'],
    ['target', '"; touch injected; "'],
    ['api-url', '`touch injected`'],
    ['plan', "free'; touch injected; '"],
    ['options', '--only=$(touch injected)'],
    ['out', '$(touch injected)/x'],
  ])('nothing in the input %s is run (%s)', async (name, value) => {
    installed();
    const inputs = { target: 'http://127.0.0.1:1/v1', 'api-key': KEY, options: '--only=listPets.200' };
    const { status, uploads, output } = await runAction(
      { ...inputs, artifact: '', [name]: value },
      { workspace },
    );
    expect(existsSync(join(workspace, 'injected'))).toBe(false);
    expect(output).toContain('touch injected');
    expect(status).toBe(name === 'out' ? 3 : 2);
    expect(uploads).toBeUndefined();
  });

  test('where petspec is not installed, but in the lockfile, it is installed from there', async () => {
    lockedIn(workspace);
    const { baseUrl } = await service();
    const { status, outputs, output } = await runAction(
      { target: baseUrl, 'api-key': KEY, options: '--only=listPets.200' },
      { workspace },
    );
    expect(output).toMatch(/^conformant \(\d+ of \d+ requirements judged\): /m);
    expect(status).toBe(0);
    expect(outputs.verdict).toBe('conformant');
  }, 240_000);

  test('where petspec is not in the lockfile: one line, exit status 2, nothing is fetched', async () => {
    const { status, uploads, output } = await runAction({ target: 'http://127.0.0.1:1/v1' }, { workspace });
    expect(output).toBe(
      '::error title=petspec::petspec is not in package-lock.json; install it in this project as its README says\n',
    );
    expect(status).toBe(2);
    expect(uploads).toBeUndefined();
    expect(existsSync(join(workspace, 'node_modules'))).toBe(false);
  });
});

describe('the GitLab template', () => {
  const [component, template] = readFileSync(join(ROOT, 'templates', 'petspec.yml'), 'utf8').split(/^---$/m);
  const { inputs: known } = parseAllDocuments(component ?? '')[0]?.toJS().spec ?? {};

  /** Does what GitLab does with a component: inputs in the values of the YAML, then the script in a shell. */
  async function runJob(program: string, given: Record<string, string>) {
    const inputs: Record<string, string> = { ...given };
    for (const [name, { default: value }] of Object.entries<{ default: string }>(known))
      inputs[name] ??= value;
    const filled = (value: unknown): unknown => {
      if (typeof value === 'string')
        return value.replace(/\$\[\[ inputs\.([a-z-]+) \]\]/g, (_, name) => inputs[name] ?? '');
      if (Array.isArray(value)) return value.map(filled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [String(filled(name)), filled(each)]),
      );
    };
    const job = (filled(parse(template ?? '')) as Record<string, Job>).petspec;
    if (!job) throw new Error('there is no job');
    const env = {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_PROJECT_DIR: workspace,
      PETSPEC_API_KEY: KEY,
      ...job.variables,
    };
    const strict = program === 'bash' ? 'set -eo pipefail' : 'set -e';
    return { ...(await shell(program, ['-c', [strict, ...job.script].join('\n')], { workspace, env })), job };
  }

  interface Job {
    script: string[];
    variables: Record<string, string>;
    artifacts: { paths: string[]; reports: { junit: string } };
  }

  test.each(['bash', 'sh'])(
    'a service that is not conformant, in %s: exit status 1, and the artefacts are where they are named',
    async (program) => {
      installed();
      const { baseUrl, apiUrl } = await service('list-default-25');
      const { status, output, job } = await runJob(program, {
        target: baseUrl,
        'api-url': apiUrl,
        plan: 'free',
        options: '--no-exhaust\n--header\nx-team: animals and more',
        out: 'the reports',
      });
      expect(output).toMatch(/^non-conformant \(\d+ of \d+ requirements judged\): /m);
      expect(status).toBe(1);
      const junit = readFileSync(join(workspace, job.artifacts.reports.junit), 'utf8');
      expect(junit).toContain('listPets.limit.default');
      expect(await junitProblems(junit)).toEqual([]);
      expect(existsSync(join(workspace, job.artifacts.paths[0] ?? '', 'report.html'))).toBe(true);
      expect(output).not.toContain(KEY);
    },
  );

  test.each([
    ['target', '$(touch injected)"; touch injected; "'],
    ['api-url', '`touch injected`'],
    ['plan', "free'; touch injected; '"],
    ['options', '--only=$(touch injected)'],
  ])('nothing in the input %s is run', async (name, value) => {
    installed();
    const { status, output } = await runJob('sh', { target: 'http://127.0.0.1:1/v1', [name]: value });
    expect(existsSync(join(workspace, 'injected'))).toBe(false);
    expect(output).toContain('touch injected');
    expect(status).toBe(2);
  });

  test('where petspec is not installed, but in the lockfile, it is installed from there', async () => {
    lockedIn(workspace);
    const { baseUrl } = await service();
    const { status, output } = await runJob('sh', { target: baseUrl, options: '--only=listPets.200' });
    expect(output).toMatch(/^conformant \(\d+ of \d+ requirements judged\): /m);
    expect(status).toBe(0);
  }, 240_000);

  test('where petspec is not in the lockfile: one line, exit status 2, nothing is fetched', async () => {
    const { status, output } = await runJob('sh', { target: 'http://127.0.0.1:1/v1' });
    expect(output).toBe(
      'petspec is not in package-lock.json; install it in this project as its README says\n',
    );
    expect(status).toBe(2);
    expect(existsSync(join(workspace, 'node_modules'))).toBe(false);
  });
});
