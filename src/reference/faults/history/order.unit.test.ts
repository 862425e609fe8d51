import { adding, last, messaging, statusOf, testChanges } from '../../../../test/change-cases.ts';
import type { Reply } from '../../../../test/running-reference.ts';
import { additionFaults } from './additions.ts';
import { againFaults } from './again.ts';

const count = ({ list }: Reply) => list.length;

const VALID = adding({ name: 'Rex', categoryId: 1 });

const additions = [
  last('added-appended', [['/pets'], ['/pets', VALID], ['/pets']], count, [20, 21]),
  last(
    'added-without-id',
    [['/pets?limit=9'], ['/pets', VALID], ['/pets?limit=9']],
    ({ list }) => list.filter(({ id }) => id === undefined).length,
    [0, 1],
  ),
];

const again = [
  last(
    'message-then-list-body',
    [['/pets'], ['/messages', messaging], ['/pets']],
    ({ json }) => Array.isArray(json),
    [true, false],
  ),
  last(
    'message-then-list-names',
    [['/pets'], ['/messages', messaging], ['/pets']],
    ({ list }) => list[0]?.name,
    ['Luna', null],
  ),
  last('again-list-500', [['/pets'], ['/pets?limit=9'], ['/pets']], statusOf, [200, 500]),
  last('again-list-empty', [['/pets'], ['/pets?limit=9'], ['/pets']], count, [20, 0]),
  last('again-list-names', [['/pets'], ['/pets?limit=9'], ['/pets']], ({ list }) => list[0]?.name, [
    'Luna',
    'LUNA',
  ]),
];

testChanges([...additionFaults, ...againFaults], [...additions, ...again]);
