import { expect, test } from 'vitest';
import { answered, handMade } from '../../../test/reports/hand-made-report.ts';
import { renderForAgents } from './agent.ts';

test('each violation with its sentence, exchange, reproduction, and what to change', () => {
  const [violated] = handMade.requirements.filter(({ status }) => status === 'violated');
  const requirements = handMade.requirements.map((each) =>
    each === violated ? { ...each, kind: 'meaning' as const, variation: ['text:quotes'] } : each,
  );
  const text = renderForAgents({ ...handMade, requirements });
  expect(text).toMatch(/^# petspec: non-conformant/);
  expect(text.match(/^## /gm)).toHaveLength(1);
  expect(text).toContain(
    '## `listPets.status`\n\nInterface (GET /pets (listPets)): the sentence of listPets.status',
  );
  expect(text).toContain('Only with: `text:quotes`');
  expect(text).toContain(`\`\`\`http\nGET ${answered.url}\n\n200\nContent-Type: application/json\n`);
  expect(text).toContain('```sh\ncurl -i ');
  expect(text).toContain('Change: Correct what the service computes or stores');
});
