import { expect, test } from 'vitest';
import { type Answered, documentWith, judged } from '../small-service.ts';

/** The values of a parameter with this schema that a run sends, and what it reports if the service refuses some. */
async function sentFor(schema: object | string, isRight: (value: string) => boolean) {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const path = documentWith(
    `{"/t":{"get":{"operationId":"list","parameters":[{"name":"p","in":"query","schema":${text}}],"responses":{"200":{"description":"x"}}}}}`,
  );
  const answer = ({ query }: { query: URLSearchParams }): Answered => {
    const value = query.get('p');
    return [value === null || isRight(value) ? 200 : 400];
  };
  const { asked, wrong, untested } = await judged(path, answer);
  return { values: asked.flatMap(({ query }) => query.getAll('p')), wrong, untested };
}

const within = (least: number, greatest: number) => (value: string) =>
  /^-?\d+$/.test(value) && Number(value) >= least && Number(value) <= greatest;

test.each<[schema: object, isRight: (value: string) => boolean, values: string[]]>([
  [{ type: 'integer', minimum: 1, maximum: 9 }, within(1, 9), ['1', '9', '0']],
  [
    { type: 'integer', minimum: 1, maximum: 100, multipleOf: 5 },
    (value) => within(1, 100)(value) && Number(value) % 5 === 0,
    ['100', '0'],
  ],
  [
    { type: 'integer', enum: [10, 20], minimum: 1, maximum: 50 },
    (value) => ['10', '20'].includes(value),
    ['10', '20', 'petspec-unknown'],
  ],
  [{ type: 'integer', minimum: 0, exclusiveMinimum: 0, maximum: 5 }, within(1, 5), ['5', '-1']],
  [{ type: 'integer', minimum: 0.5, maximum: 10.5 }, within(1, 10), ['-0.5']],
  [{ type: 'integer', minimum: 0, maximum: 9, not: { const: 0 } }, within(1, 9), ['9', '-1']],
  [{ type: 'integer', minimum: 0, maximum: 9, allOf: [{ minimum: 3 }] }, within(3, 9), ['9']],
  [
    { type: 'string', minLength: 1, maxLength: 3, anyOf: [{ pattern: '^[a-w]+$' }, { pattern: '^\\d+$' }] },
    (value) => /^(?:[a-w]{1,3}|\d{1,3})$/.test(value),
    [],
  ],
  [
    { type: 'string', minLength: 1, maxLength: 3, not: { const: 'x' } },
    (value) => value !== 'x' && value.length > 0 && value.length <= 3,
    ['xxx'],
  ],
])(
  'of %j only values at bounds are sent as valid that the whole schema allows',
  async (schema, isRight, values) => {
    const { values: sent, wrong, untested } = await sentFor(schema, isRight);
    expect(wrong).toEqual([]);
    expect(sent).toEqual(expect.arrayContaining(values));
    const others = sent.filter((each) => !values.includes(each));
    expect(others.filter(isRight)).toEqual([]);
    expect(untested).toEqual([]);
  },
);

test('bounds of int64 are sent with all of their digits', async () => {
  const isRight = (value: string) => BigInt(value) >= -(2n ** 63n) && BigInt(value) <= 2n ** 63n - 1n;
  const schema =
    '{"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807}';
  const { values, wrong } = await sentFor(schema, (value) => /^-?\d+$/.test(value) && isRight(value));
  expect(wrong).toEqual([]);
  expect(values).toEqual(expect.arrayContaining(['-9223372036854775808', '9223372036854775807']));
});

test('a large bound that was read as a double is not sent as valid', async () => {
  const schema = '{"type":"integer","maximum":9007199254740993}';
  const { wrong } = await sentFor(
    schema,
    (value) => /^\d+$/.test(value) && BigInt(value) <= 9007199254740993n,
  );
  expect(wrong).toEqual([]);
});

test('a bound that the whole schema allows is still required', async () => {
  const { wrong } = await sentFor({ type: 'integer', minimum: 1, maximum: 9 }, within(2, 9));
  expect(wrong).toEqual(['list.p.minimum']);
});
