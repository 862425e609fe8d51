import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Pin, pinProblems } from '../../scripts/pinning.ts';
import { clientRequirements } from '../../src/client/judge-client.ts';
import { loadContract } from '../../src/contract/load.ts';
import { packageVersion } from '../../src/model/package-root.ts';

const pins: Pin[] = JSON.parse(
  readFileSync(new URL('../pinned/pinned-client-requirements.json', import.meta.url), 'utf8'),
);

test('requirements of clients keep their ids, levels and meaning; `npm run pin` pins new ones', () => {
  const requirements = clientRequirements(loadContract());
  expect(pinProblems(pins, [], requirements, packageVersion)).toEqual([]);
  expect(requirements.map(({ id }) => id).sort()).toEqual(pins.map(({ id }) => id).sort());
});
