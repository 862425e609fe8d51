import { expect, test } from 'vitest';
import { judge } from '../../test/recordings/judged.ts';
import { harOf, violatedIn } from '../../test/recordings/recorded-run.ts';
import { sampleRun } from '../../test/reports/sample-runs.ts';
import type { JudgedRecording } from './judgment.ts';

/** The entries of petspec's HAR of a run, and its base URL, as if the paths of the service did not begin with /v1. */
async function withoutBasePath(): Promise<{ entries: unknown[]; base: string }> {
  const { report, exchanges } = await sampleRun({});
  const { origin } = new URL(report.target.baseUrl);
  const har = harOf(exchanges, origin).replaceAll(`${origin}/v1`, origin);
  return { entries: JSON.parse(har).log.entries, base: origin };
}

const judgedIn = ({ files }: JudgedRecording) => files.map(({ entries, judged }) => [entries, judged]);
const metIn = ({ findings }: JudgedRecording) =>
  Object.values(findings).filter(({ status }) => status === 'met').length;

test('a run at an address without the base path of the interface is judged there', async () => {
  const { entries, base } = await withoutBasePath();
  const { report } = await sampleRun({});
  const told = await judge(entries);
  expect(told.servers.baseUrl).toBe(base);
  expect(judgedIn(told)).toEqual([[entries.length, entries.length]]);
  // That the address does not end with /v1 is an advisory.
  expect(violatedIn(told.findings)).toEqual(['versioning.address']);
  expect(metIn(told)).toBe(report.summary.met - 1);
  expect(told.otherBase).toBeUndefined();
});

test('where nothing of a run is at the named base URL, it is not judged as other spellings of it', async () => {
  const { entries, base } = await withoutBasePath();
  const judged = await judge(entries, { servers: { baseUrl: `${base}/v1` } });
  expect(judged.otherBase?.base).toBe(base);
  const messages = 6;
  expect(judged.files).toMatchObject([
    { judged: messages, omissions: { 'other-base': entries.length - messages } },
  ]);
});
