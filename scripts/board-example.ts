/**
 * Makes the histories and the site of `examples/board/`, and its pictures in `docs/`: `node dist/scripts/board-example.js`.
 * `--site` makes the site and the pictures again from the histories. Needs Python and Debian's chromium.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { filesIn } from '../src/board/files.ts';
import { makeBoard } from '../src/board/site.ts';
import { sha256 } from '../src/certificate/statement.ts';
import { loadContract } from '../src/contract/load.ts';
import { addEntries } from '../src/history/add.ts';
import { entryOf } from '../src/history/entry.ts';
import { run } from '../src/index.ts';
import { packageRoot } from '../src/model/package-root.ts';
import type { Report } from '../src/model/report/report.ts';
import { faults } from '../src/reference/faults/index.ts';
import type { Change } from '../src/reference/index.ts';
import { assemble } from '../src/report/assemble/assemble.ts';
import { renderJson } from '../src/report/files/formats.ts';
import { conductBundled } from '../src/run/bundled.ts';
import { recordOf } from '../src/run/job.ts';
import { DEFAULT_OPTIONS } from '../src/run/options.ts';
import { makePlan } from '../src/run/plan.ts';
import { allChecks } from '../suites/index.ts';

const EXAMPLE = join(packageRoot, 'examples', 'board');
const HISTORIES = join(EXAMPLE, 'histories');
const SITE = join(EXAMPLE, 'site');
const FIRST = Date.UTC(2026, 2, 2, 9);
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** The releases of an implementation: which faults, or which breakages of the Python store, each has. */
interface Vendor {
  name: string;
  baseUrl: string;
  releases: readonly (readonly string[])[];
  /** ms: how much longer than the service itself a request takes. */
  latency: (release: number) => number;
  judge: (broken: readonly string[]) => Promise<Report>;
}

const NONE: readonly string[] = [];
const times = (count: number, broken: readonly string[] = NONE) =>
  Array.from({ length: count }, () => broken);

/** How many releases most of them have. */
const RELEASES = 8;

const VENDORS: readonly Vendor[] = [
  {
    name: 'petspec reference',
    baseUrl: 'https://reference.example.com/v1',
    releases: times(RELEASES),
    latency: () => 20,
    judge: judgeReference,
  },
  {
    name: 'Harbor animals',
    baseUrl: 'https://animals.harbor.example.com/v1',
    releases: [
      ...times(3, [
        'list-status-sold-all',
        'create-name-no-tags',
        'create-status-null',
        'header-limit-missing-401',
      ]),
      ...times(2, ['list-status-sold-all', 'create-status-null']),
      ['create-status-null'],
      ...times(3),
    ],
    latency: (release) => 90 - release * 5,
    judge: judgeReference,
  },
  {
    name: 'Meadow store',
    baseUrl: 'https://meadow.example.com/v1',
    releases: [...times(5), ...times(3, ['list-default-25', 'header-limit-missing-401'])],
    latency: (release) => 30 + release * 6,
    judge: judgeReference,
  },
  {
    name: 'Wanderer',
    baseUrl: 'https://api.wanderer.example.com/v1',
    releases: [
      NONE,
      ['list-status-sold-all'],
      NONE,
      ['list-status-sold-all'],
      NONE,
      ['retry-after-rfc850'],
      NONE,
      ['list-status-sold-all'],
    ],
    latency: (release) => 40 + ((release * 37) % 30),
    judge: judgeReference,
  },
  {
    name: 'python-store',
    baseUrl: 'https://python-store.example.com/v1',
    releases: [['sold-filter-leaks'], ['sold-filter-leaks'], NONE, NONE],
    latency: () => 0,
    judge: judgePython,
  },
  {
    name: 'vendor-ci',
    baseUrl: 'https://vendor.example.com/v1',
    releases: times(4),
    latency: () => 0,
    judge: judgeVendor,
  },
];

const unhurried: Change = {
  around: async (call, next) => {
    await call.pause(8 + ((call.number * 37) % 19));
    return next(call);
  },
};

/** Runs against the reference with faults, in virtual time. */
async function judgeReference(broken: readonly string[]): Promise<Report> {
  const unknown = broken.filter((id) => !faults.some((fault) => fault.id === id));
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}`);
  const contract = loadContract();
  const checks = allChecks(contract);
  const options = { ...DEFAULT_OPTIONS, frugal: true, concurrency: 1 };
  const plan = makePlan(contract, checks, options);
  const changes = [unhurried, ...faults.filter(({ id }) => broken.includes(id))];
  const conducted = await conductBundled(contract, plan, options, { changes, start: FIRST });
  return assemble(
    { contract, checks },
    recordOf(contract, checks, plan, { options }, conducted),
    conducted.exchanges,
    plan,
  );
}

const KEY = 'an-example-key-0123456789';

async function judgePython(broken: readonly string[]): Promise<Report> {
  const store = join(packageRoot, 'examples', 'python-store', 'store.py');
  const own = broken.flatMap((each) => ['--break', each]);
  const options = ['--port', '0', '--message-port', '0', '--api-key', KEY, '--window', '3'];
  return judgeProgram('python3', [store, ...options, ...own], {});
}

async function judgeVendor(): Promise<Report> {
  const built = mkdtempSync(join(packageRoot, 'node_modules', '.vendor-ci-'));
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const source = join(packageRoot, 'examples', 'vendor-ci', 'src');
  try {
    const options = [
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
      '--skipLibCheck',
      '--ignoreConfig',
    ];
    execFileSync(process.execPath, [tsc, join(source, 'main.ts'), ...options, '--outDir', built], {
      stdio: 'inherit',
    });
    writeFileSync(join(built, 'package.json'), '{ "type": "module" }');
    return await judgeProgram(process.execPath, [join(built, 'main.js')], {
      STORE_API_KEY: KEY,
      PORT: '0',
      MESSAGE_PORT: '0',
      MINUTE_MS: '3000',
    });
  } finally {
    rmSync(built, { recursive: true });
  }
}

/** Starts a service that prints its two addresses, judges it, and ends it. */
async function judgeProgram(
  program: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Report> {
  const child = spawn(program, options, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const addresses: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^(?:base|message) address: (.*)$/.exec(line)?.[1];
      if (address !== undefined) addresses.push(address);
      if (addresses.length === 2) break;
    }
    const [baseUrl = '', apiUrl = ''] = addresses;
    return await run({ baseUrl, apiUrl, apiKey: KEY, plan: 'free' });
  } finally {
    child.kill();
  }
}

async function makeHistories(): Promise<void> {
  rmSync(HISTORIES, { recursive: true, force: true });
  mkdirSync(HISTORIES, { recursive: true });
  for (const { name, baseUrl, releases, latency, judge } of VENDORS) {
    // The last release of every implementation is of the same week.
    const known = new Map<string, Report>();
    const first = FIRST + (RELEASES - releases.length) * WEEK;
    for (const [release, broken] of releases.entries()) {
      const start = first + release * WEEK;
      // Releases that behave the same are judged once.
      const judged = known.get(broken.join()) ?? (await judge(broken));
      known.set(broken.join(), judged);
      const wait = latency(release);
      const report = {
        ...judged,
        target: { ...judged.target, baseUrl },
        exchanges: judged.exchanges.map((each) => ({ ...each, receivedAt: each.receivedAt + wait })),
        startedAt: new Date(start).toISOString(),
        finishedAt: new Date(start + judged.durationMs).toISOString(),
      };
      const version = `1.${release}.0`;
      const entry = entryOf(report, sha256(renderJson(report)), { name, release: version });
      await addEntries(join(HISTORIES, `${name.toLowerCase().replaceAll(' ', '-')}.jsonl`), [entry]);
      console.log(`${name} ${version}: ${report.verdict}, ${report.because}`);
    }
  }
}

function makeSite(): void {
  const contract = loadContract();
  const statements = new Map(contract.requirements.map(({ id, statement }) => [id, statement]));
  const onProblem = (problem: string) => {
    throw new Error(problem);
  };
  makeBoard(filesIn([HISTORIES], onProblem), {
    out: SITE,
    title: 'Animal store implementations',
    keys: [],
    now: FIRST + RELEASES * WEEK,
    statementOf: (_, id) => statements.get(id),
    onProblem,
  });
}

/** The first screen of the list, and of an implementation: at 1280 px, light and dark. */
async function makePictures(): Promise<void> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const [page = ''] = readdirSync(join(SITE, 'implementations')).filter((name) => name.startsWith('meadow'));
  const pictures = [
    ['board', 'index.html', 1280, 760, 'light'],
    ['board-implementation', join('implementations', page), 1280, 760, 'dark'],
  ] as const;
  try {
    for (const [name, file, width, height, colorScheme] of pictures) {
      const tab = await browser.newPage({ viewport: { width, height }, colorScheme });
      await tab.goto(pathToFileURL(join(SITE, file)).href);
      await tab.screenshot({ path: join(packageRoot, 'docs', `${name}.png`) });
    }
  } finally {
    await browser.close();
  }
}

if (!process.argv.includes('--site')) await makeHistories();
makeSite();
await makePictures();
