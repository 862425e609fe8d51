import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const responses = { 200: { description: 'x' } };
const LIST = { type: 'array', items: { type: 'integer' } };
const parameters = [
  { name: 'between', in: 'query', required: true, schema: LIST, example: [1, 2, 3] },
  { name: 'size', in: 'query', required: true, schema: { type: 'integer' } },
];

test('parameters come in another order, and the entries of a list never do', async () => {
  const others = Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, { get: { responses } }]));
  const path = documentWith({ ...others, '/range': { get: { parameters, responses } } });
  const orders = new Set<string>();
  for (const seed of [0, 1, 2, 3]) {
    const { asked } = await judged(path, () => [200], { seed });
    for (const { query } of asked.filter((each) => each.path === '/range')) {
      expect(query.getAll('between')).toEqual(['1', '2', '3']);
      orders.add([...new Set(query.keys())].join());
    }
  }
  expect(orders).toEqual(new Set(['between,size', 'size,between']));
});
