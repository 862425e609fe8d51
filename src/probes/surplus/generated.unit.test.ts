import { expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { stringifyJson } from '../../model/json.ts';
import { isLate } from '../../model/probe.ts';
import { probesOf } from '../../run/plan/probes.ts';
import { isCertainlyWrong } from './cases.ts';
import { generatedProbe, pathOf } from './generated.ts';

const contract = loadContract();
const planned = probesOf(contract, allChecks(contract), 0);
const drawn = (seed: number, count = 200) =>
  Array.from({ length: count }, (_, index) => generatedProbe(contract, planned, seed, [index])).filter(
    (each) => each !== undefined,
  );
const contentOf = ({ operation, query, path, body }: (typeof all)[number]) =>
  `${operation} ${JSON.stringify([query, path])} ${body && 'json' in body ? stringifyJson(body.json) : ''}`;
const all = drawn(0);

test('the same seed draws the same, another one draws others', () => {
  expect(drawn(0, 20).map(contentOf)).toEqual(all.slice(0, 20).map(contentOf));
  expect(drawn(1, 20).map(contentOf)).not.toEqual(all.slice(0, 20).map(contentOf));
});

test('an id says how to draw its request again', () => {
  expect(pathOf('listItems:generated-12.0.3')).toEqual([12, 0, 3]);
  expect(pathOf('listItems:further-12')).toBeUndefined();
  for (const each of all.slice(0, 20))
    expect(generatedProbe(contract, planned, 0, pathOf(each.id) ?? [])?.id).toBe(each.id);
});

test('each kind of request is drawn, and bodies are wrong in one field', () => {
  const kinds = new Set(all.map(({ operation, validity }) => `${operation} ${validity}`));
  expect(kinds).toEqual(
    new Set(['createPet invalid', 'listPets valid', 'listPets open', 'getPet open', 'getPet valid']),
  );
  const limits = all.flatMap(({ validity, query }) =>
    validity === 'valid' ? query.filter(([name]) => name === 'limit').map(([, value]) => Number(value)) : [],
  );
  expect(limits.length).toBeGreaterThan(5);
  expect(limits.every((each) => Number.isInteger(each) && each >= 1 && each <= 100)).toBe(true);
});

test('an entry of the longest list is read by its id, beyond those that others read', () => {
  const entries = all.filter(({ operation, validity }) => operation === 'getPet' && validity === 'valid');
  const places = entries.flatMap(({ path }) => {
    const { petId } = path;
    return isLate(petId) && petId.late === 'response'
      ? petId.sources.map(({ probe, pointer }) => ({
          probe,
          place: Number(/^\/(\d+)\/id$/.exec(pointer)?.[1]),
        }))
      : [];
  });
  expect(places.length).toBeGreaterThan(10);
  expect(places.every(({ place }) => place >= 20 && place < 100)).toBe(true);
  const lists = new Set(places.map(({ probe }) => planned.find(({ id }) => id === probe)?.query.join()));
  expect([...lists]).toEqual(['limit,100']);
  expect(entries.every(({ acceptable }) => acceptable.join() === '200,404')).toBe(true);
});

test('a smaller request is drawn by further numbers, until there is none', () => {
  const steps = [0, 1, 2, 3, 4].map((step) => generatedProbe(contract, planned, 0, [1, step])?.id);
  expect(steps[0]).toMatch(/:generated-1\.0$/);
  expect(generatedProbe(contract, planned, 0, [1, 100_000])).toBeUndefined();
});

test.each([
  [{ type: 'string' }, '', false],
  [{ type: 'string' }, 1, true],
  [{ type: 'string', enum: ['a', 'b'] }, 'a', false],
  [{ type: 'string', enum: ['a', 'b'] }, 'A', true],
  [{ type: 'integer', format: 'int64' }, 1, false],
  // It is an integer in JSON Schema.
  [{ type: 'integer', format: 'int64' }, 1.0, false],
  [{ type: 'integer', format: 'int64' }, 1.5, true],
  [{ type: 'integer', format: 'int64' }, 2n ** 63n, true],
  [{ type: 'integer' }, 2n ** 63n, false],
  [{ type: 'integer', format: 'int64' }, null, true],
])('%j and the value %s: certainly wrong is %s', (schema, value, expected) => {
  expect(isCertainlyWrong(value, schema)).toBe(expected);
});
