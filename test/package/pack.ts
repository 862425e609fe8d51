import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../..');

/** petspec as it would be published. */
export interface Tarball {
  path: string;
  /** What is in it. */
  files: string[];
}

declare module 'vitest' {
  interface ProvidedContext {
    tarball: Tarball;
    /** A project that has petspec installed from the tarball, for tests that only need one. They do not change it. */
    installed: string;
    /** What npm printed when it installed petspec there. */
    printed: string;
  }
}

/** CI has just built, and other tests use what it built. */
const BUILT = process.env.CI ? ['--ignore-scripts'] : [];

/**
 * Packs petspec once, for all tests of the project: packing builds, and a second build would take the first away. It is
 * also installed once, because npm takes seconds of CPU for it.
 */
export default async function pack(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-packed-'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...BUILT], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const files = packed.files.map(({ path }: { path: string }) => path);
  const path = join(folder, packed.filename);
  project.provide('tarball', { path, files });
  const installed = join(folder, 'installed');
  project.provide('printed', await installIn(installed, '--save-dev', path));
  project.provide('installed', installed);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Makes a project of a vendor's, and installs packages in it. @returns what npm printed */
export async function installIn(folder: string, ...packages: readonly string[]): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "a-vendor", "private": true, "type": "module" }');
  const { stdout, stderr } = await promisify(execFile)(
    'npm',
    ['install', '--save-exact', '--no-audit', '--no-fund', '--prefer-offline', ...packages],
    {
      cwd: folder,
    },
  );
  return stdout + stderr;
}
