import { expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const folder = new URL('../../../test/document-server/', import.meta.url);
const DOCUMENT = new URL('documents/projects.yaml', folder).pathname;
const CLIENT = new URL('client.mjs', folder).pathname;
const { petspec, reportIn } = testedCommandLine();

/** Runs the client of the document, with a mistake, through these scenarios. */
async function tried(scenarios: string, out: string, ...mistake: string[]) {
  const options = ['--interface', DOCUMENT, '--scenario', scenarios, '--out', out];
  const { status, err } = await petspec('client', ...options, '--', process.execPath, CLIENT, ...mistake);
  if (status === 2) throw new Error(err);
  const found: { id: string; status: string }[] = reportIn(out).requirements;
  const wrong = found.filter((each) => each.status === 'violated' || each.status === 'advisory');
  return { status, wrong: wrong.map(({ id }) => id) };
}

test('a client that heeds its document is found nothing wrong with, whatever it meets', async () => {
  const met = 'plain,extra-fields,new-member,retry-after-date,slow-clock,unavailable,broken-connection';
  expect(await tried(met, 'sound')).toEqual({ status: 0, wrong: [] });
});

test.each<[mistake: string, scenarios: string, id: string, status: number]>([
  ['wrong-field', 'plain', 'client.NewProject.name', 1],
  ['wrong-parameter', 'plain', 'client.listProjects.limit', 1],
  ['other-type', 'plain', 'client.createProject.body', 1],
  ['bare-key', 'plain', 'client.key.form', 1],
  ['hasty', 'retry-after-seconds', 'client.retry-after', 0],
  ['hasty', 'unavailable', 'client.retry-after', 0],
  ['own-clock', 'slow-clock', 'client.retry-after', 0],
  ['strict', 'plain,new-member', 'client.survives', 0],
])('the mistake %s is found in %s', async (mistake, scenarios, id, status) => {
  expect(await tried(scenarios, `${mistake}-${status}`, mistake)).toEqual({ status, wrong: [id] });
});

test('a scenario that only the animal store has is unknown', async () => {
  const { status, err } = await petspec(
    ...['client', '--interface', DOCUMENT, '--scenario', 'deprecated-gone', '--', 'true'],
  );
  expect([status, err]).toEqual([2, expect.stringContaining("unknown scenario 'deprecated-gone'")]);
});
