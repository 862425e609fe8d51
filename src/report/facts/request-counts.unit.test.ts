import { expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { probesOf } from '../../run/plan/probes.ts';
import { countSections } from './request-counts.ts';

const contract = loadContract();
const checks = allChecks(contract);
const probes = new Map(probesOf(contract, checks).map((each) => [each.id, each]));

test('a request counts for each section whose requirements it puts to the test, and for no other', () => {
  const sections = countSections(contract, checks, probes);
  for (const probe of [
    'listPets:plain',
    'listPets:limit=minimum',
    'sendMessage:minimal',
    'of an older petspec',
  ])
    sections.add({ probe });
  const counts = Object.fromEntries(sections.result().map(({ name, requests }) => [name, requests]));
  expect(counts).toMatchObject({
    'GET /pets (listPets)': 2,
    'Message submission (quickstart example)': 1,
    'POST /pets (createPet)': 0,
    'What the service does': 3,
  });
});
