import { adding, type ChangeCase, messaging, testChanges } from '../../../../test/services/change-cases.ts';
import type { Ask, Reply, Running } from '../../../../test/services/running-reference.ts';
import { additionFaults } from './additions.ts';
import { absentFaults } from './after-recovery.ts';
import { againFaults } from './again.ts';
import { keyHistoryFaults } from './keys.ts';

const WRONG = 'Bearer another';
const status = (reply: Reply) => reply.status;
const count = ({ list }: Reply) => list.length;

const VALID = adding({ name: 'Rex', categoryId: 1 });
const REFUSED = adding({ name: 'Refused', categoryId: 7, status: 'lost' });

/** What the last of several requests shows. */
const last = (
  id: string,
  steps: readonly (readonly [path: string, ask?: Ask])[],
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
): ChangeCase => ({
  id,
  ask: async ({ ask }: Running) => {
    const replies: Reply[] = [];
    for (const [path, request] of steps) replies.push(await ask(path, request));
    const reply = replies.at(-1);
    return reply && look(reply);
  },
  usual,
  shown,
});

const wrongThenRight = (id: string, path: string, request: Ask, usual: number) =>
  last(
    id,
    [
      [path, request],
      [path, { ...request, key: WRONG }],
      [path, request],
    ],
    status,
    [usual, 401],
  );
const rightThenWrong = (id: string, path: string, request: Ask, shown: number) =>
  last(
    id,
    [
      [path, { ...request, key: WRONG }],
      [path, request],
      [path, { ...request, key: WRONG }],
    ],
    status,
    [401, shown],
  );

const keys = [
  wrongThenRight('wrong-then-right-create', '/pets', VALID, 201),
  wrongThenRight('wrong-then-right-fetch', '/pets/1001', {}, 200),
  rightThenWrong('right-then-wrong-create', '/pets', VALID, 201),
  rightThenWrong('right-then-wrong-fetch', '/pets/1001', {}, 200),
  rightThenWrong('right-then-wrong-orders', '/store/orders', {}, 200),
  last(
    'added-then-no-key',
    [
      ['/pets', VALID],
      ['/pets', { key: null }],
    ],
    status,
    [401, 200],
  ),
];

const additions = [
  last(
    'refused-then-mixed',
    [
      ['/pets', VALID],
      ['/pets', REFUSED],
      ['/pets', VALID],
    ],
    ({ object: { name, categoryId } }) => ({ name, categoryId }),
    [
      { name: 'Rex', categoryId: 1 },
      { name: 'Refused', categoryId: 7 },
    ],
  ),
  last(
    'refused-then-400',
    [
      ['/pets', VALID],
      ['/pets', REFUSED],
      ['/pets', VALID],
    ],
    status,
    [201, 400],
  ),
  last(
    'refused-then-id-again',
    [
      ['/pets', VALID],
      ['/pets', REFUSED],
      ['/pets', VALID],
    ],
    ({ object }) => object.id,
    [1122, 1121],
  ),
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
    'message-then-fetch-401',
    [['/pets/1001'], ['/messages', messaging], ['/pets/1001']],
    status,
    [200, 401],
  ),
  last(
    'message-then-fetch-name',
    [['/pets/1001'], ['/messages', messaging], ['/pets/1001']],
    ({ object }) => object.name,
    ['Luna', 'hello'],
  ),
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
  last(
    'again-fetch-status',
    [['/pets/1001'], ['/pets?status=available&limit=100'], ['/pets/1001']],
    ({ object }) => object.status,
    ['available', undefined],
  ),
  last('again-fetch-partly', [['/pets/1001'], ['/pets/1001']], ({ object }) => object.status, [
    'available',
    undefined,
  ]),
  last(
    'again-fetch-evicted',
    [...Array.from({ length: 9 }, () => ['/pets', VALID] as const), ['/pets/1121']],
    status,
    [200, 404],
  ),
  last('again-fetch-third-404', [['/pets/1001'], ['/pets/1001'], ['/pets/1001']], status, [200, 404]),
  last('again-list-500', [['/pets'], ['/pets?limit=9'], ['/pets']], status, [200, 500]),
  last('again-list-last-limit', [['/pets?limit=3'], ['/pets']], count, [20, 3]),
  last('again-list-empty', [['/pets'], ['/pets?limit=9'], ['/pets']], count, [20, 0]),
  last('again-list-names', [['/pets'], ['/pets?limit=9'], ['/pets']], ({ list }) => list[0]?.name, [
    'Luna',
    'LUNA',
  ]),
];

const absent = [
  last('missing-id-kept', [['/pets/1121'], ['/pets', VALID], ['/pets/1121']], status, [200, 404]),
  last('refused-for-status-added', [['/pets', REFUSED], ['/pets/1121']], status, [404, 200]),
  last('empty-name-left-out', [['/pets', adding({ name: '', categoryId: 1 })]], ({ object }) => object.name, [
    '',
    undefined,
  ]),
  last(
    'category-zero-left-out',
    [['/pets', adding({ name: 'Rex', categoryId: 0 })]],
    ({ object }) => object.categoryId,
    [0, undefined],
  ),
  last(
    'category-minus-one-left-out',
    [['/pets', adding({ name: 'Rex', categoryId: -1 })]],
    ({ object }) => object.categoryId,
    [-1, undefined],
  ),
];

testChanges(
  [...keyHistoryFaults, ...additionFaults, ...againFaults, ...absentFaults],
  [...keys, ...additions, ...again, ...absent],
);
