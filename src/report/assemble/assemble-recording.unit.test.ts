import { expect, test } from 'vitest';
import { created, said } from '../../../test/recordings/judged.ts';
import { loadContract } from '../../contract/load.ts';
import { assembleRecording, countRecorded } from './assemble-recording.ts';

const contract = loadContract();

/** The result for a requirement that a recording violates. */
async function resultOf(id: string, ...all: Parameters<typeof said>) {
  const judged = await said(...all);
  const counts = countRecorded(contract, []).result();
  const report = assembleRecording(contract, { strict: false, counts }, judged);
  return report.requirements.find((each) => each.id === id) ?? expect.fail(`there is no ${id}`);
}

test('what the recording created is created again, with a warning', async () => {
  const renamed = { name: 'Max', categoryId: 7, id: 76 };
  const { status, reproduce } = await resultOf('getPet.stored', created(76), {
    path: '/pets/76',
    body: renamed,
  });
  expect(status).toBe('violated');
  expect(reproduce?.warning).toBe('adds a record');
  expect(reproduce?.script).toMatch(/^response=.* -X POST .*\n.*\n.*\/pets\/'"\$id"$/);
  expect(reproduce?.script).not.toContain('/76');
});

test('a request that writes has a warning', async () => {
  const { status, reproduce } = await resultOf('NewPet.name', created(2, { name: undefined }));
  expect(status).toBe('violated');
  expect(reproduce?.warning).toBe('adds a record');
});
