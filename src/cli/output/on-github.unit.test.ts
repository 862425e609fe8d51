import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { tellGithub, tellGithubOfAll } from './on-github.ts';

let folder: string;
let summary: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-github-'));
  summary = join(folder, 'summary');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function tell(env: NodeJS.ProcessEnv, out?: string) {
  let printed = '';
  const problems = await tellGithub(
    handMade,
    env,
    (text) => {
      printed += text;
    },
    out,
  );
  return { printed, problems };
}

test('outside of GitHub Actions nothing is told', async () => {
  expect(await tell({ GITHUB_STEP_SUMMARY: summary })).toEqual({ printed: '', problems: [] });
  expect(() => readFileSync(summary)).toThrow('ENOENT');
});

test('annotations are printed, and the summary is appended to what is there', async () => {
  writeFileSync(summary, 'of another command\n');
  const { printed, problems } = await tell({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(problems).toEqual([]);
  expect(printed).toMatch(/^::error title=petspec/);
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^of another command\n## ❌ petspec: non-conformant \(3 of 5 requirements judged\)\n/,
  );
});

test('a summary that would become too large for GitHub is left as it is: it would drop the whole', async () => {
  writeFileSync(summary, 'x'.repeat(1024 * 1024 - 100));
  const { problems } = await tell({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(problems).toHaveLength(1);
  expect(readFileSync(summary, 'utf8')).toMatch(/^x+$/);
});

test('a summary that cannot be written is said in a line', async () => {
  const { printed, problems } = await tell({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: folder });
  expect(printed).toMatch(/^::error/);
  expect(problems).toEqual([expect.stringMatching(/^cannot write the job summary: EISDIR/)]);
});

test('verdict and report are outputs of the step, also where the path is odd', async () => {
  const outputs = join(folder, 'outputs');
  const odd = join(folder, 'a\nverdict=conformant');
  expect((await tell({ GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: outputs }, odd)).problems).toEqual([]);
  const [verdict, report, ...others] = readFileSync(outputs, 'utf8').split(/(?<=^end-of-.*\n)/m);
  expect(verdict).toMatch(/^verdict<<(.+)\nnon-conformant\n\1\n$/);
  expect(report?.split('\n').slice(1, -2).join('\n')).toBe(join(odd, 'report.json'));
  expect(report).toMatch(/^report<<(.+)\n[\s\S]*\n\1\n$/);
  expect(others).toEqual([]);
});

test('without reports there is no path to name, and outputs that cannot be written are said in a line', async () => {
  const outputs = join(folder, 'outputs');
  await tell({ GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: outputs });
  expect(readFileSync(outputs, 'utf8')).not.toContain('report');
  const { problems } = await tell({ GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: folder });
  expect(problems).toEqual([expect.stringMatching(/^cannot write the outputs of the step: EISDIR/)]);
});

const VERDICTS = ['conformant', 'incomplete', 'non-conformant'] as const;
const [GOOD, HALF, BAD] = VERDICTS;
test.each<[verdicts: (typeof VERDICTS)[number][], isPartial: boolean, worst: string]>([
  [[GOOD, GOOD], false, GOOD],
  [[GOOD, GOOD], true, HALF],
  [[GOOD, HALF], false, HALF],
  [[HALF, BAD, GOOD], false, BAD],
  [[BAD, GOOD], true, BAD],
])(
  'of several runs the verdict is the worst: %j, petspec failed on another one: %j',
  (verdicts, isPartial, worst) => {
    const outputs = join(folder, 'outputs');
    const runs = verdicts.map((verdict, index) => ({
      name: `target-${index}`,
      report: { ...handMade, verdict },
    }));
    let printed = '';
    const problems = tellGithubOfAll(
      { runs, isPartial, comparison: () => '## the comparison', out: '/all' },
      { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary },
      (text) => {
        printed += text;
      },
    );
    expect(problems).toEqual([]);
    expect(readFileSync(outputs, 'utf8')).toMatch(
      new RegExp(`^verdict<<(.+)\n${worst}\n\\1\nreport<<(.+)\n/all\n\\2\n$`),
    );
    expect(readFileSync(summary, 'utf8')).toBe('## the comparison\n');
    for (const { name } of runs) expect(printed).toContain(`::error title=petspec%3A ${name}%3A `);
  },
);

test('if petspec failed on every target, there is no verdict to tell', () => {
  const outputs = join(folder, 'outputs');
  const none = { runs: [], isPartial: true, comparison: () => '' };
  expect(tellGithubOfAll(none, { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: outputs }, () => {})).toEqual([]);
  expect(() => readFileSync(outputs)).toThrow('ENOENT');
});
