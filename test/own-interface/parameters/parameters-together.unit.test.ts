import { expect, test } from 'vitest';
import { type Answered, documentWith, judged } from '../small-service.ts';

/** What a run reports of a service that answers by what it is asked for. @param schemas of the parameters, by name */
function searched(
  schemas: Readonly<Record<string, object>>,
  isAccepted: (query: URLSearchParams) => boolean,
) {
  const parameters = Object.entries(schemas).map(([name, schema]) => ({ name, in: 'query', schema }));
  const content = { 'application/json': { schema: { type: 'array' } } };
  const responses = { 200: { description: 'x', content }, 400: { description: 'x' } };
  const path = documentWith({ '/shops': { get: { operationId: 'search', parameters, responses } } });
  return judged(path, ({ query }): Answered => (isAccepted(query) ? [200, []] : [400]));
}

const POINT = {
  lat: { type: 'number', minimum: -90, maximum: 90 },
  lng: { type: 'number', minimum: -180, maximum: 180 },
};
const within = (value: string | null, least: number, greatest: number) =>
  value === null || (Number(value) >= least && Number(value) <= greatest);

test('parameters that need each other are not held against a service at their bounds', async () => {
  const { report, wrong } = await searched(
    { ...POINT, unit: { type: 'string', enum: ['km', 'mi'] } },
    (query) => {
      const [lat, lng, unit] = [query.get('lat'), query.get('lng'), query.get('unit')];
      if ((lat === null) !== (lng === null) || (unit !== null && lat === null)) return false;
      return within(lat, -90, 90) && within(lng, -180, 180) && [null, 'km', 'mi'].includes(unit);
    },
  );
  expect([wrong, report.verdict]).toEqual([[], 'conformant']);
  for (const id of ['lat.minimum', 'lng.maximum', 'unit.enum'])
    expect(report.requirements.find((each) => each.id === `search.${id}`)).toMatchObject({
      status: 'not-tested',
      reason: `no value of ${id.split('.')[0]} was accepted without other parameters`,
    });
});

test.each<[what: string, least: number, greatest: number, wrong: string[]]>([
  ['the minimum', 2, 100, ['search.size.minimum']],
  ['the maximum', 1, 99, ['search.size.maximum']],
  ['both', 2, 99, ['search.size.minimum', 'search.size.maximum']],
])(
  'a service that refuses %s of a parameter, and accepts what is between them, is wrong',
  async (_, least, greatest, due) => {
    const schemas = {
      size: { type: 'integer', minimum: 1, maximum: 100 },
      isOpen: { type: 'boolean' },
    };
    const { wrong } = await searched(schemas, (query) => within(query.get('size'), least, greatest));
    expect(wrong).toEqual(due);
  },
);

test('a parameter that is alone in its operation needs no other', async () => {
  const { wrong } = await searched({ lat: POINT.lat }, (query) => !query.has('lat'));
  expect(wrong).toEqual(['search.lat.minimum', 'search.lat.maximum']);
});
