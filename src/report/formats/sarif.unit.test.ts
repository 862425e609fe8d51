import { expect, test } from 'vitest';
import { answered, handMade } from '../../../test/reports/hand-made-report.ts';
import { renderSarif } from './sarif.ts';

test('a rule for each requirement, a result for each violation and advisory, with the request and the place', () => {
  const { version, runs } = JSON.parse(renderSarif(handMade));
  expect(version).toBe('2.1.0');
  const [{ tool, results, invocations }] = runs;
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(
    handMade.requirements.map(({ id }) => id),
  );
  expect(invocations).toMatchObject([{ executionSuccessful: true }]);
  expect(results).toMatchObject([
    {
      ruleId: 'listPets.status',
      level: 'error',
      message: {
        text: expect.stringMatching(/^other animals are in it\nexpected: animals with status sold alone\n/),
      },
      locations: [{ physicalLocation: { artifactLocation: { uri: answered.url } } }],
      webRequest: { method: 'GET', target: answered.url },
      webResponse: { statusCode: 200 },
      properties: { reproduce: expect.stringContaining('curl') },
    },
    { ruleId: 'getPet.sunset', level: 'warning' },
  ]);
});
