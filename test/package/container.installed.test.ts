import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Copy, DockerfileParser, type From, type Instruction } from 'dockerfile-ast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// There is no container engine here, so each step of the Dockerfile is played in an empty folder that stands for its
// image: absolute paths become paths in that folder, and `npm` and `sh` are those of this machine.

const ROOT = join(import.meta.dirname, '../..');
const dockerfile = DockerfileParser.parse(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');

/** An image as far as it is built. */
interface Image {
  root: string;
  workdir: string;
  env: Record<string, string>;
}

let folder: string;
let image: Image;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-image-'));
  image = build();
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

/** Plays the steps of all stages. @returns the last image */
function build(): Image {
  const stages = new Map<string, Image>();
  let current: Image = { root: folder, workdir: '/', env: {} };
  for (const instruction of dockerfile.getInstructions()) {
    const words = instruction.getArguments().map((each) => each.getValue());
    const name = instruction.getKeyword();
    if (name === 'FROM') {
      const stage = (instruction as From).getBuildStage() ?? 'final';
      current = { root: join(folder, stage), workdir: '/', env: {} };
      stages.set(stage, current);
      mkdirSync(join(current.root, 'usr/local/bin'), { recursive: true });
    } else if (name === 'WORKDIR') {
      current.workdir = words[0] ?? '/';
      mkdirSync(join(current.root, current.workdir), { recursive: true });
    } else if (name === 'ENV') {
      const [variable = '', value = ''] = (words[0] ?? '').split('=');
      current.env[variable] = value;
    } else if (name === 'COPY')
      copy(words, current, stages.get((instruction as Copy).getFromFlag()?.getValue() ?? ''));
    else if (name === 'RUN') run(instruction, current);
  }
  return current;
}

/** @param stage the stage to copy from; without it, from the folder of the Dockerfile */
function copy(paths: readonly string[], to: Image, stage: Image | undefined): void {
  const source = stage?.root ?? ROOT;
  const target = paths.at(-1) ?? '';
  for (const path of paths.slice(0, -1)) {
    const isAll = path === '.';
    const isInto = paths.length > 2 || isAll;
    const destination = join(to.root, to.workdir, target, isInto && !isAll ? basename(path) : '');
    const inContext = (file: string) => !ignored.some((each) => file === join(ROOT, each));
    cpSync(join(source, path), destination, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => stage !== undefined || inContext(file),
    });
  }
}

function run(instruction: Instruction, { root, workdir, env }: Image): void {
  const script = (instruction.getArgumentsContent() ?? '').replaceAll(/(^|\s)\/(?=\w)/g, `$1${root}/`);
  const { status, stderr } = spawnSync('sh', ['-ec', script], {
    cwd: join(root, workdir),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_prefer_offline: 'true', ...env },
  });
  expect({ script, status, stderr: status === 0 ? '' : stderr }).toEqual({ script, status: 0, stderr: '' });
}

/** The command of the entry point, in the image. */
function entryPoint(): [string, ...string[]] {
  const [entry] = dockerfile.getENTRYPOINTs();
  const [name = ''] = JSON.parse(entry?.getArgumentsContent() ?? '[]');
  return [join(image.root, 'usr/local/bin', name)];
}

const inImage = () => ({
  cwd: join(image.root, image.workdir),
  env: { PATH: process.env.PATH, ...image.env },
});

describe('the image', () => {
  test('judges the bundled reference, and writes its reports to the volume', () => {
    const [command] = entryPoint();
    const { status, stdout } = spawnSync(command, ['run'], { ...inImage(), encoding: 'utf8' });
    expect(stdout).toMatch(/^conformant: /m);
    expect(status).toBe(0);
    const [volume] = dockerfile.getInstructions().filter((each) => each.getKeyword() === 'VOLUME');
    const [path = ''] = JSON.parse(volume?.getArgumentsContent() ?? '[]');
    expect(existsSync(join(image.root, path, 'report.json'))).toBe(true);
  });

  test('makes a board, and validates what it reads', () => {
    const [command] = entryPoint();
    const act = (...words: string[]) => spawnSync(command, words, { ...inImage(), encoding: 'utf8' });
    expect(act('history', 'add', 'reports', '--file', 'reports/history.jsonl')).toMatchObject({ status: 0 });
    expect(act('board', 'reports', '--out', 'reports/board')).toMatchObject({ status: 0 });
  });

  test('passes signals on to petspec', async () => {
    const [command] = entryPoint();
    const child = spawn(command, ['serve', '--port', '0', '--message-port', '0'], inImage());
    const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect([0, 143, 'SIGTERM']).toContain(await ended);
  });

  test('has what petspec needs to run, and no more', () => {
    const own = join(image.root, 'opt/petspec');
    expect(readdirSync(own).sort()).toEqual(
      [
        'LICENSE',
        'assets',
        'bin',
        'dist',
        'node_modules',
        'package.json',
        'petspec.config.schema.json',
        'petspec.requirements.schema.json',
        'reports',
        'spec',
      ].sort(),
    );
    expect(readdirSync(join(own, 'dist')).sort()).toEqual(['interface.json', 'package']);
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const kept = Object.keys(packages).filter((place) => packages[place].dev && existsSync(join(own, place)));
    expect(kept).toEqual([]);
  });
});
