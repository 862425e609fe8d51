import { expect, test } from 'vitest';
import { expecting } from './http/expectation.ts';
import { type Probe, sourcesOf } from './probe.ts';

test('a probe needs the sources of its path, unless they have a fallback', () => {
  const read = (petId: Probe['path'][string]): Probe => ({
    id: 'getPet:a',
    operation: 'getPet',
    stage: 'read',
    title: '',
    validity: 'valid',
    expectation: expecting(['200']),
    key: 'valid',
    query: [],
    path: { petId },
    creates: false,
    controls: [],
  });
  const sources = [{ probe: 'a', pointer: '/id' }];
  expect(sourcesOf(read({ late: 'response', sources }))).toEqual(['a']);
  expect(sourcesOf(read({ late: 'response', sources, otherwise: '1' }))).toEqual([]);
  expect(sourcesOf(read({ late: 'random', format: 'int64', like: [] }))).toEqual([]);
  expect(sourcesOf(read('1'))).toEqual([]);
});
