import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Operation, Parameter } from '../model/contract.ts';
import { parameterProbes } from './parameters.ts';

const known = loadContract().operations.find(({ id }) => id === 'listPets');
if (!known) throw new Error('the interface has no listPets');
const list: Operation = known;

const sent = (parameters: readonly Parameter[]) =>
  Object.fromEntries(
    parameterProbes({ ...list, parameters: [...parameters] })
      .filter(({ validity }) => validity === 'valid')
      .map(({ id, query }) => [id, query.map((each) => each.join('=')).join('&')]),
  );

test('each status goes with the largest page, and one alone; the bounds of limit are sent by themselves', () => {
  expect(sent(list.parameters)).toEqual({
    'listPets:limit=minimum': 'limit=1',
    'listPets:limit=maximum': 'limit=100',
    'listPets:status-alone': 'status=sold',
    'listPets:status=available': 'status=available&limit=100',
    'listPets:status=pending': 'status=pending&limit=100',
    'listPets:status=sold': 'status=sold&limit=100',
    'listPets:all-parameters': 'limit=3&status=sold',
  });
});

test('a filter without a page size beside it is sent as it is, once for each member', () => {
  expect(sent(list.parameters.filter(({ name }) => name === 'status'))).toEqual({
    'listPets:status=available': 'status=available',
    'listPets:status=pending': 'status=pending',
    'listPets:status=sold': 'status=sold',
  });
});

test('the largest page comes in a later stage than what it is compared with', () => {
  const probes = parameterProbes(list);
  const stageOf = (id: string) => probes.find((each) => each.id === id)?.stage;
  expect(stageOf('listPets:status=pending')).toBe('read');
  expect(stageOf('listPets:limit=maximum')).toBe('list');
});

test('no request is a control of its own control', () => {
  const probes = parameterProbes(list);
  const reached = (id: string): string[] =>
    (probes.find((each) => each.id === id)?.controls ?? []).flatMap((each) => [each, ...reached(each)]);
  for (const { id } of probes) expect(reached(id)).not.toContain(id);
});
