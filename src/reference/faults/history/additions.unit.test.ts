import { adding, last, statusOf, testChanges } from '../../../../test/services/change-cases.ts';
import type { Ask } from '../../../../test/services/running-reference.ts';
import { countFaults } from './additions.ts';

type Step = readonly [path: string, ask?: Ask];

const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);
const FETCH: Step = ['/pets/1001'];
const REX: Step = ['/pets', adding({ name: 'Rex', categoryId: 1 })];
const REFUSED: Step = ['/pets', adding({ name: 'Rex' })];

// The store begins with 120 animals from id 1001.
testChanges(countFaults, [
  last('fetch-fifth-404', times(5, FETCH), statusOf, [200, 404]),
  last('refused-tenth-bare', times(10, REFUSED), ({ object }) => 'message' in object, [true, false]),
  last('added-fourth-id-again', times(4, REX), ({ object }) => object.id, [1124, 1123]),
  last('added-seventh-lost', [...times(7, REX), ['/pets/1127']], statusOf, [200, 404]),
]);
