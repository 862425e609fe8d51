import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { tellGithub } from './on-github.ts';

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
