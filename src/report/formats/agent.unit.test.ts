import { expect, test } from 'vitest';
import { answered, handMade } from '../../../test/reports/hand-made-report.ts';
import type { DeviationKind } from '../../model/finding.ts';
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

test.each<[kind: DeviationKind, ofService: string, ofClient: string]>([
  ['header', 'on every response', 'on every request'],
  ['meaning', 'what the service computes', 'where the client sends'],
  ['sequence', 'each response may be', 'each may be'],
  ['media-type', 'the media type that is expected', 'the media type that is expected'],
])('what to change of a service and of a client: %s', (kind, ofService, ofClient) => {
  const requirements = handMade.requirements.map((each) => ({ ...each, kind }));
  const client = { command: 'node client.js', scenarios: [] };
  expect(renderForAgents({ ...handMade, requirements })).toContain(ofService);
  expect(renderForAgents({ ...handMade, requirements, client })).toContain(ofClient);
});

test('the root cause comes first', () => {
  const [violated = ''] = handMade.requirements
    .filter(({ status }) => status === 'violated')
    .map(({ id }) => id);
  const rootCause = {
    kind: 'status',
    statement: 'every operation returned 503',
    evidence: [1],
    requirements: [violated],
  } as const;
  const [, head] = renderForAgents({ ...handMade, rootCause }).split('\n\n');
  expect(head).toContain('root cause: every operation returned 503');
});

test('hints have their commands', () => {
  const hints = [
    { kind: 'moved', text: 'it *moved*', command: 'npx petspec run https://b.example' },
  ] as const;
  const text = renderForAgents({ ...handMade, hints: [...hints] });
  expect(text).toContain('Hint: it \\*moved\\*\n\n```sh\nnpx petspec run https://b.example\n```');
});
