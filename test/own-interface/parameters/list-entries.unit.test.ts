import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

test('what is expected of an entry of a list names no place', async () => {
  const list = { type: 'array', items: { type: 'integer' } };
  const content = { 'application/json': { schema: list } };
  const file = documentWith({ '/list': { get: { responses: { 200: { description: 'x', content } } } } });
  const { report } = await judged(file, () => [200, ['one']]);
  expect(report.requirements.find(({ status }) => status === 'violated')).toMatchObject({
    reason: '/0 is not an integer',
    expected: 'an integer',
    received: '"one"',
  });
});
