import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

test('a body that is declared as JSON counts for a range of media types, and no other does', async () => {
  const list = { type: 'array', items: { type: 'integer' } };
  const responses = { 200: { description: 'x', content: { '*/*': { schema: list } } } };
  const coveredBy = async (type: string) => {
    const file = documentWith({ '/list': { get: { operationId: 'list', responses } } });
    const { report } = await judged(file, () => [200, [1], { 'content-type': type }]);
    return report.coverage?.keywords;
  };
  expect(await coveredBy('application/json')).toEqual({ covered: 2, of: 2 });
  expect(await coveredBy('application/problem+json')).toEqual({ covered: 2, of: 2 });
  expect(await coveredBy('text/plain')).toEqual({ covered: 0, of: 2 });
});
